#include "extend/command_list.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/limits.h"
#include "extend/file_notes.h"
#include "extend/file_search.h"
#include "sys/fs.h"

/* One folder that is searched. */
struct command_search {
	struct command_list *out;
	bool is_project, is_managed, is_skills;
	const struct command_plugin *plugin; /* NULL: the folder is not of a plugin */
};

static void command_list_note(struct command_search *s, struct sv path, const char *why)
{
	const struct file_notes notes = { .out = &s->out->notes, .path = path };

	file_note(&notes, 0, "this %s is skipped: %s", s->is_skills ? "skill" : "command", why);
}

bool command_name_valid(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) && !ascii_is_one_of(name.ptr[i], "-_:."))
			return false;
	return name.len && name.len <= LIMIT_COMMAND_NAME && ascii_is_alnum(name.ptr[0]);
}

/* The name of the file with this path in its folder; empty if it is not a command. */
static struct sv command_list_name(const struct command_search *s, struct sv path)
{
	bool is_skill = sv_ends(path, SV("/SKILL.md"));
	struct sv plugin = s->plugin ? s->plugin->name : SV_EMPTY, stem;
	defer(str_clear) struct str name = STR_INIT;

	if (!sv_ends(path, SV(".md")) || (s->is_skills && !is_skill))
		return SV_EMPTY;
	stem = sv_slice(path, 0, path.len - strlen(is_skill ? "/SKILL.md" : ".md"));
	if (s->is_skills && sv_find_char(stem, '/') != SIZE_MAX)
		return SV_EMPTY;
	if (plugin.len)
		str_addf(&name, "%.*s:", SV_ARG(plugin));
	for (size_t i = 0; i < stem.len; i++)
		str_addc(&name, stem.ptr[i] == '/' ? ':' : stem.ptr[i]);
	return arena_dup(&s->out->arena, sv_of(&name));
}

static bool command_list_has(const struct command_list *list, struct sv name)
{
	for (size_t i = 0; i < list->files.n; i++)
		if (sv_eq(list->files.at[i].name, name))
			return true;
	return false;
}

/* Say of a file in a folder of skills that it should be SKILL.md in a directory. */
static void command_list_note_place(struct command_search *s, struct sv path, const char *real)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!s->is_skills || !sv_ends(path, SV(".md")))
		return;
	if (sv_eq_nocase(sv_basename(path), SV("SKILL.md")))
		command_list_note(s, sv_cstr(real), "its name must be SKILL.md");
	else if (sv_find_char(path, '/') == SIZE_MAX &&
		 fs_read(&text, real, LIMIT_COMMAND_TEXT, &ignored) &&
		 sv_starts(sv_of(&text), SV("---\n")))
		command_list_note(s, sv_cstr(real), "a skill is the file SKILL.md in a directory");
}

/* Read a file; `path` is its path in the folder, `real` where it is. */
static void command_list_add(struct command_search *s, struct sv path, const char *real)
{
	struct arena *arena = &s->out->arena;
	struct command_file file = { .name = command_list_name(s, path),
				     .is_project = s->is_project,
				     .is_managed = s->is_managed };
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (!file.name.len) {
		command_list_note_place(s, path, real);
		return;
	}
	if (command_list_has(s->out, file.name) || s->out->files.n == LIMIT_COMMANDS)
		return;
	file.path = arena_dup(arena, sv_cstr(real));
	if (s->plugin) {
		file.plugin_root = arena_dup(arena, sv_cstr(s->plugin->root));
		file.plugin_data = arena_dup(arena, sv_cstr(s->plugin->data));
		file.plugin_config = arena_dup(arena, s->plugin->config);
	}
	if (!command_name_valid(file.name)) {
		command_list_note(
			s, file.path,
			"its name cannot be typed; use letters, digits, '-', '_', '.' and ':'");
		return;
	}
	if (!fs_read(&text, real, LIMIT_COMMAND_TEXT, &err)) {
		file_note_err(&(struct file_notes){ .out = &s->out->notes, .path = file.path },
			      s->is_skills ? "this skill is skipped" : "this command is skipped",
			      &err);
		return;
	}
	if (!sv_trim(sv_of(&text)).len) {
		command_list_note(s, file.path, "it is empty");
		return;
	}
	if (sv_ends(path, SV("/SKILL.md")))
		file.skill_dir = sv_slice(file.path, 0, file.path.len - strlen("/SKILL.md"));
	file.digest = hash_bytes(sv_of(&text), 0);
	command_file_read(&file, sv_of(&text), arena, &s->out->notes);
	file.body = SV_EMPTY; /* it is read again when the command runs */
	vec_push(&s->out->files, file);
}

static bool command_list_found(void *arg, struct sv path, const char *real)
{
	struct command_search *s = arg;

	command_list_add(s, path, real);
	return s->out->files.n < LIMIT_COMMANDS;
}

static void command_list_skipped(void *arg, const char *path, const char *why)
{
	command_list_note(arg, sv_cstr(path), why);
}

/* Search `dir`/`folder`; links may not lead out of `inside`, unless it is empty. */
static void command_list_search(struct command_search *s, const char *dir, const char *folder,
				struct sv inside)
{
	enum { DEPTH = 8 };
	const struct file_search search = { .inside = inside,
					    .depth = s->is_skills ? 1 : DEPTH,
					    .found = command_list_found,
					    .skipped = command_list_skipped,
					    .arg = s };

	if (dir)
		file_search_run(&search, dir, folder);
}

static int command_list_compare(const void *a, const void *b)
{
	const struct command_file *x = a, *y = b;

	return sv_cmp(x->name, y->name);
}

/* Search a folder of .claude in directories of a project. */
static void command_list_search_project(struct command_search *s,
					const struct command_places *places, const char *folder,
					const char *const *dirs, size_t ndirs)
{
	defer(str_clear) struct str inside = STR_INIT;
	const char *config_dir = places->config_dir;

	if (places->ndirs)
		file_search_inside(&inside, places->dirs[places->ndirs - 1]);
	for (size_t i = 0; i < ndirs; i++) {
		defer(str_clear) struct str own = STR_INIT;

		fs_join(&own, sv_cstr(dirs[i]), SV(".claude"));
		if (!config_dir || !sv_eq(sv_of(&own), sv_cstr(config_dir)))
			command_list_search(s, own.ptr, folder, sv_of(&inside));
	}
}

static void command_list_sort(struct command_list *list)
{
	if (list->files.n)
		qsort(list->files.at, list->files.n, sizeof(*list->files.at), command_list_compare);
}

/* A folder in all places, the strongest first. */
static void command_list_search_all(struct command_list *out, const struct command_places *places,
				    const char *folder)
{
	bool is_skills = sv_is(sv_cstr(folder), "skills");
	struct command_search managed = { .out = out, .is_skills = is_skills, .is_managed = true };
	struct command_search user = { .out = out, .is_skills = is_skills };
	struct command_search project = { .out = out, .is_skills = is_skills, .is_project = true };

	command_list_search(&managed, places->managed_dir, folder, SV_EMPTY);
	command_list_search(&user, places->config_dir, folder, SV_EMPTY);
	command_list_search_project(&project, places, folder, places->dirs, places->ndirs);
	if (is_skills)
		command_list_search_project(&project, places, folder, places->nested,
					    places->nnested);
}

void command_list_load(struct command_list *out, const struct command_places *places)
{
	command_list_search_all(out, places, "skills");
	command_list_search_all(out, places, "commands");
	command_list_sort(out);
}

/* Add one skill, or one command that is a file. */
static void command_list_add_single(struct command_search *s, const char *path, const char *file)
{
	bool is_top = sv_is(sv_cstr(path), s->plugin->root);
	defer(str_clear) struct str name = STR_INIT;

	str_add(&name, is_top ? s->plugin->name : sv_basename(sv_cstr(path)));
	if (s->is_skills)
		str_adds(&name, "/SKILL.md");
	command_list_add(s, sv_of(&name), file);
}

void command_list_add_plugin(struct command_list *out, const struct command_plugin *plugin,
			     const char *path, bool is_skills)
{
	defer(str_clear) struct str inside = STR_INIT, skill = STR_INIT;
	struct command_search s = { .out = out, .is_skills = is_skills, .plugin = plugin };

	fs_join(&skill, sv_cstr(path), SV("SKILL.md"));
	file_search_inside(&inside, plugin->root);
	if (is_skills && fs_exists(skill.ptr))
		command_list_add_single(&s, path, skill.ptr);
	else if (!is_skills && sv_ends(sv_cstr(path), SV(".md")))
		command_list_add_single(&s, path, path);
	else
		command_list_search(&s, path, "", sv_of(&inside));
	command_list_sort(out);
}

void command_list_clear(struct command_list *list)
{
	vec_clear(&list->files);
	arena_clear(&list->arena);
	str_clear(&list->notes);
	*list = (struct command_list)COMMAND_LIST_INIT;
}

struct sv command_list_changed(const struct command_list *before, const struct command_list *now)
{
	size_t i = 0, k = 0;

	while (i < before->files.n && k < now->files.n) { /* both are sorted */
		const struct command_file *old = &before->files.at[i], *fresh = &now->files.at[k];
		int order = sv_cmp(old->name, fresh->name);

		if (order)
			return order < 0 ? old->path : fresh->path;
		if (old->digest != fresh->digest || !sv_eq(old->path, fresh->path))
			return fresh->path;
		i++;
		k++;
	}
	return k < now->files.n      ? now->files.at[k].path
	       : i < before->files.n ? before->files.at[i].path
				     : SV_EMPTY;
}

const struct command_file *command_list_find(const struct command_list *list, struct sv name)
{
	for (size_t i = 0; i < list->files.n; i++)
		if (sv_eq(list->files.at[i].name, name) && !list->files.at[i].is_hidden)
			return &list->files.at[i];
	return NULL;
}
