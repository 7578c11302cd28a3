#include "context/instructions.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/map.h"
#include "base/utf8.h"
#include "context/imports.h"
#include "context/instruction_rules.h"
#include "context/visible_text.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "sys/fs.h"
#include "text/match/rule_paths.h"

struct notes {
	struct str text;
	bool is_full;
};

/* A rule in .claude/rules that waits for a file that its paths match. */
struct waiting_rule {
	enum instruction_scope scope;
	char *path, *folder; /* of the rule, as found; the folder that its paths start from */
	struct rule_paths paths;
	bool is_taken;
};

struct instructions {
	VEC(struct instruction *) files;
	size_t bytes;        /* of all their texts */
	VEC(char *) roots;   /* the working directories, real; the first is cwd */
	char *config, *home; /* real, as given; NULL: there is none */
	struct map taken;    /* real paths of files */
	struct map folders;  /* real paths of folders whose files were read */
	VEC(struct waiting_rule *) waiting;
	struct instruction_rules rules;
	const char *off; /* as given */
	struct notes skipped, unwanted;
};

/* A file that may become an instruction. */
struct source {
	enum instruction_scope scope;
	const char *path;   /* as found */
	const char *folder; /* below which a project's file may import */
	const char *real;
	bool is_rule;            /* in .claude/rules, with front matter */
	const char *paths;       /* that a rule is for; NULL: all */
	struct sv written;       /* the import, as spelt in `by` */
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
	log_debug("instructions: %s", str_c(&line));
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

static void instructions_skip(struct instructions *in, const struct source *s, const char *why)
{
	instructions_note_source(&in->skipped, s, why);
}

/* --- paths -------------------------------------------------------------------- */

static struct sv instructions_parent_of(struct sv path)
{
	size_t slash = sv_rfind_char(path, '/');

	return slash == SIZE_MAX ? SV_EMPTY : sv_slice(path, 0, max_of(slash, (size_t)1));
}

/* Returns NULL for a path that does not exist. */
static char *instructions_real_path(const char *path)
{
	struct str real = STR_INIT;
	struct err err;

	return path && fs_realpath(&real, path, &err) ? str_detach(&real) : NULL;
}

/* Returns whether a project's file may name this file of the configuration directory: Markdown
 * right in it, but neither credentials nor sessions. */
static bool is_users(const struct instructions *in, struct sv real)
{
	return in->config && sv_is(instructions_parent_of(real), in->config) &&
	       sv_ends(real, SV(".md"));
}

/* Returns the working directory that contains a real path; NULL: none does. */
static const char *instructions_root_of(const struct instructions *in, struct sv real)
{
	for (size_t i = 0; i < in->roots.n; i++)
		if (path_is_inside(real, sv_cstr(in->roots.at[i])))
			return in->roots.at[i];
	return NULL;
}

/* Returns whether the user or the administrator wrote the files of this scope. */
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

/* Returns whether anybody on this machine could have put the file there: /tmp/AGENTS.md. The user
 * chose the working directories, so their files count. */
static bool is_anybodys(const struct instructions *in, const struct source *s)
{
	struct fs_info info;
	struct err err;

	return !instructions_is_trusted(s->scope) &&
	       !instructions_root_of(in, sv_cstr(s->folder)) &&
	       fs_info(&info, s->folder, true, &err) && (info.mode & 0002);
}

/* Returns the path that an import means; NULL: it is below a home that does not exist. */
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

/* Returns whether the whole text is one import: "@AGENTS.md". */
static bool is_pointer(struct sv text)
{
	struct sv word = sv_trim(text);
	struct sv rest = word, first;

	return sv_starts(word, SV("@")) && sv_cut_line(&rest, &first) && rest.len == 0 &&
	       sv_find_char(word, ' ') == SIZE_MAX && sv_find_char(word, '\t') == SIZE_MAX;
}

/* Returns whether a file for this folder, or for one around it, has the same text. */
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

/* Returns whether the file is one of those whose imports led to it. */
static bool is_loop(const struct source *s)
{
	for (const struct source *by = s->by; by; by = by->by)
		if (strcmp(by->real, s->real) == 0)
			return true;
	return false;
}

/* Returns the text of a rule after its front matter. */
static struct sv instructions_rule_body(struct sv text)
{
	defer(rule_paths_clear) struct rule_paths paths = RULE_PATHS_INIT;
	struct err ignored = ERR_INIT; /* noted when the rule was found */
	struct sv body;

	return rule_paths_read(&paths, text, &body, &ignored) ? body : text;
}

/* Reads a file as the model gets it. Notes what was changed, or why it is skipped. */
static bool instructions_read_text(struct instructions *in, const struct source *s,
				   struct str *text)
{
	defer(str_clear) struct str raw = STR_INIT;
	struct err err;
	size_t unseen;

	if (!fs_read(&raw, s->real, LIMIT_INSTRUCTION_FILE, &err)) {
		instructions_skip(in, s, err.text);
		return false;
	}
	if (sv_find_char(sv_of(&raw), '\0') != SIZE_MAX) {
		instructions_skip(in, s, "it is binary");
		return false;
	}
	if (!utf8_valid(sv_of(&raw), NULL))
		instructions_note(&in->skipped,
				  "%s is not valid UTF-8; invalid bytes appear as U+FFFD.",
				  s->real);
	unseen = visible_text(text, s->is_rule ? instructions_rule_body(sv_of(&raw)) : sv_of(&raw));
	if (unseen)
		instructions_note(&in->skipped,
				  "%s contains invisible characters; %zu were removed.", s->real,
				  unseen);
	return true;
}

/* Adds an instruction. Takes `text`. */
static void instructions_keep(struct instructions *in, const struct source *s, struct str text)
{
	struct instruction *f = xnew(struct instruction);

	f->scope = s->scope;
	f->path = xstrdup(s->by ? s->real : s->path);
	f->imported_by = s->by ? xstrdup(s->by->path) : NULL;
	f->paths = s->paths ? xstrdup(s->paths) : NULL;
	f->text = text;
	in->bytes += text.len;
	vec_push(&in->files, f);
	log_debug("instructions: %s, %zu bytes%s%s", f->path, text.len,
		  f->imported_by ? ", imported by " : "", f->imported_by ? f->imported_by : "");
}

static void instructions_take(struct instructions *in, struct source *s);

static void instructions_follow(struct instructions *in, const struct source *s, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct imports imports = imports_in(text);
	/* A project's file that the user's file imports can import only what a project can. */
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
			instructions_note(&in->skipped, "%s: skipped imports after the first %d.",
					  s->path, LIMIT_INSTRUCTION_IMPORTS);
			return;
		}
		instructions_take(in, &import);
	}
}

/* Notes an import of a missing file. A single word is not an import: "@param", "@everyone". */
static void instructions_miss(struct instructions *in, const struct source *s)
{
	if (sv_find_char(s->written, '/') != SIZE_MAX || sv_find_char(s->written, '.') != SIZE_MAX)
		instructions_skip(in, s, "there is no such file");
}

/* Returns why a file must not be read; NULL: it may. */
static const char *instructions_what_denies(const struct instructions *in, const struct source *s)
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

/* Returns whether the settings exclude a file, by the path it was found at or by its real path. */
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

/* Adds a file and the files it imports, or notes why not. */
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
	why = is_loop(s) ? "it is part of an import loop" : NULL;
	if (!why && map_get(&in->taken, sv_cstr(real)))
		return;
	why = why ? why : instructions_what_denies(in, s);
	if (why) {
		instructions_skip(in, s, why);
		return;
	}
	map_put(&in->taken, sv_cstr(real), in);
	if (!instructions_read_text(in, s, &text))
		return;
	if (text.len > LIMIT_INSTRUCTIONS - in->bytes) {
		instructions_skip(in, s, "all instructions together are too long");
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

/* --- names ---------------------------------------------------------------------- */

static bool has_file(struct sv folder, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, folder, sv_cstr(name));
	return fs_exists(str_c(&path));
}

/* Returns the source of settings that decides about files of a scope. */
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

/* Returns why the settings exclude files of this name in the folder; NULL: they do not. */
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

/* --- .claude/rules ------------------------------------------------------------- */

static void waiting_rule_free(struct waiting_rule *rule)
{
	free(rule->path);
	free(rule->folder);
	rule_paths_clear(&rule->paths);
	free(rule);
}

/* Reads the front matter of a rule. An invalid one is noted, and the rule is for every file. */
static void instructions_read_paths(struct instructions *in, const struct source *s,
				    struct rule_paths *out)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct sv body;

	if (!fs_read(&text, s->path, LIMIT_INSTRUCTION_FILE, &err))
		return; /* instructions_take() notes it */
	if (!rule_paths_read(out, sv_of(&text), &body, &err))
		instructions_note(&in->skipped, "%s: ignoring its front matter: %s.", s->path,
				  err.text);
}

/* Takes a rule, or lets it wait for a file that matches. `matched`: its paths, which a file
 * matches; NULL: not known yet. */
static void instructions_take_rule(struct instructions *in, enum instruction_scope scope,
				   const char *path, const char *folder, const char *matched)
{
	struct source s = {
		.scope = scope, .path = path, .folder = folder, .is_rule = true, .paths = matched
	};
	struct rule_paths paths = RULE_PATHS_INIT;
	struct waiting_rule *rule;
	const char *why = instructions_why_unwanted(in, &s, sv_cstr(folder), "CLAUDE.md");

	if (why) {
		instructions_note_source(&in->unwanted, &s, why);
		return;
	}
	if (!matched)
		instructions_read_paths(in, &s, &paths);
	if (!paths.is_limited || in->waiting.n >= LIMIT_INSTRUCTION_FILES) {
		rule_paths_clear(&paths);
		instructions_take(in, &s);
		return;
	}
	rule = xnew(struct waiting_rule);
	*rule = (struct waiting_rule){
		.scope = scope, .path = xstrdup(path), .folder = xstrdup(folder), .paths = paths
	};
	vec_push(&in->waiting, rule);
}

struct rule_walk {
	struct instructions *in;
	enum instruction_scope scope;
	const char *dir, *folder;
	size_t left; /* entries that may still be visited */
};

static enum fs_visit instructions_visit_rule(void *arg, const struct fs_entry *entry)
{
	struct rule_walk *walk = arg;
	defer(str_clear) struct str path = STR_INIT;

	if (!walk->left--)
		return FS_STOP;
	if (entry->kind == FS_DIR || !sv_ends(entry->name, SV(".md")))
		return FS_GO_ON;
	fs_join(&path, sv_cstr(walk->dir), entry->path);
	instructions_take_rule(walk->in, walk->scope, str_c(&path), walk->folder, NULL);
	return FS_GO_ON;
}

/* Takes the rules in `dir` and its sub-folders. Their paths start from `folder`. */
static void instructions_take_rules(struct instructions *in, enum instruction_scope scope,
				    const char *dir, const char *folder)
{
	enum { ENTRIES = 2000 };
	struct rule_walk walk = {
		.in = in, .scope = scope, .dir = dir, .folder = folder, .left = ENTRIES
	};
	struct err ignored = ERR_INIT;

	(void)!fs_walk(dir, instructions_visit_rule, &walk, &ignored);
}

/* Takes the rules of a folder. */
static void instructions_take_folder_rules(struct instructions *in, enum instruction_scope scope,
					   struct sv folder)
{
	defer(mem_freep) char *base = sv_dup(folder);
	defer(str_clear) struct str dir = STR_INIT;
	defer(mem_freep) char *real = NULL;

	fs_join(&dir, folder, SV(".claude/rules"));
	real = instructions_real_path(str_c(&dir));
	if (real && !map_put(&in->folders, sv_cstr(real), in)) /* those of a home are the user's */
		instructions_take_rules(in, scope, str_c(&dir), base);
}

/* Takes the rules that wait for this real path. */
static void instructions_match_rules(struct instructions *in, struct sv real)
{
	for (size_t i = 0; i < in->waiting.n; i++) {
		struct waiting_rule *rule = in->waiting.at[i];
		struct sv folder = sv_cstr(rule->folder);

		if (rule->is_taken || !path_is_inside(real, folder) || real.len <= folder.len ||
		    !rule_paths_match(&rule->paths, sv_skip(real, folder.len + (folder.len > 1))))
			continue;
		rule->is_taken = true;
		instructions_take_rule(
			in, instructions_is_trusted(rule->scope) ? rule->scope : INSTRUCTION_NESTED,
			rule->path, rule->folder, str_c(&rule->paths.written));
	}
}

/* --- folders ------------------------------------------------------------------- */

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
	instructions_take_folder_rules(in, scope, folder);
}

/* Takes the files of `top` and of every folder from there down to `dir`. Both are real. */
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

/* Adds the text of "claudeMd", which only the policy can set. */
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
	instructions_skip(in, &s, "it is too long");
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
		instructions_note(&in->skipped, "Skipped the policy's instructions: %s.", err.text);
}

static void instructions_read_rules(struct instructions *in, const struct instructions_opts *opts)
{
	defer(str_clear) struct str bad = STR_INIT;
	struct sv rest, line;

	instruction_rules_read(&in->rules, opts->settings, opts->home, &bad);
	rest = sv_of(&bad);
	while (sv_cut_line(&rest, &line))
		instructions_note(&in->skipped, "%.*s", SV_ARG(line));
	in->off = opts->off;
}

/* Takes the user's own instructions. The paths of the user's rules start from the working
 * directory. */
static void instructions_take_users(struct instructions *in, const char *config_dir)
{
	defer(str_clear) struct str dir = STR_INIT;
	defer(mem_freep) char *real = NULL;

	instructions_take_named(in, INSTRUCTION_USER, sv_cstr(config_dir), "CLAUDE.md");
	fs_join(&dir, sv_cstr(config_dir), SV("rules"));
	real = instructions_real_path(str_c(&dir));
	if (real && in->roots.n && !map_put(&in->folders, sv_cstr(real), in))
		instructions_take_rules(in, INSTRUCTION_USER, str_c(&dir), in->roots.at[0]);
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
		instructions_take_users(in, opts->config_dir);
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
		free(f->paths);
		str_clear(&f->text);
		free(f);
	}
	vec_clear(&in->files);
	for (size_t i = 0; i < in->roots.n; i++)
		free(in->roots.at[i]);
	vec_clear(&in->roots);
	for (size_t i = 0; i < in->waiting.n; i++)
		waiting_rule_free(in->waiting.at[i]);
	vec_clear(&in->waiting);
	free(in->config);
	free(in->home);
	map_clear(&in->taken);
	map_clear(&in->folders);
	instruction_rules_clear(&in->rules);
	str_clear(&in->skipped.text);
	str_clear(&in->unwanted.text);
	free(in);
}

void instructions_freep(struct instructions **in)
{
	instructions_free(*in);
	*in = NULL;
}

/* Returns the real path of the deepest existing folder on the way to `path`, and sets the rest
 * of the path after it: "/name", or empty. */
static char *instructions_real_folder(struct sv path, struct sv *rest)
{
	struct sv whole = path;
	struct fs_info info;
	struct err err;

	while (path.len > 0) {
		defer(mem_freep) char *at = sv_dup(path);

		*rest = sv_skip(whole, path.len);
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
	struct sv rest = SV_EMPTY;
	defer(mem_freep) char *folder =
		path.len <= LIMIT_PATH ? instructions_real_folder(path, &rest) : NULL;
	const char *root = folder ? instructions_root_of(in, sv_cstr(folder)) : NULL;
	defer(str_clear) struct str real = STR_INIT;
	size_t before = in->files.n;

	if (!root)
		return 0;
	instructions_look_down(in, sv_cstr(root), sv_cstr(folder), INSTRUCTION_NESTED);
	str_addf(&real, "%s%.*s", folder, SV_ARG(rest));
	if (rest.len)
		instructions_match_rules(in, sv_of(&real));
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
	return sv_of(&in->skipped.text);
}

struct sv instructions_unwanted(const struct instructions *in)
{
	return sv_of(&in->unwanted.text);
}
