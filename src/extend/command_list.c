#include "extend/command_list.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "sys/fs.h"

/* One folder that is searched. */
struct command_search {
	struct command_list *out;
	struct sv root;   /* the folder, or where a link in it leads */
	struct sv prefix; /* of names: the path of the link in the folder; empty: none */
	struct sv inside; /* links may not lead out of here; empty: they may lead anywhere */
	bool is_project, is_skills;
	int links; /* that were followed to get here */
};

static void command_list_note(struct command_search *s, struct sv path, const char *what)
{
	if (s->out->notes.len < LIMIT_COMMAND_NOTES)
		str_addf(&s->out->notes, "%.*s %s\n", SV_ARG(path), what);
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
	struct sv stem;
	char *name;

	if (!sv_ends(path, SV(".md")) || (s->is_skills && !is_skill))
		return SV_EMPTY;
	stem = sv_slice(path, 0, path.len - strlen(is_skill ? "/SKILL.md" : ".md"));
	if (s->is_skills && sv_find_char(stem, '/') != SIZE_MAX)
		return SV_EMPTY;
	name = arena_alloc(&s->out->arena, stem.len + 1);
	for (size_t i = 0; i < stem.len; i++)
		name[i] = stem.ptr[i] == '/' ? ':' : stem.ptr[i];
	return sv_from(name, stem.len);
}

static bool command_list_has(const struct command_list *list, struct sv name)
{
	for (size_t i = 0; i < list->files.n; i++)
		if (sv_eq(list->files.at[i].name, name))
			return true;
	return false;
}

/* Read a file; `path` is its path in the folder, `real` where it is. */
static void command_list_add(struct command_search *s, struct sv path, const char *real)
{
	struct arena *arena = &s->out->arena;
	struct command_file file = { .name = command_list_name(s, path),
				     .is_project = s->is_project };
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct sv note;

	if (!file.name.len || command_list_has(s->out, file.name) ||
	    s->out->files.n == LIMIT_COMMANDS)
		return;
	file.path = arena_dup(arena, sv_cstr(real));
	if (!command_name_valid(file.name)) {
		command_list_note(s, file.path, "is skipped: its name cannot be typed");
		return;
	}
	if (!fs_read(&text, real, LIMIT_COMMAND_TEXT, &err)) {
		command_list_note(s, sv_cstr(err.text), "(this command is skipped)");
		return;
	}
	if (sv_ends(path, SV("/SKILL.md")))
		file.skill_dir = sv_slice(file.path, 0, file.path.len - strlen("/SKILL.md"));
	command_file_read(&file, sv_of(&text), arena, &note);
	file.body = SV_EMPTY; /* it is read again when the command runs */
	if (note.len)
		command_list_note(s, note, "");
	vec_push(&s->out->files, file);
}

static void command_list_walk(const struct command_search *s);

/* Follow a link to a file or to a folder. */
static void command_list_follow(struct command_search *s, struct sv path, const char *link)
{
	enum { MOST_LINKS = 4 };
	defer(str_clear) struct str real = STR_INIT;
	struct command_search next = *s;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (!fs_realpath(&real, link, &ignored) || !fs_info(&info, real.ptr, true, &ignored))
		return; /* it leads nowhere */
	if (s->inside.len && !sv_starts(sv_of(&real), s->inside)) {
		command_list_note(s, sv_cstr(link), "is skipped: it leads out of the project");
		return;
	}
	next.root = sv_of(&real);
	next.prefix = path;
	if (info.kind == FS_FILE)
		command_list_add(s, path, real.ptr);
	else if (info.kind == FS_DIR && next.links++ < MOST_LINKS)
		command_list_walk(&next);
}

static enum fs_visit command_list_visit(void *arg, const struct fs_entry *entry)
{
	enum { DEPTH = 8 };
	struct command_search *s = arg;
	defer(str_clear) struct str path = STR_INIT, real = STR_INIT;

	if (s->out->files.n == LIMIT_COMMANDS)
		return FS_STOP;
	if (entry->kind == FS_DIR)
		return entry->depth >= (s->is_skills ? 1 : DEPTH) ? FS_SKIP : FS_GO_ON;
	if (s->prefix.len)
		fs_join(&path, s->prefix, entry->path);
	else
		str_add(&path, entry->path);
	fs_join(&real, s->root, entry->path);
	if (entry->kind == FS_LINK)
		command_list_follow(s, sv_of(&path), real.ptr);
	else if (entry->kind == FS_FILE)
		command_list_add(s, sv_of(&path), real.ptr);
	return FS_GO_ON;
}

static void command_list_walk(const struct command_search *s)
{
	defer(mem_freep) char *root = sv_dup(s->root);
	struct command_search copy = *s;
	struct err ignored = ERR_INIT;

	(void)!fs_walk(root, command_list_visit, &copy,
		       &ignored); /* most users have no such folder */
}

static void command_list_search(struct command_list *out, const char *dir, const char *folder,
				bool is_project, struct sv inside)
{
	defer(str_clear) struct str root = STR_INIT, real = STR_INIT;
	struct command_search s = { .out = out,
				    .is_project = is_project,
				    .is_skills = sv_ends(sv_cstr(folder), SV("skills")),
				    .inside = inside };
	struct err ignored = ERR_INIT;

	if (!dir)
		return;
	fs_join(&root, sv_cstr(dir), sv_cstr(folder));
	if (!fs_realpath(&real, root.ptr, &ignored))
		return;
	s.root = sv_of(&root);
	if (inside.len && !sv_starts(sv_of(&real), inside))
		command_list_note(&s, sv_of(&root), "is skipped: it leads out of the project");
	else
		command_list_walk(&s);
}

static int command_list_compare(const void *a, const void *b)
{
	const struct command_file *x = a, *y = b;

	return sv_cmp(x->name, y->name);
}

/* Search a folder of .claude in the directories of a project, which end with its top. */
static void command_list_search_project(struct command_list *out, const char *config_dir,
					const char *folder, const char *const *dirs, size_t ndirs)
{
	defer(str_clear) struct str inside = STR_INIT;
	struct err ignored = ERR_INIT;

	if (ndirs && fs_realpath(&inside, dirs[ndirs - 1], &ignored) &&
	    !sv_ends(sv_of(&inside), SV("/")))
		str_addc(&inside, '/');
	for (size_t i = 0; i < ndirs; i++) {
		defer(str_clear) struct str own = STR_INIT;

		fs_join(&own, sv_cstr(dirs[i]), SV(".claude"));
		if (!config_dir || !sv_eq(sv_of(&own), sv_cstr(config_dir)))
			command_list_search(out, own.ptr, folder, true, sv_of(&inside));
	}
}

void command_list_load(struct command_list *out, const char *config_dir, const char *const *dirs,
		       size_t ndirs)
{
	static const char *const folders[] = { "skills", "commands" };

	for (size_t i = 0; i < countof(folders); i++) {
		command_list_search(out, config_dir, folders[i], false, SV_EMPTY);
		command_list_search_project(out, config_dir, folders[i], dirs, ndirs);
	}
	if (out->files.n)
		qsort(out->files.at, out->files.n, sizeof(*out->files.at), command_list_compare);
}

void command_list_clear(struct command_list *list)
{
	vec_clear(&list->files);
	arena_clear(&list->arena);
	str_clear(&list->notes);
	*list = (struct command_list)COMMAND_LIST_INIT;
}

const struct command_file *command_list_find(const struct command_list *list, struct sv name)
{
	for (size_t i = 0; i < list->files.n; i++)
		if (sv_eq(list->files.at[i].name, name) && !list->files.at[i].is_hidden)
			return &list->files.at[i];
	return NULL;
}
