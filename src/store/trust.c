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
	*trust = (struct trust)TRUST_INIT;
}

bool trust_is_given(enum trust_state state)
{
	return state == TRUST_NOT_NEEDED || state == TRUST_GIVEN;
}

/* --- the content ---------------------------------------------------------- */

const char *trust_file_name(enum trust_file file)
{
	static const char *const names[TRUST_FILES] = {
		[TRUST_PROJECT] = ".claude/settings.json",
		[TRUST_LOCAL] = ".claude/settings.local.json",
		[TRUST_MCP] = ".mcp.json",
	};

	return names[file];
}

enum trust_file trust_file_of(enum settings_source source)
{
	return source == SETTINGS_LOCAL ? TRUST_LOCAL : TRUST_PROJECT;
}

/* What cannot be read counts as well: it must not look as if nothing were there. */
static void look_at_file(struct trust_seen *seen, const char *dir, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_cstr(dir), sv_cstr(name));
	if (!fs_read(&text, path.ptr, LIMIT_SETTINGS, &err)) {
		if (err.kind == ERR_NOT_FOUND)
			return;
		str_truncate(&text, 0);
		str_adds(&text, err.text);
	}
	*seen = (struct trust_seen){ .is_there = true, .digest = sha256(sv_of(&text)) };
}

static void sum_up(struct trust *t)
{
	struct sha256 hash;
	struct digest digest;

	sha256_init(&hash);
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++) {
		if (!t->files[i].is_there)
			continue;
		sha256_add(&hash, sv_cstr(trust_file_name(i)));
		sha256_add(&hash, digest_sv(&t->files[i].digest));
	}
	digest = sha256_end(&hash);
	str_truncate(&t->digest, 0);
	hex_encode(&t->digest, digest_sv(&digest));
}

static bool is_any_there(const struct trust *t)
{
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++)
		if (t->files[i].is_there)
			return true;
	return false;
}

bool trust_saw(const struct trust *t, enum trust_file file, struct sv text)
{
	struct digest now = sha256(text);

	return t->files[file].is_there && sv_eq(digest_sv(&now), digest_sv(&t->files[file].digest));
}

void trust_follow(struct trust *t, enum trust_file file, struct sv before, struct sv after)
{
	struct trust_seen *seen = &t->files[file];

	if (seen->is_there ? !trust_saw(t, file, before) : before.len > 0)
		t->is_lost = true;
	*seen = (struct trust_seen){ .is_there = true, .digest = sha256(after) };
	sum_up(t);
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
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++)
		look_at_file(&out->files[i], i == TRUST_LOCAL && repo_dir ? repo_dir : project_dir,
			     trust_file_name(i));
	sum_up(out);
	out->state = is_any_there(out) ? state_of(config_dir, project_dir, sv_of(&out->digest))
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

bool trust_record(const char *config_dir, const char *project_dir, struct sv digest,
		  struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err missing = ERR_INIT;
	size_t bad_at;

	if (!utf8_valid(sv_cstr(project_dir), &bad_at))
		return err_set(err, ERR_INVALID,
			       "the path of the project is no UTF-8, so trust in it cannot be "
			       "recorded");
	record_path(&path, config_dir);
	if (!fs_read(&text, path.ptr, LIMIT_TRUST, &missing)) {
		if (missing.kind != ERR_NOT_FOUND)
			return err_set(err, missing.kind, "%s", missing.text);
		str_adds(&text, "{}\n");
	}
	return change(&text, project_dir, digest, err) &&
	       fs_write(path.ptr, sv_of(&text), (struct fs_write){ .mode = 0600, .sync = true },
			err);
}
