/* The policy of the machine's administrator. An error in it stops everything: nothing may run
 * without it. */
#include <unistd.h>

#include "base/limits.h"
#include "store/settings/settings_helper.h"
#include "store/settings/settings_private.h"
#include "sys/fs.h"

/* Checks the owner. A file that others may write is not a policy, and a file that the user may
 * write is not the machine's. A missing file is fine. */
static bool settings_policy_check_owner(const struct settings_opts *opts, const char *path,
					enum fs_kind kind, bool *exists, struct err *err)
{
	bool may_be_ours = opts->policy_dir;
	struct fs_info info;

	if (!fs_info(&info, path, false, err)) {
		*exists = false;
		return err->kind == ERR_NOT_FOUND;
	}
	*exists = true;
	if (info.kind != kind)
		return err_set(err, ERR_ACCESS, "%s: not a %s", path,
			       kind == FS_DIR ? "directory" : "regular file");
	if (info.owner != 0 && !(may_be_ours && info.owner == geteuid()))
		return err_set(
			err, ERR_ACCESS,
			"%s: owned by user %u, not by root; change the owner to root or remove it",
			path, (unsigned)info.owner);
	if (info.mode & 0022)
		return err_set(
			err, ERR_ACCESS,
			"%s: writable by others (mode %04o); run 'chmod go-w' on it or remove it",
			path, (unsigned)info.mode);
	return true;
}

struct policy {
	struct settings *settings;
	const struct settings_opts *opts;
	struct str dir; /* of the drop-ins */
	size_t bytes;
	struct err *err;
	bool ok;
};

static bool settings_policy_read_file(struct policy *p, const char *path)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(settings_file_clear) struct settings_file file = SETTINGS_FILE_INIT;
	struct err missing = ERR_INIT;
	bool exists;

	if (!settings_policy_check_owner(p->opts, path, FS_FILE, &exists, &missing)) {
		*p->err = missing;
		return false;
	}
	if (!exists)
		return true;
	if (!fs_read(&text, path, LIMIT_SETTINGS, p->err))
		return false;
	p->bytes += text.len;
	if (p->bytes > LIMIT_POLICY)
		return err_set(p->err, ERR_TOO_BIG,
			       "%s: the managed settings exceed %zu MiB in total", path,
			       LIMIT_POLICY / MIB);
	file = settings_new_file(SETTINGS_POLICY, path, p->opts->project_dir);
	return settings_add_file(p->settings, &file, sv_of(&text), p->err);
}

static enum fs_visit settings_policy_visit_drop_in(void *arg, const struct fs_entry *entry)
{
	struct policy *p = arg;
	defer(str_clear) struct str path = STR_INIT;

	if (!sv_ends(entry->name, SV(".json")) || sv_starts(entry->name, SV(".")))
		return FS_SKIP;
	fs_join(&path, sv_of(&p->dir), entry->name);
	p->ok = settings_policy_read_file(p, str_c(&path));
	return p->ok ? FS_SKIP : FS_STOP;
}

static bool settings_policy_read_drop_ins(struct policy *p)
{
	struct err missing = ERR_INIT;
	bool exists;

	if (!settings_policy_check_owner(p->opts, str_c(&p->dir), FS_DIR, &exists, &missing)) {
		*p->err = missing;
		return false;
	}
	p->ok = true;
	return !exists ||
	       (fs_walk(str_c(&p->dir), settings_policy_visit_drop_in, p, p->err) && p->ok);
}

const char *settings_policy_dir(const struct settings_opts *opts)
{
	return opts->policy_dir ? opts->policy_dir : "/etc/claude-code";
}

/* `name` beside the managed settings, if it is of this kind and nobody else can write it. */
static bool settings_policy_find(struct str *out, const char *policy_dir, const char *name,
				 enum fs_kind kind, struct err *err)
{
	const struct settings_opts opts = { .policy_dir = policy_dir };
	const char *dir = settings_policy_dir(&opts);
	defer(str_clear) struct str path = STR_INIT;
	bool exists = false;

	fs_join(&path, sv_cstr(dir), sv_cstr(name));
	if (!settings_policy_check_owner(&opts, dir, FS_DIR, &exists, err) ||
	    (exists && !settings_policy_check_owner(&opts, str_c(&path), kind, &exists, err)))
		return false;
	if (!exists)
		return err_set(err, ERR_NOT_FOUND, "%s: no such file", str_c(&path));
	str_add(out, sv_of(&path));
	return true;
}

bool settings_policy_folder(struct str *out, const char *policy_dir, struct err *err)
{
	return settings_policy_find(out, policy_dir, ".claude", FS_DIR, err);
}

bool settings_policy_file(struct str *out, const char *policy_dir, const char *name,
			  struct err *err)
{
	return settings_policy_find(out, policy_dir, name, FS_FILE, err);
}

bool settings_read_policy(struct settings *s, const struct settings_opts *opts, struct err *err)
{
	const char *dir = settings_policy_dir(opts);
	defer(str_clear) struct str path = STR_INIT;
	struct policy p = { .settings = s, .opts = opts, .err = err };
	struct err missing = ERR_INIT;
	bool exists = false, ok;

	ok = settings_policy_check_owner(opts, dir, FS_DIR, &exists, &missing);
	if (!ok)
		*err = missing;
	fs_join(&path, sv_cstr(dir), SV("managed-settings.json"));
	fs_join(&p.dir, sv_cstr(dir), SV("managed-settings.d"));
	if (ok && exists)
		ok = settings_policy_read_file(&p, str_c(&path)) &&
		     settings_policy_read_drop_ins(&p);
	str_clear(&p.dir);
	return ok || err_context(err, "cannot load the managed settings");
}

/* --- a program that prints more of it -------------------------------------------------- */

/* Fail unless the program can be trusted (see settings_policy_file()). */
static bool settings_check_helper(const struct settings_opts *opts, const char *path,
				  struct err *err)
{
	defer(mem_freep) char *dir = NULL;
	bool exists = false;

	if (path[0] != '/')
		return err_set(err, ERR_INVALID, "the path of policyHelper is not absolute: %s",
			       path);
	dir = sv_dup(
		sv_slice(sv_cstr(path), 0, max_of(sv_rfind_char(sv_cstr(path), '/'), (size_t)1)));
	if (!settings_policy_check_owner(opts, dir, FS_DIR, &exists, err) ||
	    (exists && !settings_policy_check_owner(opts, path, FS_FILE, &exists, err)))
		return err_context(err, "policyHelper");
	return exists || err_set(err, ERR_NOT_FOUND, "policyHelper %s does not exist", path);
}

/* A session keeps using what the helper printed when awl started. */
static bool settings_policy_reuse_output(struct settings *s, const struct settings *before,
					 const char *path, struct err *err)
{
	if (!before->helper || strcmp(before->helper, path) != 0)
		return err_set(err, ERR_STALE,
			       "policyHelper has changed; restart awl to run the new one");
	str_add(&s->printed, sv_of(&before->printed));
	return true;
}

static bool settings_policy_run_helper(struct settings *s, const struct settings_opts *opts,
				       const char *path, struct err *err)
{
	return settings_check_helper(opts, path, err) &&
	       settings_run_helper(&s->printed, path, opts->env,
				   settings_int(s, "policyHelper.timeoutMs"), err);
}

bool settings_read_helper(struct settings *s, const struct settings_opts *opts, bool *added,
			  struct err *err)
{
	const char *path = settings_str(s, "policyHelper.path");
	defer(settings_file_clear) struct settings_file file = SETTINGS_FILE_INIT;

	*added = json_exists(settings_get(s, "policyHelper"));
	if (!*added)
		return true;
	if (!path)
		return err_set(err, ERR_INVALID,
			       "cannot load the managed settings: policyHelper has no path");
	s->helper = xstrdup(path);
	if (!(opts->helper_from ? settings_policy_reuse_output(s, opts->helper_from, path, err)
				: settings_policy_run_helper(s, opts, path, err)))
		return err_context(err, "cannot load the managed settings");
	file = settings_new_file(SETTINGS_POLICY, path, opts->project_dir);
	return settings_add_file(s, &file, sv_of(&s->printed), err) ||
	       err_context(err, "cannot load the managed settings");
}

/* --- what it asks of awl itself ------------------------------------------------------- */

/* Reads the next number of a version, 0 past its end. Returns false if it is not a number. */
static bool settings_policy_next_number(struct sv *version, int64_t *out)
{
	struct sv number;

	*out = 0;
	return !sv_cut(version, '.', &number) || (sv_to_int(number, out) && *out >= 0);
}

/* Compares two versions: -1, 0 or 1. Returns false if one is invalid. */
static bool settings_policy_compare_versions(struct sv a, struct sv b, int *order)
{
	int64_t x, y;

	*order = 0;
	while (a.len || b.len) {
		if (!settings_policy_next_number(&a, &x) || !settings_policy_next_number(&b, &y))
			return false;
		if (*order == 0)
			*order = (x > y) - (x < y);
	}
	return true;
}

static bool settings_policy_check_version(const struct settings *s, const char *key, int excluded,
					  struct err *err)
{
	const char *wanted = settings_str(s, key);
	int order;

	if (!wanted)
		return true;
	if (!settings_policy_compare_versions(SV(AWL_VERSION), sv_cstr(wanted), &order))
		return err_set(err, ERR_INVALID,
			       "managed settings: \"%s\": %s is not a version number", key, wanted);
	return order != excluded ||
	       err_set(err, ERR_UNSUPPORTED,
		       "the managed settings require awl %s or %s; this is %s", wanted,
		       excluded < 0 ? "later" : "earlier", AWL_VERSION);
}

bool settings_check_policy(const struct settings *s, struct err *err)
{
	return settings_policy_check_version(s, "awl.requiredMinimumVersion", -1, err) &&
	       settings_policy_check_version(s, "awl.requiredMaximumVersion", 1, err);
}
