#include "store/trust.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "store/trust_scripts.h"
#include "sys/fs.h"
#include "text/digest.h"
#include "text/hex.h"
#include "text/json/json_span.h"
#include "text/json/json_write.h"

void trust_clear(struct trust *trust)
{
	str_clear(&trust->digest);
	str_clear(&trust->project_dir);
	str_clear(&trust->shared_dir);
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++)
		str_clear(&trust->files[i].scripts);
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

static const char *trust_dir_of(const struct trust *t, enum trust_file file)
{
	return str_c(file == TRUST_LOCAL ? &t->shared_dir : &t->project_dir);
}

static void trust_see(struct trust *t, enum trust_file file, struct sv text)
{
	struct trust_seen *seen = &t->files[file];

	seen->is_there = true;
	seen->digest = sha256(text);
	str_truncate(&seen->scripts, 0);
	trust_find_scripts(&seen->scripts, text, trust_dir_of(t, file));
	seen->of_scripts = trust_digest_scripts(sv_of(&seen->scripts));
}

/* Returns whether this is a directory, which a sandbox puts where a file must not be created. */
static bool trust_is_dir(const char *path)
{
	struct fs_info info;
	struct err ignored;

	return fs_info(&info, path, true, &ignored) && info.kind == FS_DIR;
}

/* Inspects a file. An unreadable file counts by its error, so that it does not look missing. A
 * directory counts as missing: nobody reads settings from it. */
static void trust_look_at_file(struct trust *t, enum trust_file file)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_cstr(trust_dir_of(t, file)), sv_cstr(trust_file_name(file)));
	if (!fs_read(&text, path.ptr, LIMIT_SETTINGS, &err)) {
		if (err.kind == ERR_NOT_FOUND || trust_is_dir(path.ptr))
			return;
		str_truncate(&text, 0);
		str_adds(&text, err.text);
	}
	trust_see(t, file, sv_of(&text));
}

/* The parts that are trusted together: the project's own files, those that the repository
 * shares, or all. */
enum part {
	OWN = 1 << TRUST_PROJECT | 1 << TRUST_MCP,
	SHARED = 1 << TRUST_LOCAL,
	ALL = OWN | SHARED
};

/* Appends the digest of a part, or nothing if none of its files exists. */
static void trust_sum_up(struct str *out, const struct trust *t, enum part part)
{
	struct sha256 hash;
	struct digest digest;
	bool any = false;

	sha256_init(&hash);
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++) {
		if (!(part & 1 << i) || !t->files[i].is_there)
			continue;
		sha256_add(&hash, sv_cstr(trust_file_name(i)));
		sha256_add(&hash, digest_sv(&t->files[i].digest));
		if (t->files[i].scripts.len)
			sha256_add(&hash, digest_sv(&t->files[i].of_scripts));
		any = true;
	}
	digest = sha256_end(&hash);
	if (any)
		hex_encode(out, digest_sv(&digest));
}

bool trust_saw(const struct trust *t, enum trust_file file, struct sv text)
{
	struct digest now = sha256(text);

	return t->files[file].is_there && sv_eq(digest_sv(&now), digest_sv(&t->files[file].digest));
}

/* A file that has changed since then is as bad: what it names is not known. */
static bool trust_file_finds_foreign(const struct trust *t, enum trust_file file,
				     const char *work_dir, struct str *which)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_cstr(trust_dir_of(t, file)), sv_cstr(trust_file_name(file)));
	if (!fs_read(&text, path.ptr, LIMIT_SETTINGS, &err) || !trust_saw(t, file, sv_of(&text))) {
		str_adds(which, trust_file_name(file));
		return true;
	}
	return trust_find_foreign_script(which, sv_of(&text), str_c(&t->project_dir), work_dir);
}

/* The servers of .mcp.json start in the project itself. */
bool trust_finds_foreign(const struct trust *t, const char *work_dir, struct str *which)
{
	for (enum trust_file i = TRUST_PROJECT; i <= TRUST_LOCAL; i++)
		if (t->files[i].is_there && trust_file_finds_foreign(t, i, work_dir, which))
			return true;
	return false;
}

static bool has_same_scripts(const struct trust_seen *seen)
{
	struct digest now = trust_digest_scripts(sv_of(&seen->scripts));

	return !seen->scripts.len || sv_eq(digest_sv(&now), digest_sv(&seen->of_scripts));
}

void trust_follow(struct trust *t, enum trust_file file, struct sv before, struct sv after)
{
	const struct trust_seen *seen = &t->files[file];

	if (seen->is_there ? !trust_saw(t, file, before) || !has_same_scripts(seen)
			   : before.len > 0)
		t->is_lost = true;
	trust_see(t, file, after);
	str_truncate(&t->digest, 0);
	trust_sum_up(&t->digest, t, ALL);
}

/* --- the record ----------------------------------------------------------- */

static void trust_record_path(struct str *out, const char *config_dir)
{
	fs_join(out, sv_cstr(config_dir), SV("awl/trust.json"));
}

static enum trust_state trust_state_of(struct json known, const char *dir, const struct trust *t,
				       enum part part)
{
	defer(str_clear) struct str digest = STR_INIT;
	struct sv recorded = json_str_or(json_get(known, dir), SV_EMPTY);

	trust_sum_up(&digest, t, part);
	if (!recorded.len)
		return digest.len ? TRUST_NEVER_GIVEN : TRUST_NOT_NEEDED;
	return sv_eq(recorded, sv_of(&digest)) ? TRUST_GIVEN : TRUST_OUTDATED;
}

/* Returns the record; NULL: there is none, or it cannot be read. */
static struct json_doc *trust_read_record(const char *config_dir)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!config_dir)
		return NULL;
	trust_record_path(&path, config_dir);
	return fs_read(&text, path.ptr, LIMIT_TRUST, &ignored)
		       ? json_parse(sv_of(&text), 0, &ignored)
		       : NULL;
}

void trust_inspect(struct trust *out, const char *config_dir, const char *project_dir,
		   const char *repo_dir)
{
	const char *shared = repo_dir ? repo_dir : project_dir;
	defer(json_doc_freep) struct json_doc *record = trust_read_record(config_dir);
	struct json root = json_root(record);

	str_adds(&out->project_dir, project_dir);
	str_adds(&out->shared_dir, shared);
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++)
		trust_look_at_file(out, i);
	trust_sum_up(&out->digest, out, ALL);
	out->state = TRUST_NOT_NEEDED;
	if (out->digest.len)
		out->state =
			max_of(trust_state_of(json_get(root, "projects"), project_dir, out, OWN),
			       trust_state_of(json_get(root, "local"), shared, out, SHARED));
}

/* Sets the digest of a directory or, if it is empty, removes it. */
static bool trust_change(struct str *text, const char *kind, const char *dir, struct sv digest,
			 struct err *err)
{
	struct json_steps steps = JSON_STEPS(sv_cstr(kind), sv_cstr(dir));
	defer(str_clear) struct str value = STR_INIT;
	struct err missing = ERR_INIT;

	if (digest.len) {
		str_addf(&value, "\"%.*s\"", SV_ARG(digest));
		return json_span_set(text, steps, sv_of(&value), err);
	}
	if (json_span_remove(text, steps, &missing) || missing.kind == ERR_NOT_FOUND)
		return true;
	*err = missing;
	return false;
}

static bool trust_change_part(struct str *text, const char *kind, const char *dir,
			      const struct trust *trust, enum part part, struct err *err)
{
	defer(str_clear) struct str digest = STR_INIT;
	size_t bad_at;

	if (!utf8_valid(sv_cstr(dir), &bad_at))
		return err_set(
			err, ERR_INVALID,
			"the project path is not valid UTF-8, so trust in it cannot be recorded");
	if (trust)
		trust_sum_up(&digest, trust, part);
	return trust_change(text, kind, dir, sv_of(&digest), err);
}

bool trust_record(const char *config_dir, const char *project_dir, const char *repo_dir,
		  const struct trust *trust, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err missing = ERR_INIT;

	trust_record_path(&path, config_dir);
	if (!fs_read(&text, path.ptr, LIMIT_TRUST, &missing)) {
		if (missing.kind != ERR_NOT_FOUND)
			return err_set(err, missing.kind, "%s", missing.text);
		str_adds(&text, "{}\n");
	}
	if (!trust_change_part(&text, "projects", project_dir, trust, OWN, err) ||
	    !trust_change_part(&text, "local", repo_dir ? repo_dir : project_dir, trust, SHARED,
			       err))
		return err_context(err, "%s", path.ptr);
	return fs_write(path.ptr, sv_of(&text), (struct fs_write){ .mode = 0600, .sync = true },
			err);
}
