/* settings_rig.h - a user, a project and a policy of a test's own. In what is told the
 * directory they are in is written as "DIR". */
#ifndef AWL_TESTS_UNIT_STORE_SETTINGS_SETTINGS_RIG_H
#define AWL_TESTS_UNIT_STORE_SETTINGS_SETTINGS_RIG_H

#include "store/settings/settings.h"
#include "sys/temp_dir.h"

struct rig {
	struct str dir;
	char *config, *project, *policy;
	struct settings_opts opts;
	struct settings *settings; /* as last loaded; NULL: that failed */
	struct str notes;
	struct err err;
};

static inline void rig_clear(struct rig *r)
{
	settings_free(r->settings);
	temp_dir_remove(&r->dir);
	free(r->config);
	free(r->project);
	free(r->policy);
	str_clear(&r->notes);
}

static inline void rig_init(struct rig *r)
{
	struct err err;

	*r = (struct rig){ .settings = NULL };
	CHECK_OK(fs_temp_dir(&r->dir, &err), err);
	r->config = path_in(&r->dir, "config");
	r->project = path_in(&r->dir, "project");
	r->policy = path_in(&r->dir, "policy");
	CHECK_OK(fs_mkdirs(r->project, 0700, &err), err);
	r->opts = (struct settings_opts){ .config_dir = r->config,
					  .project_dir = r->project,
					  .policy_dir = r->policy,
					  .trusts_project = true };
}

#define RIG(name)                         \
	defer(rig_clear) struct rig name; \
	rig_init(&name)

/* The names under which files are written here. */
#define USER    "config/settings.json"
#define PROJECT "project/.claude/settings.json"
#define LOCAL   "project/.claude/settings.local.json"
#define POLICY  "policy/managed-settings.json"

static inline char *rig_path(const struct rig *r, const char *name)
{
	return path_in(&r->dir, name);
}

static inline void rig_write_sv(const struct rig *r, const char *name, struct sv text)
{
	defer(mem_freep) char *path = rig_path(r, name);
	defer(mem_freep) char *dir =
		sv_dup(sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0700, &err), err);
	CHECK_OK(fs_write(path, text, (struct fs_write){ .mode = 0600 }, &err), err);
}

static inline void rig_write(const struct rig *r, const char *name, const char *text)
{
	rig_write_sv(r, name, sv_cstr(text));
}

static inline void rig_shorten(const struct rig *r, struct str *text)
{
	size_t at;

	while ((at = sv_find(sv_of(text), sv_of(&r->dir))) != SIZE_MAX)
		str_splice(text, at, at + r->dir.len, SV("DIR"));
}

/* Whether it succeeded; what was told is in the rig. */
static inline bool rig_load(struct rig *r)
{
	struct str text = STR_INIT;

	settings_freep(&r->settings);
	str_truncate(&r->notes, 0);
	r->err = (struct err)ERR_INIT;
	r->settings = settings_load(&r->opts, &r->notes, &r->err);
	rig_shorten(r, &r->notes);
	str_adds(&text, r->err.text);
	rig_shorten(r, &text);
	snprintf(r->err.text, sizeof(r->err.text), "%s", str_c(&text));
	str_clear(&text);
	return r->settings != NULL;
}

#define LOAD(rig) CHECK_OK(rig_load(&(rig)), (rig).err)

/* The value at a key as compact JSON, "" when it is not set; lives until the next call. */
static inline void rig_check(const struct rig *r, const char *key, const char *expected,
			     const char *file, int line);
#define CHECK_SETTING(rig, key, expected) rig_check(&(rig), key, expected, __FILE__, __LINE__)

#include "text/json/json_write.h"

static inline void rig_check(const struct rig *r, const char *key, const char *expected,
			     const char *file, int line)
{
	struct json value = settings_get(r->settings, key);
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	if (json_exists(value))
		jw_value(&w, value);
	_assert_string_equal(str_c(&text), expected, file, line);
}

#endif
