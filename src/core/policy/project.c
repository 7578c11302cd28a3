#include "core/policy/project.h"

#include "base/limits.h"
#include "core/policy/perm_world.h"
#include "extend/file_search.h"
#include "store/approved.h"
#include "store/config_lock.h"
#include "store/git/git.h"
#include "store/json_file.h"

static bool project_is_trusted_for_now(const struct project *p)
{
	return p->trusted_digest && p->trusted_digest->len &&
	       sv_eq(sv_of(p->trusted_digest), sv_of(&p->trust.digest));
}

static void project_look_at_trust(struct project *p)
{
	struct settings_opts *files = &p->files;

	trust_clear(&p->trust);
	trust_inspect(&p->trust, files->config_dir, files->project_dir, files->repo_dir);
	files->trusts_project = trust_is_given(p->trust.state) || project_is_trusted_for_now(p);
	str_truncate(&p->foreign_script, 0);
	if (files->work_dir && trust_finds_foreign(&p->trust, files->work_dir, &p->foreign_script))
		files->trusts_project = false;
	files->looked = &p->trust;
}

/* Find the first checkout: all work trees of a repository share its local settings file. */
static bool project_find_repository(struct str *out, const char *dir)
{
	defer(str_clear) struct str top = STR_INIT;

	if (!git_find(&top, dir) || !git_is_ours(str_c(&top)))
		return false;
	if (!git_find_first(out, str_c(&top)))
		str_add(out, sv_of(&top));
	return true;
}

void project_inspect(struct project *out, const char *config_dir, const char *dir,
		     struct str *trusted_digest)
{
	project_inspect_for(out, config_dir, dir, dir, trusted_digest);
}

void project_inspect_for(struct project *out, const char *config_dir, const char *dir,
			 const char *work_dir, struct str *trusted_digest)
{
	out->files = (struct settings_opts){ .config_dir = config_dir,
					     .project_dir = dir,
					     .work_dir = sv_is(sv_cstr(dir), work_dir) ? NULL
										       : work_dir };
	out->trusted_digest = trusted_digest;
	if (project_find_repository(&out->top, dir))
		out->files.repo_dir = out->top.ptr;
	project_look_at_trust(out);
}

bool project_find_config_root(struct str *out, const char *given, struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct fs_info info;

	if (*given != '/')
		return err_set(err, ERR_INVALID,
			       "the project's configuration: %s is not an absolute path", given);
	if (!fs_realpath(&dir, given, err) || !fs_info(&info, dir.ptr, true, err))
		return err_context(err, "the project's configuration");
	if (info.kind != FS_DIR)
		return err_set(err, ERR_INVALID,
			       "the project's configuration: %s is not a directory", given);
	str_add(out, sv_of(&dir));
	return true;
}

void project_write_distrust(struct str *out, const struct project *project)
{
	if (project->foreign_script.len)
		str_addf(out, "This project's settings run %s, which is another file in %s",
			 str_c(&project->foreign_script), project->files.work_dir);
	else
		str_addf(out, "This project's settings %s",
			 project->trust.state == TRUST_NEVER_GIVEN
				 ? "are not trusted yet"
				 : "have changed since you trusted them");
}

void project_note_foreign(const struct project *project, struct str *notes)
{
	if (!project->foreign_script.len)
		return;
	project_write_distrust(notes, project);
	str_adds(notes, ", so awl treats them as not trusted.\n");
}

void project_dirs(struct sv root, project_dir_list *dirs, struct arena *arena)
{
	struct sv dir = root;

	for (;;) {
		defer(str_clear) struct str git = STR_INIT;
		size_t slash = sv_rfind_char(dir, '/');

		vec_push(dirs, arena_dup(arena, dir).ptr);
		fs_join(&git, dir, SV(".git"));
		if (fs_exists(git.ptr))
			return;
		if (slash == SIZE_MAX || !slash)
			break;
		dir = sv_slice(dir, 0, slash);
	}
	dirs->n = 1;
}

void project_config_dirs(struct sv root, const char *config_dir, project_config_fn *found,
			 void *arg)
{
	project_dir_list dirs = VEC_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str inside = STR_INIT;

	project_dirs(root, &dirs, &arena);
	file_search_inside(&inside, dirs.at[dirs.n - 1]);
	for (size_t i = 0; i < dirs.n; i++) {
		defer(str_clear) struct str own = STR_INIT;

		fs_join(&own, sv_cstr(dirs.at[i]), SV(".claude"));
		if (!sv_eq(sv_of(&own), sv_cstr(config_dir)))
			found(arg, own.ptr, sv_of(&inside));
	}
	vec_clear(&dirs);
}

void project_global_file(struct str *out, const char *config_dir, const char *home)
{
	defer(str_clear) struct str usual = STR_INIT;

	if (home)
		fs_join(&usual, sv_cstr(home), SV(".claude"));
	fs_join(out, sv_cstr(sv_is(sv_of(&usual), config_dir) ? home : config_dir),
		SV(".claude.json"));
}

void project_clear(struct project *project)
{
	str_clear(&project->top);
	trust_clear(&project->trust);
	str_clear(&project->foreign_script);
}

static bool project_git_names_programs(const char *dir)
{
	defer(str_clear) struct str top = STR_INIT;

	return git_find(&top, dir) && world_git_names_programs(sv_of(&top));
}

/* The settings come last: there may be many, and a front end may not show all of them. */
void project_ignored(const struct project *p, const struct settings *settings, struct str *out)
{
	if (!p->files.trusts_project && p->trust.files[TRUST_MCP].is_there)
		str_addf(out, "MCP servers (%s)\n", trust_file_name(TRUST_MCP));
	if (!p->files.trusts_project && project_git_names_programs(settings_work_dir(&p->files)))
		str_adds(out, "programs that the repository has git run (.git/config, .git/hooks); "
			      "awl's own git never runs them\n");
	str_add(out, settings_ignored(settings));
}

static bool project_record(const struct project *p, bool is_trusted, struct err *err)
{
	return trust_record(p->files.config_dir, p->files.project_dir, p->files.repo_dir,
			    is_trusted ? &p->trust : NULL, err);
}

bool project_trust(const struct project *project, bool is_trusted, struct err *err)
{
	defer(fs_unlockp) struct fs_lock *turn = config_lock_take(project->files.config_dir, err);

	return turn && project_record(project, is_trusted, err);
}

/* Extend trust to our own change. If that cannot be recorded, the user is asked again. */
static void project_keep_trust(struct project *p, bool was_given, bool was_trusted_for_now)
{
	struct err ignored = ERR_INIT;

	if (p->trust.is_lost)
		return;
	if (was_trusted_for_now) {
		str_set(p->trusted_digest, sv_of(&p->trust.digest));
	}
	if (was_given)
		(void)!project_record(p, true, &ignored);
}

/* Take the lock. Without a configuration directory that can be written there is none. */
static bool project_wait_for_turn(const struct project *p, struct fs_lock **turn, struct err *err)
{
	struct err none = ERR_INIT;

	*turn = p->files.config_dir ? config_lock_take(p->files.config_dir, &none) : NULL;
	if (none.kind == ERR_BUSY)
		*err = none;
	return none.kind != ERR_BUSY;
}

/* Record the rules of a change as given by the user. Without a record they need trust to last. */
static bool project_approve(const struct project *p, bool removes, enum settings_source source,
			    struct json_steps steps, struct sv json, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err why = ERR_INIT;

	if (!settings_are_projects(source) || !p->files.config_dir)
		return true;
	if (!settings_path(&p->files, source, &path, err))
		return false;
	if (approved_follow(p->files.config_dir, str_c(&path), steps, json, removes, &why) ||
	    p->files.trusts_project)
		return true;
	*err = why;
	return false;
}

bool project_change(struct project *p, typeof(settings_set) *change, enum settings_source source,
		    struct json_steps steps, struct sv json, struct err *err)
{
	defer(fs_unlockp) struct fs_lock *turn = NULL;
	bool was_given, was_trusted_for_now;

	if (!project_wait_for_turn(p, &turn, err))
		return false;
	project_look_at_trust(p);
	was_given = turn && trust_is_given(p->trust.state);
	was_trusted_for_now = project_is_trusted_for_now(p);
	if (!project_approve(p, change == settings_remove_item, source, steps, json, err) ||
	    !change(&p->files, source, steps, json, err))
		return false;
	if (settings_are_projects(source))
		project_keep_trust(p, was_given, was_trusted_for_now);
	return true;
}

bool project_change_servers(struct project *p, struct json_steps steps, struct sv json,
			    struct err *err)
{
	defer(fs_unlockp) struct fs_lock *turn = NULL;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str before = STR_INIT;
	defer(str_clear) struct str after = STR_INIT;
	struct json_file_change change = {
		.root = p->files.project_dir, .limit = LIMIT_MCP_FILE, .steps = steps, .json = json
	};
	bool was_given, was_trusted_for_now;

	if (!project_wait_for_turn(p, &turn, err))
		return false;
	project_look_at_trust(p);
	was_given = turn && trust_is_given(p->trust.state);
	was_trusted_for_now = project_is_trusted_for_now(p);
	fs_join(&path, sv_cstr(p->files.project_dir), sv_cstr(trust_file_name(TRUST_MCP)));
	change.path = str_c(&path);
	if (!json_file_change(&change, &before, &after, err))
		return false;
	trust_follow(&p->trust, TRUST_MCP, sv_of(&before), sv_of(&after));
	project_keep_trust(p, was_given, was_trusted_for_now);
	return true;
}
