/* awl config: the actions that change a file. */
#include "cli/config.h"
#include "front/words.h"
#include "perm/perm.h"
#include "text/json/json_write.h"
#include "text/nearest.h"
#include "tool/tool.h"

static bool config_is_one_of(unsigned types, struct json value)
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

/* Convert what the user typed to JSON. Text that is JSON of an expected type stays as it is;
 * anything else becomes a string, and so does a number where a string is also expected. */
static void config_read_value(struct str *out, unsigned types, const char *typed)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(typed), 0, &ignored);
	struct jw w;

	if (types & SETTING_STRING)
		types &= ~(unsigned)(SETTING_BOOL | SETTING_INT | SETTING_NUMBER);
	if (doc && (!(types & (SETTING_STRING | SETTING_WORD)) ||
		    config_is_one_of(types, json_root(doc)))) {
		str_adds(out, typed);
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_str(&w, sv_cstr(typed)); /* if a string is wrong here, the check says what is right */
	jw_done(&w);
}

/* --- rules ------------------------------------------------------------------------------- */

static bool config_check_rule(enum behavior what, struct sv rule, struct err *err)
{
	defer(perm_policy_clear) struct perm_policy trial = PERM_POLICY_INIT;

	perm_set_home(&trial, SV("/")); /* any directory will do */
	return perm_add_rule(&trial, what, rule, &(struct perm_rule){ .line = 0 }, err);
}

/* If the user omitted the tool, suggest a rule for Bash. */
static bool config_check_meant(enum behavior what, struct sv rule, struct err *err)
{
	defer(str_clear) struct str command = STR_INIT;
	struct err ignored = ERR_INIT;

	if (config_check_rule(what, rule, err))
		return true;
	str_addf(&command, "Bash(%.*s)", SV_ARG(rule));
	if (!config_check_rule(what, sv_of(&command), &ignored))
		return false;
	return err_set(err, ERR_INVALID, "\"%.*s\" is not a rule; for a command, write \"%s\"",
		       SV_ARG(rule), str_c(&command));
}

/* An unknown tool may belong to a server, so only a likely typo gets a warning. */
static void config_note_tool(struct sv rule)
{
	struct nearest best = NEAREST_INIT;
	struct sv name = sv_slice(rule, 0, sv_find_char(rule, '('));
	size_t n;
	const struct tool *const *tools = tool_builtins(&n);

	for (size_t i = 0; i < n; i++)
		nearest_offer(&best, name, sv_cstr(tools[i]->name));
	if (best.word.len && best.distance)
		complain("there is no tool named %.*s; did you mean %.*s? The rule is added anyway",
			 SV_ARG(name), SV_ARG(best.word));
}

/* `json` is the new value of the setting, or one more element of it. */
static bool config_check_rules(const struct config *c, struct sv json, struct err *err)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &ignored);
	struct json_iter it = json_each(json_root(doc));
	struct json rule = json_root(doc);
	size_t what = 0;

	while (what < countof(all) && !(c->steps.n == 2 && sv_is(c->steps.at[0], "permissions") &&
					sv_is(c->steps.at[1], behavior_name(all[what]))))
		what++;
	if (what == countof(all))
		return true;
	do {
		struct sv text;

		if (!json_str(rule, &text))
			continue;
		if (!config_check_meant(all[what], text, err))
			return false;
		config_note_tool(text);
	} while (json_next(&it, NULL, &rule));
	return true;
}

/* --- the actions --------------------------------------------------------------------------- */

/* Change the file, and warn if the change has no effect because the project is not trusted. */
static enum exit_code change(struct config *c, typeof(settings_put) *how, struct sv json)
{
	struct err err = ERR_INIT;
	const struct project *p = &c->project;
	bool forbids = c->row && c->row->forbids; /* needs no trust */

	if (!project_change(&c->project, how, c->scope, c->steps, json, &err))
		return failure("%s", err.text);
	if (settings_are_projects(c->scope) &&
	    ((!p->files.trusts_project && !forbids) || p->trust.is_lost))
		complain("this project is not trusted, so its settings allow nothing until you run "
			 "'awl trust'");
	return EXIT_OK;
}

static enum exit_code config_put(struct config *c, typeof(settings_put) *how, struct sv json)
{
	enum exit_code code;
	struct err err = ERR_INIT;

	if (!config_check_rules(c, json, &err))
		return failure("%s", err.text);
	code = change(c, how, json);
	if (code == EXIT_OK && !setting_has_effect(c->row))
		complain("%s is accepted, but has no effect yet", c->key);
	return code;
}

enum exit_code config_set(struct config *c)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!c->row)
		return config_unknown_key(c);
	config_read_value(&json, c->is_inside ? c->row->type >> SETTING_TYPES : c->row->type & 0xff,
			  c->value);
	return config_put(c, settings_put, sv_of(&json));
}

enum exit_code config_add(struct config *c)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!c->row)
		return config_unknown_key(c);
	if (c->is_inside || !(c->row->type & SETTING_LIST))
		return failure("%s is not a list; use 'awl config set'", c->key);
	config_read_value(&json, c->row->type >> SETTING_TYPES, c->value);
	return config_put(c, settings_add_item, sv_of(&json));
}

/* Any key that is in a file can be removed, known or not. */
enum exit_code config_unset(struct config *c)
{
	return change(c, settings_put, SV_EMPTY);
}

enum exit_code config_remove(struct config *c)
{
	defer(str_clear) struct str json = STR_INIT;

	config_read_value(&json, c->row ? c->row->type >> SETTING_TYPES : SETTING_ANY, c->value);
	return change(c, settings_remove_item, sv_of(&json));
}
