/* Skills that the model learns of when it touches a file: those whose `paths` match it, and those in a folder
 * .claude/skills of a directory below the project. */
#include "base/limits.h"
#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/extend/session_skills.h"
#include "core/session/session_internal.h"
#include "sys/fs.h"
#include "text/match/rule_paths.h"

/* --- skills for certain files ------------------------------------------------------------------- */

/* The same place in the working directory, for a path of the project. */
static struct sv session_skill_here(const struct session *s, struct sv path, struct arena *arena)
{
	struct sv project = sv_cstr(s->shared.project), below = sv_skip(path, project.len);

	if (!sv_starts(path, project) || (below.len && !sv_starts(below, SV("/"))))
		return path;
	return arena_printf(arena, "%s%.*s", s->shared.root, SV_ARG(below));
}

/* The directory that the patterns start from: the one with .claude for a skill of the project. */
static struct sv session_skill_base(const struct session *s, const struct command_file *file)
{
	size_t at = sv_find(file->path, SV("/.claude/"));

	for (size_t next = at; file->is_project && next != SIZE_MAX;) {
		struct sv rest = sv_skip(file->path, at + 1);

		next = sv_find(rest, SV("/.claude/"));
		at += next == SIZE_MAX ? 0 : next + 1;
	}
	return file->is_project && at != SIZE_MAX ? sv_slice(file->path, 0, at)
						  : sv_cstr(s->shared.project);
}

static bool session_skill_is_for(const struct session *s, const struct command_file *file,
				 struct sv path)
{
	defer(rule_paths_clear) struct rule_paths paths = RULE_PATHS_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv base = session_skill_here(s, session_skill_base(s, file), &arena);
	struct err invalid = ERR_INIT;

	if (!sv_starts(path, base) || !sv_starts(sv_skip(path, base.len), SV("/")))
		return false;
	return rule_paths_parse(&paths, file->paths, &invalid) &&
	       rule_paths_match(&paths, sv_skip(path, base.len + 1));
}

static void session_skills_wake(struct session *s, struct sv path)
{
	const struct command_list *list = &s->commands.list;

	for (size_t i = 0; i < list->files.n; i++) {
		const struct command_file *file = &list->files.at[i];

		if (file->paths.len && !map_get(&s->commands.awake, file->name) &&
		    session_skill_is_for(s, file, path))
			map_put(&s->commands.awake, file->name, s);
	}
}

/* --- folders below the project ------------------------------------------------------------------ */

/* What a package manager has put there is not a part of the project. */
static bool session_skills_is_foreign(struct sv path)
{
	return sv_find(path, SV("/node_modules/")) != SIZE_MAX ||
	       sv_find(path, SV("/.git/")) != SIZE_MAX;
}

static void session_skills_search_dir(struct session *s, struct sv dir)
{
	struct session_commands *c = &s->commands;
	defer(str_clear) struct str folder = STR_INIT;

	if (map_put(&c->searched, dir, s))
		return;
	fs_join(&folder, dir, SV(".claude/skills"));
	if (!fs_exists(folder.ptr) || c->nested.n == LIMIT_SKILL_FOLDERS)
		return;
	vec_push(&c->nested, sv_dup(dir));
	c->is_stale = true;
}

/* The directories above the file, as far as they are below the top of the project. */
static void session_skills_search_above(struct session *s, struct sv path)
{
	struct sv root = sv_cstr(s->shared.project), dir = path;
	size_t slash;

	while ((slash = sv_rfind_char(dir, '/')) != SIZE_MAX && slash > root.len) {
		dir = sv_slice(path, 0, slash);
		if (map_get(&s->commands.searched, dir))
			return;
		session_skills_search_dir(s, dir);
	}
}

/* The folders of the project are searched, which need not be where the session works. */
static void session_skills_search(struct session *s, struct sv path)
{
	defer(str_clear) struct str there = STR_INIT;
	struct sv root = sv_cstr(s->shared.root);

	if (!sv_starts(path, root) || session_skills_is_foreign(path))
		return;
	str_adds(&there, s->shared.project);
	str_add(&there, sv_skip(path, root.len));
	session_skills_search_above(s, sv_of(&there));
}

void session_skills_touch(struct session *s, struct sv path)
{
	if (s->commands.is_off || !settings_may_define(s->settings, SETTINGS_PROJECT, "skills"))
		return;
	session_skills_search(s, path);
	if (s->commands.is_stale)
		(void)session_command_files(s, false);
	session_skills_wake(s, path);
}
