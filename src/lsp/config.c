#include "lsp/config.h"

#include <unistd.h>

#include "base/limits.h"
#include "lsp/format.h"
#include "sys/fs.h"

enum { MAX_WORDS = 64 };

struct sv lsp_extension(struct sv path)
{
	struct sv name = sv_basename(path);
	size_t dot = sv_rfind_char(name, '.');

	return dot == SIZE_MAX || !dot ? SV_EMPTY : sv_skip(name, dot);
}

struct sv lsp_config_language(const struct lsp_config *config, struct sv extension)
{
	for (size_t i = 0; i < config->nlanguages; i++)
		if (sv_eq_nocase(config->languages[i].extension, extension))
			return config->languages[i].id;
	return SV_EMPTY;
}

/* --- settings ------------------------------------------------------------------------------------ */

/* Where texts go, and what they may name. */
struct config_reader {
	struct arena *arena;
	const struct lsp_words *words;
};

static const char *config_read_text(const struct config_reader *r, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;

	if (!r->words)
		return arena_dup(r->arena, text).ptr;
	r->words->expand(r->words->arg, &out, text);
	return arena_dup(r->arena, sv_of(&out)).ptr;
}

static bool config_read_args(struct lsp_config *out, struct json list,
			     const struct config_reader *r)
{
	const char **args = arena_calloc(r->arena, MAX_WORDS + 1, sizeof(*args));
	struct json_iter it = json_each(list);
	struct json item;
	size_t n = 0;

	while (json_next(&it, NULL, &item)) {
		struct sv text = json_str_or(item, SV_EMPTY);

		if (n == MAX_WORDS || !text.ptr)
			return false;
		args[n++] = config_read_text(r, text);
	}
	out->run.args = args;
	return true;
}

static bool config_read_env(struct lsp_config *out, struct json map, const struct config_reader *r)
{
	struct mcp_pair *pairs = arena_calloc(r->arena, MAX_WORDS, sizeof(*pairs));
	struct json_iter it = json_each(map);
	struct json value;
	struct sv name;
	size_t n = 0;

	while (json_next(&it, &name, &value)) {
		struct sv text = json_str_or(value, SV_EMPTY);

		if (n == MAX_WORDS || !text.ptr || sv_find_char(name, '=') != SIZE_MAX)
			return false;
		pairs[n++] = (struct mcp_pair){ .name = arena_dup(r->arena, name).ptr,
						.value = config_read_text(r, text) };
	}
	out->run.env = pairs;
	out->run.nenv = n;
	return true;
}

static bool config_read_languages(struct lsp_config *out, struct json map, struct arena *arena)
{
	struct lsp_language *list = arena_calloc(arena, MAX_WORDS, sizeof(*list));
	struct json_iter it = json_each(map);
	struct json value;
	struct sv extension;

	while (json_next(&it, &extension, &value)) {
		struct sv id = json_str_or(value, SV_EMPTY);

		if (out->nlanguages == MAX_WORDS || !id.len || !sv_starts(extension, SV(".")))
			return false;
		list[out->nlanguages++] =
			(struct lsp_language){ arena_dup(arena, extension), arena_dup(arena, id) };
	}
	out->languages = list;
	return out->nlanguages > 0;
}

static struct sv config_copy_json(struct json value, struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!json_exists(value))
		return SV_EMPTY;
	lsp_write_json(&text, value);
	return arena_dup(arena, sv_of(&text));
}

/* When it counts as failed, and how often it may. */
static void config_read_starts(struct lsp_config *out, struct json entry)
{
	int64_t ms = json_int_or(json_get(entry, "startupTimeout"), 0);
	int64_t restarts = json_int_or(json_get(entry, "maxRestarts"), -1);

	if (ms > 0)
		out->start_ms = min_of(ms, (int64_t)LIMIT_LSP_START_MS);
	if (!json_bool_or(json_get(entry, "restartOnCrash"), true))
		restarts = 0;
	if (restarts >= 0)
		out->max_starts = (int)min_of(restarts, (int64_t)LIMIT_LSP_RESTARTS) + 1;
}

bool lsp_config_read(struct lsp_config *out, struct sv name, struct json entry,
		     const struct lsp_words *words, struct arena *arena, struct err *err)
{
	const struct config_reader r = { arena, words };
	struct sv command = json_str_or(json_get(entry, "command"), SV_EMPTY);
	struct sv folder = json_str_or(json_get(entry, "workspaceFolder"), SV_EMPTY);
	struct lsp_config made = { .run = { .name = arena_dup(arena, name).ptr,
					    .command = config_read_text(&r, command) } };

	if (!command.len)
		return err_set(err, ERR_INVALID, "the language server %.*s has no command",
			       SV_ARG(name));
	if (!config_read_args(&made, json_get(entry, "args"), &r) ||
	    !config_read_env(&made, json_get(entry, "env"), &r) ||
	    !config_read_languages(&made, json_get(entry, "extensionToLanguage"), arena))
		return err_set(
			err, ERR_INVALID,
			"the language server %.*s has invalid args, env or extensionToLanguage",
			SV_ARG(name));
	made.skips_edits = !json_bool_or(json_get(entry, "diagnostics"), true);
	if (folder.len)
		made.folder = config_read_text(&r, folder);
	config_read_starts(&made, entry);
	made.options = config_copy_json(json_get(entry, "initializationOptions"), arena);
	made.settings = config_copy_json(json_get(entry, "settings"), arena);
	*out = made;
	return true;
}

/* --- well-known servers ---------------------------------------------------------------------------- */

static const struct lsp_language c_languages[] = {
	{ SV_INIT(".c"), SV_INIT("c") },     { SV_INIT(".h"), SV_INIT("c") },
	{ SV_INIT(".cc"), SV_INIT("cpp") },  { SV_INIT(".cpp"), SV_INIT("cpp") },
	{ SV_INIT(".cxx"), SV_INIT("cpp") }, { SV_INIT(".hpp"), SV_INIT("cpp") },
	{ SV_INIT(".hh"), SV_INIT("cpp") },
};
static const struct lsp_language go_languages[] = { { SV_INIT(".go"), SV_INIT("go") } };
static const struct lsp_language rust_languages[] = { { SV_INIT(".rs"), SV_INIT("rust") } };
static const struct lsp_language python_languages[] = { { SV_INIT(".py"), SV_INIT("python") },
							{ SV_INIT(".pyi"), SV_INIT("python") } };
static const struct lsp_language script_languages[] = {
	{ SV_INIT(".ts"), SV_INIT("typescript") },  { SV_INIT(".tsx"), SV_INIT("typescriptreact") },
	{ SV_INIT(".js"), SV_INIT("javascript") },  { SV_INIT(".jsx"), SV_INIT("javascriptreact") },
	{ SV_INIT(".mjs"), SV_INIT("javascript") }, { SV_INIT(".cjs"), SV_INIT("javascript") },
};

static const char *const no_args[] = { NULL };
static const char *const stdio_args[] = { "--stdio", NULL };

static const struct lsp_config known[] = {
	{ .run = { .name = "clangd", .command = "clangd", .args = no_args },
	  .languages = c_languages,
	  .nlanguages = countof(c_languages) },
	{ .run = { .name = "gopls", .command = "gopls", .args = no_args },
	  .languages = go_languages,
	  .nlanguages = countof(go_languages),
	  .runs_project = true },
	{ .run = { .name = "rust-analyzer", .command = "rust-analyzer", .args = no_args },
	  .languages = rust_languages,
	  .nlanguages = countof(rust_languages),
	  .runs_project = true },
	{ .run = { .name = "pyright", .command = "pyright-langserver", .args = stdio_args },
	  .languages = python_languages,
	  .nlanguages = countof(python_languages),
	  .runs_project = true },
	{ .run = { .name = "typescript",
		   .command = "typescript-language-server",
		   .args = stdio_args },
	  .languages = script_languages,
	  .nlanguages = countof(script_languages),
	  .runs_project = true },
};

static struct sv config_search_path(const char *const *env)
{
	static const struct sv name = SV_INIT("PATH=");

	for (; env && *env; env++)
		if (sv_starts(sv_cstr(*env), name))
			return sv_skip(sv_cstr(*env), name.len);
	return SV_EMPTY;
}

static bool config_is_below(struct sv path, struct sv dir)
{
	return sv_starts(path, dir) && (path.len == dir.len || path.ptr[dir.len] == '/');
}

/* The program as an absolute path; NULL: there is none. */
static const char *config_find_program(const char *name, const char *const *env, struct sv root,
				       struct arena *arena)
{
	struct sv rest = config_search_path(env), dir;

	while (rest.len && sv_cut(&rest, ':', &dir)) {
		const char *path = arena_printf(arena, "%.*s/%s", SV_ARG(dir), name).ptr;
		defer(str_clear) struct str real = STR_INIT;
		struct err ignored = ERR_INIT;

		if (sv_starts(dir, SV("/")) && access(path, X_OK) == 0 &&
		    fs_realpath(&real, path, &ignored) && !config_is_below(sv_of(&real), root) &&
		    !config_is_below(dir, root))
			return path;
	}
	return NULL;
}

bool lsp_config_find(struct lsp_config *out, struct sv extension, const char *const *env,
		     struct sv root, struct arena *arena)
{
	for (size_t i = 0; i < countof(known); i++) {
		const char *program;

		if (!lsp_config_language(&known[i], extension).len)
			continue;
		program = config_find_program(known[i].run.command, env, root, arena);
		if (!program)
			return false;
		*out = known[i];
		out->run.command = program;
		return true;
	}
	return false;
}
