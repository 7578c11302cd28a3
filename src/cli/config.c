/* awl config: shows and changes settings, with the functions of awl.h. */
#include <awl.h>
#include <unistd.h>

#include "base/secret_mask.h"
#include "cli/output.h"
#include "front/display.h"
#include "sys/fs.h"
#include "text/json/json.h"
#include "text/nearest.h"

struct config {
	const struct args *args;
	const struct action *action;
	struct awl_project *project;
	enum awl_scope scope;    /* the file to change */
	const char *key, *value; /* NULL: none */
};

static void config_clear(struct config *c)
{
	awl_project_close(c->project);
}

static bool config_open(struct config *c)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;

	options.settings = args_value(c->args, "settings");
	options.setting_sources = args_value(c->args, "setting-sources");
	return awl_project_open(&c->project, &options) == AWL_OK;
}

static bool config_read_scope(struct config *c, struct err *err)
{
	static const struct {
		const char *name;
		enum awl_scope scope;
	} scopes[] = { { "user", AWL_SCOPE_USER },
		       { "project", AWL_SCOPE_PROJECT },
		       { "local", AWL_SCOPE_LOCAL } };
	const char *scope = args_value(c->args, "scope");

	c->scope = AWL_SCOPE_DEFAULT;
	if (!scope)
		return true;
	for (size_t i = 0; i < countof(scopes); i++) {
		if (sv_is(sv_cstr(scope), scopes[i].name)) {
			c->scope = scopes[i].scope;
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "--scope must be 'user', 'project' or 'local', not '%s'",
		       scope);
}

/* --- output --------------------------------------------------------------------------------- */

/* End a command: shows what the call noticed, and why it failed if it did. */
static enum exit_code config_end(const struct config *c, enum awl_result result)
{
	struct sv rest = sv_cstr(awl_project_notes(c->project)), line;

	if (result != AWL_OK)
		failure("%s", awl_last_error());
	while (sv_cut_line(&rest, &line))
		complain("%.*s", SV_ARG(line));
	return result == AWL_OK ? EXIT_OK : EXIT_FAILED;
}

/* Write text as it is to a program, and defused to a terminal. */
static enum exit_code config_print(struct sv text)
{
	defer(str_clear) struct str shown = STR_INIT;

	if (!isatty(STDOUT_FILENO))
		return output(text);
	display_text(&shown, text);
	return output(sv_of(&shown));
}

static enum exit_code config_print_json(const char *json)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s\n", json);
	return output(sv_of(&text));
}

/* Print a value: a string without its quotes, anything else as JSON. */
static enum exit_code config_print_value(const char *json)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &ignored);
	defer(str_clear) struct str text = STR_INIT;

	str_add(&text, json_str_or(json_root(doc), sv_cstr(json)));
	str_addc(&text, '\n');
	return config_print(sv_of(&text));
}

/* --- reading -------------------------------------------------------------------------------- */

static enum exit_code config_run_list(struct config *c)
{
	const struct awl_config_entry *entries;
	defer(str_clear) struct str page = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;
	enum awl_result result;
	const char *json;
	size_t n;

	if (args_has(c->args, "json")) {
		result = awl_config_json(c->project, &json);
		return config_end(c, result) == EXIT_OK ? config_print_json(json) : EXIT_FAILED;
	}
	result = awl_config_list(c->project, &entries, &n);
	if (config_end(c, result) != EXIT_OK)
		return EXIT_FAILED;
	for (size_t i = 0; i < n; i++)
		str_addf(&page, "%s = %s  # %s; %s\n", entries[i].key, entries[i].json,
			 entries[i].where, awl_applies_text(entries[i].applies));
	display_text(&shown, sv_of(&page));
	return output(sv_of(&shown));
}

static enum exit_code config_run_get(struct config *c)
{
	const char *json;
	enum awl_result result = awl_config_get(c->project, c->key, &json);

	return config_end(c, result) == EXIT_OK ? config_print_value(json) : EXIT_FAILED;
}

static enum exit_code config_run_check(struct config *c)
{
	enum awl_result result = awl_config_check(c->project);
	defer(str_clear) struct str masked = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;

	secret_mask(&masked, sv_cstr(awl_project_notes(c->project)));
	display_text(&shown, sv_of(&masked));
	if (result == AWL_OK)
		str_adds(&shown, "The settings files have no mistakes.\n");
	if (output(sv_of(&shown)) != EXIT_OK || result != AWL_OK)
		return EXIT_FAILED;
	return EXIT_OK;
}

static enum exit_code config_run_path(struct config *c)
{
	static const struct {
		const char *name;
		enum awl_scope scope;
	} files[] = { { "global", AWL_SCOPE_GLOBAL },
		      { "user", AWL_SCOPE_USER },
		      { "project", AWL_SCOPE_PROJECT },
		      { "local", AWL_SCOPE_LOCAL } };
	defer(str_clear) struct str page = STR_INIT;

	for (size_t i = 0; i < countof(files); i++) {
		const char *path = awl_config_path(c->project, files[i].scope, NULL);

		if (path)
			str_addf(&page, "%-8s %s%s\n", files[i].name, path,
				 fs_exists(path) ? "" : " (does not exist)");
	}
	return config_print(sv_of(&page));
}

static enum exit_code config_run_docs(struct config *c)
{
	return output(sv_cstr(awl_config_docs(c->project)));
}

/* --- changing ------------------------------------------------------------------------------- */

/* End a change: says which file it is in now, and what that file has. */
static enum exit_code config_end_change(const struct config *c, enum awl_result result,
					const char *has, const char *value)
{
	defer(str_clear) struct str text = STR_INIT;
	const char *file;

	if (config_end(c, result) != EXIT_OK)
		return EXIT_FAILED;
	file = awl_config_path(c->project, c->scope, c->key);
	str_addf(&text, "%s: %s %s%s\n", file ? file : "?", c->key, has, value);
	return config_print(sv_of(&text));
}

static enum exit_code config_run_set(struct config *c)
{
	return config_end_change(c, awl_config_set(c->project, c->scope, c->key, c->value), "= ",
				 c->value);
}

static enum exit_code config_run_unset(struct config *c)
{
	return config_end_change(c, awl_config_unset(c->project, c->scope, c->key), "is not set",
				 "");
}

static enum exit_code config_run_add(struct config *c)
{
	return config_end_change(c, awl_config_add(c->project, c->scope, c->key, c->value),
				 "contains ", c->value);
}

static enum exit_code config_run_remove(struct config *c)
{
	return config_end_change(c, awl_config_remove(c->project, c->scope, c->key, c->value),
				 "does not contain ", c->value);
}

/* --- the actions ---------------------------------------------------------------------------- */

const struct action config_actions[] = {
	{ "list", NULL, "List the effective settings and where each comes from", config_run_list },
	{ "get", "<key>", "Print one value, or its default", config_run_get },
	{ "set", "<key> <value>", "Set a value in a file (see --scope)", config_run_set },
	{ "unset", "<key>", "Remove a key from a file", config_run_unset },
	{ "add", "<key> <value>", "Add a value to a list", config_run_add },
	{ "remove", "<key> <value>", "Remove a value from a list", config_run_remove },
	{ "allow", "<rule>",
	  "Allow matching calls in this project; 'Bash(npm test)' matches that command, 'Bash(npm "
	  "run:*)' every command that begins with 'npm run'",
	  config_run_add },
	{ "ask", "<rule>", "Always ask about matching calls in this project", config_run_add },
	{ "deny", "<rule>", "Always deny matching calls in this project", config_run_add },
	{ "check", NULL, "Report mistakes in the settings files", config_run_check },
	{ "path", NULL, "Print the paths of the settings files", config_run_path },
	{ "docs", NULL, "Print a page about all settings", config_run_docs },
	{ .name = "" },
};

/* Find an action. A user may have written a key, expecting that to be enough. */
static const struct action *config_find_action(const char *name, struct err *err)
{
	struct nearest best = NEAREST_INIT;

	for (const struct action *a = config_actions; a->name[0]; a++) {
		nearest_offer(&best, sv_cstr(name), sv_cstr(a->name));
		if (sv_is(sv_cstr(name), a->name))
			return a;
	}
	if (awl_config_is_key(name))
		err_set(err, ERR_INVALID, "did you mean 'awl config get %s'?", name);
	else if (best.word.len)
		err_set(err, ERR_INVALID, "unknown action '%s'; did you mean '%.*s'?", name,
			SV_ARG(best.word));
	else
		err_set(err, ERR_INVALID, "unknown action '%s'; 'awl help config' lists them",
			name);
	return NULL;
}

static size_t config_count(const char *words, char c)
{
	size_t n = 0;

	for (; words && *words; words++)
		n += *words == c;
	return n;
}

/* Return the key of "allow", "ask" and "deny"; NULL for other actions. */
static const char *config_rule_key(const struct action *action)
{
	static const char *const keys[] = { "permissions.allow", "permissions.ask",
					    "permissions.deny" };

	for (size_t i = 0; i < countof(keys); i++)
		if (sv_is(sv_cstr(action->name), strchr(keys[i], '.') + 1))
			return keys[i];
	return NULL;
}

static const char *config_word(const struct config *c, size_t i)
{
	return i < c->args->words.n ? c->args->words.at[i] : NULL;
}

/* Take key and value. A rule goes to the local file unless --scope names another. */
static void config_take_words(struct config *c)
{
	c->key = config_rule_key(c->action);
	c->value = config_word(c, c->key ? 1 : 2);
	if (c->key && c->scope == AWL_SCOPE_DEFAULT)
		c->scope = AWL_SCOPE_LOCAL;
	if (!c->key)
		c->key = config_word(c, 1);
}

enum exit_code config_run(const struct args *args)
{
	defer(config_clear) struct config c = { .args = args };
	struct err err = ERR_INIT;

	c.action = config_find_action(args->words.n ? args->words.at[0] : "list", &err);
	if (!c.action || !config_read_scope(&c, &err))
		return usage_error("%s", err.text);
	if (max_of(args->words.n, (size_t)1) - 1 != config_count(c.action->words, '<'))
		return usage_error("wrong number of arguments; use 'awl config %s%s%s'",
				   c.action->name, c.action->words ? " " : "",
				   c.action->words ? c.action->words : "");
	config_take_words(&c);
	return config_open(&c) ? c.action->run(&c) : failure("%s", awl_last_error());
}
