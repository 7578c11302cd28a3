/* awl config: what the settings are, where they come from, and changing them. */
#include "cli/output.h"
#include "cli/places.h"
#include "extend/project.h"
#include "front/words.h"
#include "store/settings_keys.h"
#include "sys/fs.h"
#include "text/json_write.h"
#include "text/nearest.h"

struct config {
	const struct args *args;
	struct str config_dir, global, cwd;
	struct project project;
	enum settings_source scope; /* that is written */
	const char *key, *value;    /* the words after the action; NULL: none */
	struct sv at[SETTING_STEPS];
	struct json_steps steps; /* of the key */
	const struct setting *row;
	bool is_inside; /* the key leads into the map that the row is */
};

static void config_clear(struct config *c)
{
	str_clear(&c->config_dir);
	str_clear(&c->global);
	str_clear(&c->cwd);
	project_clear(&c->project);
}

/* --- where we are ------------------------------------------------------------------------- */

static bool look_around(struct config *c, struct err *err)
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

static bool read_scope(struct config *c, struct err *err)
{
	const char *scope = args_value(c->args, "scope");

	c->scope = SETTINGS_USER;
	if (!scope || sv_is(sv_cstr(scope), "user"))
		return true;
	c->scope = sv_is(sv_cstr(scope), "project") ? SETTINGS_PROJECT : SETTINGS_LOCAL;
	return c->scope == SETTINGS_PROJECT || sv_is(sv_cstr(scope), "local") ||
	       err_set(err, ERR_INVALID, "--scope is 'user', 'project' or 'local', not '%s'",
		       scope);
}

static void find_key(struct config *c)
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

static enum exit_code unknown_key(const struct config *c)
{
	struct sv near = setting_nearest(sv_cstr(c->key));

	if (near.len)
		return failure("there is no setting '%s'; did you mean '%.*s'?", c->key,
			       SV_ARG(near));
	return failure("there is no setting '%s'; 'awl config docs' lists them", c->key);
}

/* What is wrong with the files is told once, beside what was asked for. */
static struct settings *load(const struct config *c)
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
		complain("not taken from a project that is not trusted: %.*s", SV_ARG(line));
	return settings;
}

/* --- reading ------------------------------------------------------------------------------ */

static void add_json(struct str *out, struct json value)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
}

/* One line for every value, however deep the table knows it. */
static void list_object(struct str *out, const struct settings *s, struct str *path,
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
			list_object(out, s, path, value);
		} else {
			str_addf(out, "%s = ", str_c(path));
			add_json(out, value);
			str_adds(out, "  # ");
			settings_locate(s, str_c(path), out);
			str_adds(out, row && !setting_has_effect(row)
					      ? "; accepted, no effect yet\n"
					      : "\n");
		}
		str_truncate(path, length);
	}
}

static enum exit_code run_list(struct config *c)
{
	defer(settings_freep) struct settings *s = load(c);
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
	list_object(&page, s, &path, settings_get(s, ""));
	words_add(&shown, sv_of(&page));
	return output(sv_of(&shown));
}

/* To a program as it is; to a terminal what it may show. */
static enum exit_code print(struct sv text)
{
	defer(str_clear) struct str shown = STR_INIT;

	if (!isatty(STDOUT_FILENO))
		return output(text);
	words_add(&shown, text);
	return output(sv_of(&shown));
}

static enum exit_code print_value(struct json value)
{
	defer(str_clear) struct str text = STR_INIT;

	if (json_is(value, JSON_STRING))
		str_add(&text, json_str_or(value, SV_EMPTY));
	else
		add_json(&text, value);
	str_addc(&text, '\n');
	return print(sv_of(&text));
}

static enum exit_code run_get(struct config *c)
{
	defer(settings_freep) struct settings *s = load(c);
	defer(json_doc_freep) struct json_doc *fallback = NULL;
	struct err ignored = ERR_INIT;
	struct json value;

	if (!s)
		return EXIT_FAILED;
	value = settings_get(s, c->key);
	if (!json_exists(value) && !c->row)
		return unknown_key(c);
	if (!json_exists(value) && !c->is_inside && c->row->fallback) {
		fallback = json_parse(sv_cstr(c->row->fallback), 0, &ignored);
		value = json_root(fallback);
	}
	return json_exists(value) ? print_value(value) : failure("%s is not set", c->key);
}

static enum exit_code run_check(struct config *c)
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

static enum exit_code run_path(struct config *c)
{
	static const char *const names[] = { "global", "user", "project", "local" };
	defer(str_clear) struct str page = STR_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < countof(names); i++) {
		defer(str_clear) struct str path = STR_INIT;

		if (!settings_path(&c->project.files, (enum settings_source)i, &path, &err))
			continue;
		str_addf(&page, "%-8s %s%s\n", names[i], str_c(&path),
			 fs_exists(str_c(&path)) ? "" : " (not there)");
	}
	return print(sv_of(&page));
}

static enum exit_code run_docs(__attribute__((unused)) struct config *c)
{
	defer(str_clear) struct str page = STR_INIT;

	settings_docs(&page);
	return output(sv_of(&page));
}

/* --- changing ------------------------------------------------------------------------------ */

static bool is_one_of(unsigned types, struct json value)
{
	switch (json_type(value)) {
	case JSON_BOOL: return types & SETTING_BOOL;
	case JSON_NUMBER: return types & (SETTING_INT | SETTING_NUMBER);
	case JSON_STRING: return types & (SETTING_STRING | SETTING_WORD);
	case JSON_ARRAY: return types & SETTING_LIST;
	case JSON_OBJECT: return types & (SETTING_MAP | SETTING_OBJECT);
	case JSON_MISSING:
	case JSON_NULL: break;
	}
	return false;
}

/* What was typed, as JSON: as it is when it is JSON of a type that is wanted here, else as a
 * string; so are numbers where both would do. */
static void read_value(struct str *out, unsigned types, const char *typed)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(typed), 0, &ignored);
	struct jw w;

	if (types & SETTING_STRING)
		types &= ~(unsigned)(SETTING_BOOL | SETTING_INT | SETTING_NUMBER);
	if (doc &&
	    (!(types & (SETTING_STRING | SETTING_WORD)) || is_one_of(types, json_root(doc)))) {
		str_adds(out, typed);
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_str(&w, sv_cstr(typed)); /* where no string fits, what does is told */
	jw_done(&w);
}

static enum exit_code change(struct config *c, typeof(settings_put) *how, struct sv json)
{
	struct err err = ERR_INIT;

	if (!project_change(&c->project, how, c->scope, c->steps, json, &err))
		return failure("%s", err.text);
	return EXIT_OK;
}

static enum exit_code put(struct config *c, typeof(settings_put) *how, struct sv json)
{
	enum exit_code code = change(c, how, json);

	if (code == EXIT_OK && !setting_has_effect(c->row))
		complain("%s is accepted, but has no effect yet", c->key);
	return code;
}

static enum exit_code run_set(struct config *c)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!c->row)
		return unknown_key(c);
	read_value(&json, c->is_inside ? c->row->type >> SETTING_TYPES : c->row->type & 0xff,
		   c->value);
	return put(c, settings_put, sv_of(&json));
}

static enum exit_code run_add(struct config *c)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!c->row)
		return unknown_key(c);
	if (c->is_inside || !(c->row->type & SETTING_LIST))
		return failure("%s is no list; 'awl config set' sets it", c->key);
	read_value(&json, c->row->type >> SETTING_TYPES, c->value);
	return put(c, settings_add_item, sv_of(&json));
}

/* Whatever is in a file can be removed, known or not. */
static enum exit_code run_remove(struct config *c)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!c->value)
		return change(c, settings_put, SV_EMPTY);
	read_value(&json, c->row ? c->row->type >> SETTING_TYPES : SETTING_ANY, c->value);
	return change(c, settings_remove_item, sv_of(&json));
}

/* --- which of them ---------------------------------------------------------------------------- */

static const struct action {
	const char *name;
	size_t min_words, max_words; /* after the name */
	enum exit_code (*run)(struct config *config);
} actions[] = {
	{ "list", 0, 0, run_list }, { "get", 1, 1, run_get },       { "set", 2, 2, run_set },
	{ "add", 2, 2, run_add },   { "remove", 1, 2, run_remove }, { "check", 0, 0, run_check },
	{ "path", 0, 0, run_path }, { "docs", 0, 0, run_docs },
};

static const struct action *find_action(struct sv name, struct err *err)
{
	struct nearest best = NEAREST_INIT;

	for (size_t i = 0; i < countof(actions); i++) {
		nearest_offer(&best, name, sv_cstr(actions[i].name));
		if (sv_is(name, actions[i].name))
			return &actions[i];
	}
	if (best.word.len)
		err_set(err, ERR_INVALID, "unknown action '%.*s'; did you mean '%.*s'?",
			SV_ARG(name), SV_ARG(best.word));
	else
		err_set(err, ERR_INVALID,
			"unknown action '%.*s'; there are list, get, set, add, remove, check, path "
			"and docs",
			SV_ARG(name));
	return NULL;
}

enum exit_code config_run(const struct args *args)
{
	defer(config_clear) struct config c = { .args = args };
	size_t n = args->words.n ? args->words.n - 1 : 0;
	struct err err = ERR_INIT;
	const struct action *action =
		find_action(sv_cstr(args->words.n ? args->words.at[0] : "list"), &err);

	if (!action || !read_scope(&c, &err))
		return usage_error("%s", err.text);
	if (n < action->min_words || n > action->max_words)
		return usage_error("'awl config %s' takes %s", action->name,
				   action->max_words == 0   ? "nothing more"
				   : action->min_words == 2 ? "a key and a value"
				   : action->max_words == 2 ? "a key, and a value for lists"
							    : "a key");
	if (n > 0)
		c.key = args->words.at[1];
	if (n > 1)
		c.value = args->words.at[2];
	if (c.key)
		find_key(&c);
	return look_around(&c, &err) ? action->run(&c) : failure("%s", err.text);
}
