#include "context/instructions.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/utf8.h"
#include "context/imports.h"
#include "context/instruction_rules.h"
#include "context/visible_text.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "sys/fs.h"

struct notes {
	struct str text;
	bool is_full;
};

struct instructions {
	VEC(struct instruction *) files;
	size_t bytes;        /* of all their texts */
	VEC(char *) roots;   /* the working directories, real; the first is cwd */
	char *config, *home; /* real, as given; NULL: there is none */
	struct map given;    /* real paths of files; the values say nothing */
	struct map folders;  /* real paths of folders that were looked into */
	struct instruction_rules rules;
	const char *off; /* as given */
	struct notes left_out, unwanted;
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

static void instructions_note(struct notes *notes, const char *fmt, ...) printf_like(2, 3);

static void instructions_note(struct notes *notes, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	visible_line(&line, sv_of(&text));
	str_addc(&line, '\n');
	if (notes->is_full || str_add_capped(&notes->text, sv_of(&line), LIMIT_INSTRUCTION_NOTES))
		return;
	notes->is_full = true;
	str_adds(&notes->text, "(further notices omitted)\n");
}

static void instructions_note_source(struct notes *notes, const struct source *s, const char *why)
{
	if (s->by)
		instructions_note(notes, "%s: @%.*s skipped: %s.", s->by->path, SV_ARG(s->written),
				  why);
	else
		instructions_note(notes, "%s skipped: %s.", s->path, why);
}

static void instructions_leave_out(struct instructions *in, const struct source *s, const char *why)
{
	instructions_note_source(&in->left_out, s, why);
}

/* --- paths -------------------------------------------------------------------- */

static struct sv instructions_parent_of(struct sv path)
{
	size_t slash = sv_rfind_char(path, '/');

	return slash == SIZE_MAX ? SV_EMPTY : sv_slice(path, 0, max_of(slash, (size_t)1));
}

/* NULL when it does not exist. */
static char *instructions_real_path(const char *path)
{
	struct str real = STR_INIT;
	struct err err;

	return path && fs_realpath(&real, path, &err) ? str_detach(&real) : NULL;
}

/* Markdown right in the configuration directory is the user's own to be pointed at;
 * credentials and sessions, which are there too, are not. */
static bool is_users(const struct instructions *in, struct sv real)
{
	return in->config && sv_is(instructions_parent_of(real), in->config) &&
	       sv_ends(real, SV(".md"));
}

/* The working directory that a real path is in; NULL when it is in none. */
static const char *instructions_root_of(const struct instructions *in, struct sv real)
{
	for (size_t i = 0; i < in->roots.n; i++)
		if (path_is_inside(real, sv_cstr(in->roots.at[i])))
			return in->roots.at[i];
	return NULL;
}

/* What was written by the user, or whom the user has to believe. */
static bool instructions_is_trusted(enum instruction_scope scope)
{
	return scope == INSTRUCTION_POLICY || scope == INSTRUCTION_USER;
}

static bool instructions_may_read(const struct instructions *in, const struct source *s)
{
	struct sv real = sv_cstr(s->real);

	return instructions_is_trusted(s->scope) || path_is_inside(real, sv_cstr(s->folder)) ||
	       instructions_root_of(in, real) || is_users(in, real);
}

/* Whether anybody on this machine could have put the file there: /tmp/AGENTS.md. A
 * working directory was chosen, so what is there is meant. */
static bool is_anybodys(const struct instructions *in, const struct source *s)
{
	struct fs_info info;
	struct err err;

	return !instructions_is_trusted(s->scope) &&
	       !instructions_root_of(in, sv_cstr(s->folder)) &&
	       fs_info(&info, s->folder, true, &err) && (info.mode & 0002);
}

/* The file that an import means; NULL when it is below a home that there is not. */
static char *instructions_resolve(const struct instructions *in, const char *importer,
				  struct sv path)
{
	struct str out = STR_INIT;

	if (sv_starts(path, SV("~/"))) {
		if (!in->home)
			return NULL;
		fs_join(&out, sv_cstr(in->home), sv_skip(path, 2));
	} else if (sv_starts(path, SV("/"))) {
		str_add(&out, path);
	} else {
		fs_join(&out, instructions_parent_of(sv_cstr(importer)), path);
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
static bool instructions_is_repeated(const struct instructions *in, const char *path,
				     struct sv text)
{
	for (size_t i = 0; i < in->files.n; i++) {
		const struct instruction *f = in->files.at[i];
		struct sv folder = instructions_parent_of(sv_cstr(f->path));

		if (sv_ends(folder, SV("/.claude")))
			folder = instructions_parent_of(folder);
		if (sv_eq(sv_of(&f->text), text) &&
		    (instructions_is_trusted(f->scope) || path_is_inside(sv_cstr(path), folder)))
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
static bool instructions_read_text(struct instructions *in, const struct source *s,
				   struct str *text)
{
	defer(str_clear) struct str raw = STR_INIT;
	struct err err;
	size_t unseen;

	if (!fs_read(&raw, s->real, LIMIT_INSTRUCTION_FILE, &err)) {
		instructions_leave_out(in, s, err.text);
		return false;
	}
	if (sv_find_char(sv_of(&raw), '\0') != SIZE_MAX) {
		instructions_leave_out(in, s, "it is binary");
		return false;
	}
	if (!utf8_valid(sv_of(&raw), NULL))
		instructions_note(&in->left_out,
				  "%s is not valid UTF-8; invalid bytes appear as U+FFFD.",
				  s->real);
	unseen = visible_text(text, sv_of(&raw));
	if (unseen)
		instructions_note(&in->left_out,
				  "%s contains invisible characters; %zu were removed.", s->real,
				  unseen);
	return true;
}

/* Takes `text`. */
static void instructions_keep(struct instructions *in, const struct source *s, struct str text)
{
	struct instruction *f = xnew(struct instruction);

	f->scope = s->scope;
	f->path = xstrdup(s->by ? s->real : s->path);
	f->imported_by = s->by ? xstrdup(s->by->path) : NULL;
	f->text = text;
	in->bytes += text.len;
	vec_push(&in->files, f);
}

static void instructions_take(struct instructions *in, struct source *s);

static void instructions_follow(struct instructions *in, const struct source *s, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct imports imports = imports_in(text);
	/* What the user brings in from a project is the project's word, and imports as such. */
	const char *project = s->by && instructions_is_trusted(s->scope)
				      ? instructions_root_of(in, sv_cstr(s->real))
				      : NULL;

	for (size_t n = 0; imports_next(&imports, &path); n++) {
		defer(mem_freep) char *target = instructions_resolve(in, s->path, sv_of(&path));
		struct source import = { .scope = project ? INSTRUCTION_PROJECT : s->scope,
					 .path = target,
					 .folder = project ? project : s->folder,
					 .written = sv_of(&path),
					 .by = s,
					 .depth = s->depth + 1 };

		if (n == LIMIT_INSTRUCTION_IMPORTS) {
			instructions_note(&in->left_out, "%s: skipped imports after the first %d.",
					  s->path, LIMIT_INSTRUCTION_IMPORTS);
			return;
		}
		instructions_take(in, &import);
	}
}

/* A name alone that is no file is no import either: "@param", "@everyone". */
static void instructions_miss(struct instructions *in, const struct source *s)
{
	if (sv_find_char(s->written, '/') != SIZE_MAX || sv_find_char(s->written, '.') != SIZE_MAX)
		instructions_leave_out(in, s, "there is no such file");
}

/* Why no more may be taken in; NULL when it may. */
static const char *instructions_what_forbids(const struct instructions *in, const struct source *s)
{
	if (!instructions_may_read(in, s))
		return "it is outside the working directories";
	if (!instructions_is_trusted(s->scope) &&
	    (secret_is_file(sv_cstr(s->path)) || secret_is_file(sv_cstr(s->real))))
		return "it looks like a secret";
	if (is_anybodys(in, s))
		return "its folder is world-writable";
	if (s->depth > LIMIT_INSTRUCTION_DEPTH)
		return "the imports are nested too deeply";
	return in->files.n >= LIMIT_INSTRUCTION_FILES ? "there are too many files" : NULL;
}

/* By the path it was found at, or by the one it really has. */
static bool instructions_is_excluded(struct instructions *in, const struct source *s)
{
	defer(str_clear) struct str why = STR_INIT;
	const char *pattern = NULL;

	if (s->scope != INSTRUCTION_POLICY)
		pattern = instruction_rules_exclude(&in->rules, sv_cstr(s->path));
	if (s->scope != INSTRUCTION_POLICY && !pattern)
		pattern = instruction_rules_exclude(&in->rules, sv_cstr(s->real));
	if (!pattern)
		return false;
	str_addf(&why, "claudeMdExcludes has \"%s\"", pattern);
	instructions_note_source(&in->unwanted, s, str_c(&why));
	return true;
}

/* Adds the file and those it imports, or notes why not. */
static void instructions_take(struct instructions *in, struct source *s)
{
	defer(mem_freep) char *real = instructions_real_path(s->path);
	defer(str_clear) struct str text = STR_INIT;
	struct sv view;
	const char *why;

	if (!real) {
		instructions_miss(in, s);
		return;
	}
	s->real = real;
	if (instructions_is_excluded(in, s))
		return;
	why = is_loop(s) ? "it imports itself" : NULL;
	if (!why && map_get(&in->given, sv_cstr(real)))
		return;
	why = why ? why : instructions_what_forbids(in, s);
	if (why) {
		instructions_leave_out(in, s, why);
		return;
	}
	map_put(&in->given, sv_cstr(real), in);
	if (!instructions_read_text(in, s, &text))
		return;
	if (text.len > LIMIT_INSTRUCTIONS - in->bytes) {
		instructions_leave_out(in, s, "all instructions together are too long");
		return;
	}
	view = sv_of(&text);
	if (sv_trim(view).len > 0 && !is_pointer(view) &&
	    !instructions_is_repeated(in, s->path, view)) {
		instructions_keep(in, s, text);
		text = (struct str)STR_INIT;
	}
	instructions_follow(in, s, view);
}

/* --- folders ------------------------------------------------------------------ */

static bool has_file(struct sv folder, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, folder, sv_cstr(name));
	return fs_exists(str_c(&path));
}

/* Who keeps files of a scope. */
static enum settings_source source_of(enum instruction_scope scope)
{
	switch (scope) {
	case INSTRUCTION_POLICY: return SETTINGS_POLICY;
	case INSTRUCTION_USER: return SETTINGS_USER;
	case INSTRUCTION_LOCAL: return SETTINGS_LOCAL;
	case INSTRUCTION_PROJECT:
	case INSTRUCTION_NESTED: break;
	}
	return SETTINGS_PROJECT;
}

/* Why files of this name are not read in the folder; NULL when they are. */
static const char *instructions_why_unwanted(const struct instructions *in, const struct source *s,
					     struct sv folder, const char *name)
{
	bool is_agents = sv_is(sv_cstr(name), "AGENTS.md");

	if (s->scope == INSTRUCTION_POLICY)
		return NULL;
	if (in->off)
		return in->off;
	if (in->rules.without[source_of(s->scope)])
		return "--setting-sources excludes its source";
	switch (in->rules.names) {
	case INSTRUCTIONS_ALL: break;
	case INSTRUCTIONS_AGENTS_ALONE:
		return is_agents && (has_file(folder, "CLAUDE.md") ||
				     has_file(folder, ".claude/CLAUDE.md"))
			       ? "there is a CLAUDE.md, and instructionFiles is "
				 "claude-md-or-agents-md"
			       : NULL;
	case INSTRUCTIONS_CLAUDE: return is_agents ? "instructionFiles is claude-md" : NULL;
	case INSTRUCTIONS_POLICYS: return "instructionFiles is managed-only";
	}
	return NULL;
}

static void instructions_take_named(struct instructions *in, enum instruction_scope scope,
				    struct sv folder, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(mem_freep) char *dir = sv_dup(folder);
	struct source s = { .scope = scope, .folder = dir };
	const char *why;

	fs_join(&path, folder, sv_cstr(name));
	if (!fs_exists(str_c(&path)))
		return;
	s.path = str_c(&path);
	why = instructions_why_unwanted(in, &s, folder, name);
	if (why)
		instructions_note_source(&in->unwanted, &s, why);
	else
		instructions_take(in, &s);
}

/* Takes the files of a folder, once. */
static void instructions_look_into(struct instructions *in, struct sv folder,
				   enum instruction_scope scope)
{
	static const char *const names[] = { "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md",
					     "CLAUDE.local.md" };

	if (map_put(&in->folders, folder, in))
		return;
	for (size_t i = 0; i < countof(names); i++) {
		bool local = scope == INSTRUCTION_PROJECT && i == countof(names) - 1;

		instructions_take_named(in, local ? INSTRUCTION_LOCAL : scope, folder, names[i]);
	}
}

/* Looks into `top` and every folder from there down to `dir`. Both are real. */
static void instructions_look_down(struct instructions *in, struct sv top, struct sv dir,
				   enum instruction_scope scope)
{
	instructions_look_into(in, top, scope);
	for (size_t i = top.len + 1; i < dir.len; i++)
		if (dir.ptr[i] == '/')
			instructions_look_into(in, sv_slice(dir, 0, i), scope);
	if (dir.len > top.len)
		instructions_look_into(in, dir, scope);
}

/* --- the start ---------------------------------------------------------------- */

static void instructions_add_root(struct instructions *in, const char *dir)
{
	char *real = instructions_real_path(dir);

	if (real)
		vec_push(&in->roots, real);
}

/* The text of "claudeMd", which is the policy's alone to set. */
static void instructions_take_setting(struct instructions *in, const struct settings *settings)
{
	const char *raw = settings ? settings_str(settings, "claudeMd") : NULL;
	defer(str_clear) struct str place = STR_INIT;
	struct source s = { .scope = INSTRUCTION_POLICY };
	struct str text = STR_INIT;

	if (!raw || !sv_trim(sv_cstr(raw)).len)
		return;
	settings_locate(settings, "claudeMd", &place);
	s.path = str_c(&place);
	visible_text(&text, sv_cstr(raw));
	if (text.len <= LIMIT_INSTRUCTIONS) {
		instructions_keep(in, &s, text);
		return;
	}
	instructions_leave_out(in, &s, "it is too long");
	str_clear(&text);
}

static void instructions_take_policys(struct instructions *in, const struct instructions_opts *opts)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	instructions_take_setting(in, opts->settings);
	if (settings_policy_file(&path, opts->policy_dir, "CLAUDE.md", &err))
		instructions_take_named(in, INSTRUCTION_POLICY,
					instructions_parent_of(sv_of(&path)), "CLAUDE.md");
	else if (err.kind != ERR_NOT_FOUND)
		instructions_note(&in->left_out, "Skipped the policy's instructions: %s.",
				  err.text);
}

static void instructions_read_rules(struct instructions *in, const struct instructions_opts *opts)
{
	defer(str_clear) struct str bad = STR_INIT;
	struct sv rest, line;

	instruction_rules_read(&in->rules, opts->settings, opts->home, &bad);
	rest = sv_of(&bad);
	while (sv_cut_line(&rest, &line))
		instructions_note(&in->left_out, "%.*s", SV_ARG(line));
	in->off = opts->off;
}

struct instructions *instructions_new(const struct instructions_opts *opts)
{
	struct instructions *in = xnew(struct instructions);
	size_t ncwd;

	in->config = instructions_real_path(opts->config_dir);
	in->home = opts->home ? xstrdup(opts->home) : NULL;
	instructions_add_root(in, opts->cwd);
	ncwd = in->roots.n;
	for (const char *const *dir = opts->dirs; dir && *dir; dir++)
		instructions_add_root(in, *dir);
	instructions_read_rules(in, opts);
	instructions_take_policys(in, opts);
	if (opts->config_dir)
		instructions_take_named(in, INSTRUCTION_USER, sv_cstr(opts->config_dir),
					"CLAUDE.md");
	if (ncwd)
		instructions_look_down(in, SV("/"), sv_cstr(in->roots.at[0]), INSTRUCTION_PROJECT);
	for (size_t i = ncwd; opts->reads_dirs && i < in->roots.n; i++)
		instructions_look_into(in, sv_cstr(in->roots.at[i]), INSTRUCTION_PROJECT);
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
	instruction_rules_clear(&in->rules);
	str_clear(&in->left_out.text);
	str_clear(&in->unwanted.text);
	free(in);
}

void instructions_freep(struct instructions **in)
{
	instructions_free(*in);
	*in = NULL;
}

/* The folder a path is in, or is, as far down as it exists; real. */
static char *instructions_real_folder(struct sv path)
{
	struct fs_info info;
	struct err err;

	while (path.len > 0) {
		defer(mem_freep) char *at = sv_dup(path);

		if (fs_info(&info, at, true, &err) && info.kind == FS_DIR)
			return instructions_real_path(at);
		if (path.len == 1)
			break;
		path = instructions_parent_of(path);
	}
	return NULL;
}

size_t instructions_touch(struct instructions *in, struct sv path)
{
	defer(mem_freep) char *folder =
		path.len <= LIMIT_PATH ? instructions_real_folder(path) : NULL;
	const char *root = folder ? instructions_root_of(in, sv_cstr(folder)) : NULL;
	size_t before = in->files.n;

	if (root)
		instructions_look_down(in, sv_cstr(root), sv_cstr(folder), INSTRUCTION_NESTED);
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
	return sv_of(&in->left_out.text);
}

struct sv instructions_unwanted(const struct instructions *in)
{
	return sv_of(&in->unwanted.text);
}
