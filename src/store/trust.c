#include "store/trust.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "sys/fs.h"
#include "text/digest.h"
#include "text/hex.h"
#include "text/json_span.h"
#include "text/json_write.h"

void trust_clear(struct trust *trust)
{
	str_clear(&trust->digest);
	str_clear(&trust->files);
}

bool trust_is_given(enum trust_state state)
{
	return state == TRUST_NOT_NEEDED || state == TRUST_GIVEN;
}

/* --- the content ---------------------------------------------------------- */

/* What cannot be read counts as well: it must not look as if nothing were there. Of what is
 * there the digest is in `*seen`. */
static void add_file(struct trust *t, struct sha256 *hash, const char *dir, const char *name,
		     struct digest *seen)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str frame = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_cstr(dir), sv_cstr(name));
	if (!fs_read(&text, path.ptr, LIMIT_SETTINGS, &err)) {
		if (err.kind == ERR_NOT_FOUND)
			return;
		str_adds(&text, err.text);
	}
	str_addf(&frame, "%s %zu\n", name, text.len);
	sha256_add(hash, sv_of(&frame));
	sha256_add(hash, sv_of(&text));
	*seen = sha256(sv_of(&text));
	str_addf(&t->files, "%s\n", name);
}

static void look_at_content(struct trust *t, const char *project_dir, const char *repo_dir)
{
	struct sha256 hash;
	struct digest digest, unused;

	sha256_init(&hash);
	add_file(t, &hash, project_dir, ".claude/settings.json", &t->project);
	add_file(t, &hash, repo_dir ? repo_dir : project_dir, ".claude/settings.local.json",
		 &t->local);
	add_file(t, &hash, project_dir, ".mcp.json", &unused);
	digest = sha256_end(&hash);
	hex_encode(&t->digest, digest_sv(&digest));
}

bool trust_saw(const struct trust *t, enum settings_source source, struct sv text)
{
	const struct digest *seen = source == SETTINGS_LOCAL ? &t->local : &t->project;
	struct digest now = sha256(text);

	return sv_eq(digest_sv(&now), digest_sv(seen));
}

/* --- the record ----------------------------------------------------------- */

static void record_path(struct str *out, const char *config_dir)
{
	fs_join(out, sv_cstr(config_dir), SV("awl/trust.json"));
}

static enum trust_state state_of(const char *config_dir, const char *project_dir, struct sv digest)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct sv known;

	if (!config_dir)
		return TRUST_NEVER_GIVEN;
	record_path(&path, config_dir);
	if (!fs_read(&text, path.ptr, LIMIT_TRUST, &ignored))
		return TRUST_NEVER_GIVEN;
	doc = json_parse(sv_of(&text), 0, &ignored);
	known = json_str_or(json_get(json_get(json_root(doc), "projects"), project_dir), SV_EMPTY);
	if (!known.len)
		return TRUST_NEVER_GIVEN;
	return sv_eq(known, digest) ? TRUST_GIVEN : TRUST_OUTDATED;
}

void trust_look(struct trust *out, const char *config_dir, const char *project_dir,
		const char *repo_dir)
{
	look_at_content(out, project_dir, repo_dir);
	out->state = out->files.len ? state_of(config_dir, project_dir, sv_of(&out->digest))
				    : TRUST_NOT_NEEDED;
}

static bool change(struct str *text, const char *project_dir, struct sv digest, struct err *err)
{
	struct json_steps steps = JSON_STEPS(SV("projects"), sv_cstr(project_dir));
	defer(str_clear) struct str value = STR_INIT;
	struct json_span ignored;

	if (digest.len) {
		str_addf(&value, "\"%.*s\"", SV_ARG(digest));
		return json_span_set(text, steps, sv_of(&value), err);
	}
	if (!json_span_find(sv_of(text), steps, &ignored, err)) {
		bool is_gone = err->kind == ERR_NOT_FOUND;

		*err = (struct err)ERR_INIT;
		return is_gone;
	}
	return json_span_remove(text, steps, err);
}

static bool rewrite(const char *path, const char *project_dir, struct sv digest, struct err *err)
{
	defer(fs_let_gop) struct fs_hold *hold = fs_hold(path, err);
	defer(str_clear) struct str text = STR_INIT;

	if (!hold)
		return false;
	if (!fs_held_info(hold))
		str_adds(&text, "{}\n");
	else if (!fs_held_read(hold, &text, LIMIT_TRUST, err))
		return false;
	return change(&text, project_dir, digest, err) &&
	       fs_held_write(hold, sv_of(&text), (struct fs_write){ .mode = 0600, .sync = true },
			     err);
}

bool trust_record(const char *config_dir, const char *project_dir, struct sv digest,
		  struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;
	defer(str_clear) struct str path = STR_INIT;
	size_t tries = LIMIT_STALE_TRIES, bad_at;
	bool ok;

	if (!utf8_valid(sv_cstr(project_dir), &bad_at))
		return err_set(err, ERR_INVALID,
			       "the path of the project is no UTF-8, so trust in it cannot be "
			       "recorded");
	if (!fs_mkdirs(config_dir, 0700, err) || !fs_realpath(&dir, config_dir, err))
		return false;
	record_path(&path, dir.ptr);
	do {
		*err = (struct err)ERR_INIT;
		ok = rewrite(path.ptr, project_dir, digest, err);
	} while (!ok && err->kind == ERR_STALE && --tries);
	return ok;
}
