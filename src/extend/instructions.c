#include "extend/instructions.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/utf8.h"
#include "extend/imports.h"
#include "extend/visible.h"
#include "perm/path.h"
#include "sys/fs.h"

struct instructions {
	VEC(struct instruction *) files;
	size_t bytes;        /* of all their texts */
	VEC(char *) roots;   /* the working directories, real; the first is cwd */
	char *config, *home; /* real, as given; NULL: there is none */
	struct map given;    /* real paths of files; the values say nothing */
	struct map folders;  /* real paths of folders that were looked into */
	struct str notes;
	bool notes_full;
};

/* A file on its way in. */
struct source {
	enum instruction_scope scope;
	const char *path;   /* as found */
	const char *folder; /* below which a project's file may import */
	const char *real;
	struct sv written;       /* the import, as it stands in ... */
	const struct source *by; /* NULL: found by its name */
	size_t depth;            /* of imports */
};

/* --- notes -------------------------------------------------------------------- */

static void note(struct instructions *in, const char *fmt, ...) printf_like(2, 3);

static void note(struct instructions *in, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	visible_line(&line, sv_of(&text));
	str_addc(&line, '\n');
	if (in->notes_full || str_add_capped(&in->notes, sv_of(&line), LIMIT_INSTRUCTION_NOTES))
		return;
	in->notes_full = true;
	str_adds(&in->notes, "More was left out than is told here.\n");
}

static void leave_out(struct instructions *in, const struct source *s, const char *why)
{
	if (s->by)
		note(in, "%s: @%.*s is left out: %s.", s->by->path, SV_ARG(s->written), why);
	else
		note(in, "%s is left out: %s.", s->path, why);
}

/* --- paths -------------------------------------------------------------------- */

static struct sv parent_of(struct sv path)
{
	size_t slash = sv_rfind_char(path, '/');

	return slash == SIZE_MAX ? SV_EMPTY : sv_slice(path, 0, max_of(slash, (size_t)1));
}

/* NULL when it does not exist. */
static char *real_path(const char *path)
{
	struct str real = STR_INIT;
	struct err err;

	return path && fs_realpath(&real, path, &err) ? str_detach(&real) : NULL;
}

/* Markdown right in the configuration directory is the user's own to be pointed at;
 * credentials and sessions, which are there too, are not. */
static bool is_users(const struct instructions *in, struct sv real)
{
	return in->config && sv_is(parent_of(real), in->config) && sv_ends(real, SV(".md"));
}

/* The working directory that a real path is in; NULL when it is in none. */
static const char *root_of(const struct instructions *in, struct sv real)
{
	for (size_t i = 0; i < in->roots.n; i++)
		if (path_is_inside(real, sv_cstr(in->roots.at[i])))
			return in->roots.at[i];
	return NULL;
}

static bool may_read(const struct instructions *in, const struct source *s)
{
	struct sv real = sv_cstr(s->real);

	return s->scope == INSTRUCTION_USER || path_is_inside(real, sv_cstr(s->folder)) ||
	       root_of(in, real) || is_users(in, real);
}

/* Whether anybody on this machine could have put the file there: /tmp/AGENTS.md. A
 * working directory was chosen, so what is there is meant. */
static bool is_anybodys(const struct instructions *in, const struct source *s)
{
	struct fs_info info;
	struct err err;

	return s->scope != INSTRUCTION_USER && !root_of(in, sv_cstr(s->folder)) &&
	       fs_info(&info, s->folder, true, &err) && (info.mode & 0002);
}

/* The file that an import means; NULL when it is below a home that there is not. */
static char *resolve(const struct instructions *in, const char *importer, struct sv path)
{
	struct str out = STR_INIT;

	if (sv_starts(path, SV("~/"))) {
		if (!in->home)
			return NULL;
		fs_join(&out, sv_cstr(in->home), sv_skip(path, 2));
	} else if (sv_starts(path, SV("/"))) {
		str_add(&out, path);
	} else {
		fs_join(&out, parent_of(sv_cstr(importer)), path);
	}
	return str_detach(&out);
}

/* --- one file ----------------------------------------------------------------- */

/* Whether everything in the text is one import: "@AGENTS.md". */
static bool is_pointer(struct sv text)
{
	struct sv word = sv_trim(text);
	struct sv rest = word, first;

	return sv_starts(word, SV("@")) && sv_cut_line(&rest, &first) && rest.len == 0 &&
	       sv_find_char(word, ' ') == SIZE_MAX && sv_find_char(word, '\t') == SIZE_MAX;
}

/* Whether the same was said already, for this folder or for one around it. */
static bool is_repeated(const struct instructions *in, const char *path, struct sv text)
{
	for (size_t i = 0; i < in->files.n; i++) {
		const struct instruction *f = in->files.at[i];
		struct sv folder = parent_of(sv_cstr(f->path));

		if (sv_ends(folder, SV("/.claude")))
			folder = parent_of(folder);
		if (sv_eq(sv_of(&f->text), text) &&
		    (f->scope == INSTRUCTION_USER || path_is_inside(sv_cstr(path), folder)))
			return true;
	}
	return false;
}

/* Whether the file is one of those that led to it. */
static bool is_loop(const struct source *s)
{
	for (const struct source *by = s->by; by; by = by->by)
		if (strcmp(by->real, s->real) == 0)
			return true;
	return false;
}

/* Reads it as the model is to get it; notes why not, or what was changed. */
static bool read_text(struct instructions *in, const struct source *s, struct str *text)
{
	defer(str_clear) struct str raw = STR_INIT;
	struct err err;
	size_t unseen;

	if (!fs_read(&raw, s->real, LIMIT_INSTRUCTION_FILE, &err)) {
		leave_out(in, s, err.text);
		return false;
	}
	if (sv_find_char(sv_of(&raw), '\0') != SIZE_MAX) {
		leave_out(in, s, "it is binary");
		return false;
	}
	if (!utf8_valid(sv_of(&raw), NULL))
		note(in, "%s is not UTF-8; what is not is shown as U+FFFD.", s->real);
	unseen = visible_text(text, sv_of(&raw));
	if (unseen)
		note(in, "%s holds invisible characters; %zu were taken out.", s->real, unseen);
	return true;
}

/* Takes `text`. */
static void keep(struct instructions *in, const struct source *s, struct str text)
{
	struct instruction *f = xnew(struct instruction);

	f->scope = s->scope;
	f->path = xstrdup(s->by ? s->real : s->path);
	f->imported_by = s->by ? xstrdup(s->by->path) : NULL;
	f->text = text;
	in->bytes += text.len;
	vec_push(&in->files, f);
}

static void take(struct instructions *in, struct source *s);

static void follow(struct instructions *in, const struct source *s, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct imports imports = imports_in(text);
	/* What the user brings in from a project is the project's word, and imports as such. */
	const char *project =
		s->by && s->scope == INSTRUCTION_USER ? root_of(in, sv_cstr(s->real)) : NULL;

	for (size_t n = 0; imports_next(&imports, &path); n++) {
		defer(mem_freep) char *target = resolve(in, s->path, sv_of(&path));
		struct source import = { .scope = project ? INSTRUCTION_PROJECT : s->scope,
					 .path = target,
					 .folder = project ? project : s->folder,
					 .written = sv_of(&path),
					 .by = s,
					 .depth = s->depth + 1 };

		if (n == LIMIT_INSTRUCTION_IMPORTS) {
			note(in, "%s: imports after the first %d are left out.", s->path,
			     LIMIT_INSTRUCTION_IMPORTS);
			return;
		}
		take(in, &import);
	}
}

/* A name alone that is no file is no import either: "@param", "@everyone". */
static void miss(struct instructions *in, const struct source *s)
{
	if (sv_find_char(s->written, '/') != SIZE_MAX || sv_find_char(s->written, '.') != SIZE_MAX)
		leave_out(in, s, "there is no such file");
}

/* Why no more may be taken in; NULL when it may. */
static const char *what_forbids(const struct instructions *in, const struct source *s)
{
	if (!may_read(in, s))
		return "it is outside the working directories";
	if (is_anybodys(in, s))
		return "everybody may write to its folder";
	if (s->depth > LIMIT_INSTRUCTION_DEPTH)
		return "it is imported by too many files in a row";
	return in->files.n >= LIMIT_INSTRUCTION_FILES ? "there are too many files" : NULL;
}

/* Adds the file and those it imports, or notes why not. */
static void take(struct instructions *in, struct source *s)
{
	defer(mem_freep) char *real = real_path(s->path);
	defer(str_clear) struct str text = STR_INIT;
	struct sv view;
	const char *why;

	if (!real) {
		miss(in, s);
		return;
	}
	s->real = real;
	why = is_loop(s) ? "it leads to itself" : NULL;
	if (!why && map_get(&in->given, sv_cstr(real)))
		return;
	why = why ? why : what_forbids(in, s);
	if (why) {
		leave_out(in, s, why);
		return;
	}
	map_put(&in->given, sv_cstr(real), in);
	if (!read_text(in, s, &text))
		return;
	if (text.len > LIMIT_INSTRUCTIONS - in->bytes) {
		leave_out(in, s, "all instructions together are too long");
		return;
	}
	view = sv_of(&text);
	if (sv_trim(view).len > 0 && !is_pointer(view) && !is_repeated(in, s->path, view)) {
		keep(in, s, text);
		text = (struct str)STR_INIT;
	}
	follow(in, s, view);
}

/* --- folders ------------------------------------------------------------------ */

static void take_named(struct instructions *in, enum instruction_scope scope, struct sv folder,
		       const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(mem_freep) char *dir = sv_dup(folder);
	struct source s = { .scope = scope, .folder = dir };

	fs_join(&path, folder, sv_cstr(name));
	if (!fs_exists(str_c(&path)))
		return;
	s.path = str_c(&path);
	take(in, &s);
}

/* Takes the files of a folder, once. */
static void look_into(struct instructions *in, struct sv folder, enum instruction_scope scope)
{
	static const char *const names[] = { "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md",
					     "CLAUDE.local.md" };

	if (map_put(&in->folders, folder, in))
		return;
	for (size_t i = 0; i < countof(names); i++) {
		bool local = scope == INSTRUCTION_PROJECT && i == countof(names) - 1;

		take_named(in, local ? INSTRUCTION_LOCAL : scope, folder, names[i]);
	}
}

/* Looks into `top` and every folder from there down to `dir`. Both are real. */
static void look_down(struct instructions *in, struct sv top, struct sv dir,
		      enum instruction_scope scope)
{
	look_into(in, top, scope);
	for (size_t i = top.len + 1; i < dir.len; i++)
		if (dir.ptr[i] == '/')
			look_into(in, sv_slice(dir, 0, i), scope);
	if (dir.len > top.len)
		look_into(in, dir, scope);
}

struct instructions *instructions_new(const struct instructions_opts *opts)
{
	struct instructions *in = xnew(struct instructions);
	char *cwd = real_path(opts->cwd);

	in->config = real_path(opts->config_dir);
	in->home = opts->home ? xstrdup(opts->home) : NULL;
	if (cwd)
		vec_push(&in->roots, cwd);
	for (const char *const *dir = opts->dirs; dir && *dir; dir++) {
		char *real = real_path(*dir);

		if (real)
			vec_push(&in->roots, real);
	}
	if (opts->config_dir)
		take_named(in, INSTRUCTION_USER, sv_cstr(opts->config_dir), "CLAUDE.md");
	if (cwd)
		look_down(in, SV("/"), sv_cstr(cwd), INSTRUCTION_PROJECT);
	return in;
}

void instructions_free(struct instructions *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->files.n; i++) {
		struct instruction *f = in->files.at[i];

		free(f->path);
		free(f->imported_by);
		str_clear(&f->text);
		free(f);
	}
	vec_clear(&in->files);
	for (size_t i = 0; i < in->roots.n; i++)
		free(in->roots.at[i]);
	vec_clear(&in->roots);
	free(in->config);
	free(in->home);
	map_clear(&in->given);
	map_clear(&in->folders);
	str_clear(&in->notes);
	free(in);
}

void instructions_freep(struct instructions **in)
{
	instructions_free(*in);
	*in = NULL;
}

/* The folder a path is in, or is, as far down as it exists; real. */
static char *real_folder(struct sv path)
{
	struct fs_info info;
	struct err err;

	while (path.len > 0) {
		defer(mem_freep) char *at = sv_dup(path);

		if (fs_info(&info, at, true, &err) && info.kind == FS_DIR)
			return real_path(at);
		if (path.len == 1)
			break;
		path = parent_of(path);
	}
	return NULL;
}

size_t instructions_touch(struct instructions *in, struct sv path)
{
	defer(mem_freep) char *folder = path.len <= LIMIT_PATH ? real_folder(path) : NULL;
	const char *root = folder ? root_of(in, sv_cstr(folder)) : NULL;
	size_t before = in->files.n;

	if (root)
		look_down(in, sv_cstr(root), sv_cstr(folder), INSTRUCTION_NESTED);
	return in->files.n - before;
}

size_t instructions_count(const struct instructions *in)
{
	return in->files.n;
}

const struct instruction *instructions_at(const struct instructions *in, size_t i)
{
	return in->files.at[i];
}

struct sv instructions_notes(const struct instructions *in)
{
	return sv_of(&in->notes);
}
