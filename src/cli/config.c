/* awl config: show the settings and where they come from, and change them. */
#include "cli/config.h"
#include "cli/places.h"
#include "front/words.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "text/nearest.h"

static void config_clear(struct config *c)
{
	str_clear(&c->config_dir);
	str_clear(&c->global);
	str_clear(&c->cwd);
	project_clear(&c->project);
}

/* --- where we are ------------------------------------------------------------------------- */

static bool config_look_around(struct config *c, struct err *err)
{
	bool has_config = find_config_dir(&c->config_dir);

	if (!fs_cwd(&c->cwd, err))
		return false;
	project_look(&c->project, has_config ? c->config_dir.ptr : NULL, c->cwd.ptr, NULL);
	if (find_global_file(&c->global))
		c->project.files.global_file = c->global.ptr;
	c->project.files.flag = args_value(c->args, "settings");
	c->project.files.sources = args_value(c->args, "setting-sources");
	return true;
}

static bool config_read_scope(struct config *c, struct err *err)
{
	const char *scope = args_value(c->args, "scope");

	c->scope = SETTINGS_USER;
	if (!scope || sv_is(sv_cstr(scope), "user"))
		return true;
	c->scope = sv_is(sv_cstr(scope), "project") ? SETTINGS_PROJECT : SETTINGS_LOCAL;
	return c->scope == SETTINGS_PROJECT || sv_is(sv_cstr(scope), "local") ||
	       err_set(err, ERR_INVALID, "--scope must be 'user', 'project' or 'local', not '%s'",
		       scope);
}

static void config_find_key(struct config *c)
{
	size_t used = 0;

	c->steps = (struct json_steps){ c->at, setting_steps(sv_cstr(c->key), c->at) };
	c->row = setting_of(c->steps, &used);
	if (c->row && used < c->steps.n && !(c->row->type & SETTING_MAP))
		c->row = NULL;
	c->is_inside = c->row && used < c->steps.n;
	if (c->row && c->row->from == SETTING_FROM_GLOBAL && !args_value(c->args, "scope"))
		c->scope = SETTINGS_GLOBAL;
}

enum exit_code config_unknown_key(const struct config *c)
{
	struct sv near = setting_nearest(sv_cstr(c->key));

	if (near.len)
		return failure("unknown setting '%s'; did you mean '%.*s'?", c->key, SV_ARG(near));
	return failure("unknown setting '%s'; 'awl config docs' lists them all", c->key);
}

/* Load the settings, and report mistakes in the files beside the requested output. */
static struct settings *config_load(const struct config *c)
{
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct settings *settings = settings_load(&c->project.files, &notes, &err);
	defer(str_clear) struct str ignored = STR_INIT;
	struct sv rest = sv_of(&notes), line;

	if (!settings)
		failure("%s", err.text);
	else
		project_ignored(&c->project, settings, &ignored);
	while (sv_cut_line(&rest, &line))
		complain("%.*s", SV_ARG(line));
	rest = sv_of(&ignored);
	while (sv_cut_line(&rest, &line))
		complain("ignored until you trust this project: %.*s", SV_ARG(line));
	return settings;
}

/* --- reading ------------------------------------------------------------------------------ */

static void config_add_json(struct str *out, struct json value)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
}

/* Append one line for every value that has a row in the table, at any depth. */
static void config_list_object(struct str *out, const struct settings *s, struct str *path,
			       struct json object)
{
	struct json_iter it = json_each(object);
	size_t length = path->len;
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value)) {
		const struct setting *row;

		if (length)
			str_addc(path, '.');
		str_add(path, key);
		row = setting_find(sv_of(path));
		if (row && row->type & SETTING_OBJECT && json_is(value, JSON_OBJECT)) {
			config_list_object(out, s, path, value);
		} else {
			str_addf(out, "%s = ", str_c(path));
			config_add_json(out, value);
			str_adds(out, "  # ");
			settings_locate(s, str_c(path), out);
			str_adds(out, row && !setting_has_effect(row)
					      ? "; accepted, no effect yet\n"
					      : "\n");
		}
		str_truncate(path, length);
	}
}

static enum exit_code config_run_list(struct config *c)
{
	defer(settings_freep) struct settings *s = config_load(c);
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str page = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;

	if (!s)
		return EXIT_FAILED;
	if (args_has(c->args, "json")) {
		settings_write_json(s, &page);
		str_addc(&page, '\n');
		return output(sv_of(&page));
	}
	config_list_object(&page, s, &path, settings_get(s, ""));
	words_add(&shown, sv_of(&page));
	return output(sv_of(&shown));
}

/* Print the text unchanged to a program; escape control characters for a terminal. */
static enum exit_code config_print(struct sv text)
{
	defer(str_clear) struct str shown = STR_INIT;

	if (!isatty(STDOUT_FILENO))
		return output(text);
	words_add(&shown, text);
	return output(sv_of(&shown));
}

static enum exit_code config_print_value(struct json value)
{
	defer(str_clear) struct str text = STR_INIT;

	if (json_is(value, JSON_STRING))
		str_add(&text, json_str_or(value, SV_EMPTY));
	else
		config_add_json(&text, value);
	str_addc(&text, '\n');
	return config_print(sv_of(&text));
}

static enum exit_code config_run_get(struct config *c)
{
	defer(settings_freep) struct settings *s = config_load(c);
	defer(json_doc_freep) struct json_doc *fallback = NULL;
	struct err ignored = ERR_INIT;
	struct json value;

	if (!s)
		return EXIT_FAILED;
	value = settings_get(s, c->key);
	if (!json_exists(value) && !c->row)
		return config_unknown_key(c);
	if (!json_exists(value) && !c->is_inside && c->row->fallback) {
		fallback = json_parse(sv_cstr(c->row->fallback), 0, &ignored);
		value = json_root(fallback);
	}
	return json_exists(value) ? config_print_value(value) : failure("%s is not set", c->key);
}

static enum exit_code config_run_check(struct config *c)
{
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *s = settings_load(&c->project.files, &notes, &err);
	defer(str_clear) struct str shown = STR_INIT;

	if (!s)
		str_addf(&notes, "%s\n", err.text);
	words_add(&shown, sv_of(&notes));
	if (output(sv_of(&shown)) != EXIT_OK || notes.len)
		return EXIT_FAILED;
	return EXIT_OK;
}

static enum exit_code config_run_path(struct config *c)
{
	static const char *const names[] = { "global", "user", "project", "local" };
	defer(str_clear) struct str page = STR_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < countof(names); i++) {
		defer(str_clear) struct str path = STR_INIT;

		if (!settings_path(&c->project.files, (enum settings_source)i, &path, &err))
			continue;
		str_addf(&page, "%-8s %s%s\n", names[i], str_c(&path),
			 fs_exists(str_c(&path)) ? "" : " (does not exist)");
	}
	return config_print(sv_of(&page));
}

static enum exit_code config_run_docs(__attribute__((unused)) struct config *c)
{
	defer(str_clear) struct str page = STR_INIT;

	settings_docs(&page);
	return output(sv_of(&page));
}

/* --- which of them ---------------------------------------------------------------------------- */

const struct action config_actions[] = {
	{ "list", NULL, "List the effective settings and where each comes from", config_run_list },
	{ "get", "<key>", "Print one value, or its default", config_run_get },
	{ "set", "<key> <value>", "Set a value in a file (see --scope)", config_set },
	{ "unset", "<key>", "Remove a key from a file", config_unset },
	{ "add", "<key> <value>", "Add a value to a list", config_add },
	{ "remove", "<key> <value>", "Remove a value from a list", config_remove },
	{ "allow", "<rule>",
	  "Allow matching calls in this project; 'Bash(npm test)' matches that command, 'Bash(npm "
	  "run:*)' every command that begins with 'npm run'",
	  config_add },
	{ "ask", "<rule>", "Always ask about matching calls in this project", config_add },
	{ "deny", "<rule>", "Always deny matching calls in this project", config_add },
	{ "check", NULL, "Report mistakes in the settings files", config_run_check },
	{ "path", NULL, "Print the paths of the settings files", config_run_path },
	{ "docs", NULL, "Print a page about all settings", config_run_docs },
	{ NULL, NULL, NULL, NULL },
};

/* A user may have typed just a key; if so, the error suggests 'get'. */
static const struct action *config_find_action(const char *name, struct err *err)
{
	struct nearest best = NEAREST_INIT;

	for (const struct action *a = config_actions; a->name; a++) {
		nearest_offer(&best, sv_cstr(name), sv_cstr(a->name));
		if (sv_is(sv_cstr(name), a->name))
			return a;
	}
	if (setting_find(sv_cstr(name)))
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

/* The actions allow, ask and deny stand for the key of the same name. */
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

static void config_take_words(struct config *c)
{
	c->key = config_rule_key(c->action);
	c->value = config_word(c, c->key ? 1 : 2);
	if (c->key && !args_value(c->args, "scope"))
		c->scope = SETTINGS_LOCAL;
	if (!c->key)
		c->key = config_word(c, 1);
	if (c->key)
		config_find_key(c);
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
	return config_look_around(&c, &err) ? c.action->run(&c) : failure("%s", err.text);
}
