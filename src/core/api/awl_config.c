/* awl.h: settings. What applies in a directory, and changing one value of one file. */
#include "core/api/awl_project.h"
#include "core/policy/policy.h"
#include "core/policy/rule_review.h"
#include "hook/guards.h"
#include "hook/hook_set.h"
#include "perm/perm.h"
#include "store/approved.h"
#include "store/settings/settings_keys.h"
#include "text/json/json_write.h"

/* A key as the caller spelt it. */
struct awl_config_key {
	const char *name;
	struct sv at[SETTING_STEPS];
	struct json_steps steps;
	const struct setting *row; /* NULL: unknown */
	bool is_inside;            /* the key leads into the map that the row is */
};

static void awl_config_find(struct awl_config_key *key, const char *name)
{
	size_t used = 0;

	*key = (struct awl_config_key){ .name = name };
	key->steps = (struct json_steps){ key->at, setting_steps(sv_cstr(name), key->at) };
	key->row = setting_of(key->steps, &used);
	if (key->row && used < key->steps.n && !(key->row->type & SETTING_MAP))
		key->row = NULL;
	key->is_inside = key->row && used < key->steps.n;
}

static bool awl_config_unknown(const struct awl_config_key *key, struct err *err)
{
	struct sv near = setting_nearest(sv_cstr(key->name));

	if (near.len)
		return err_set(err, ERR_NOT_FOUND, "unknown setting '%s'; did you mean '%.*s'?",
			       key->name, SV_ARG(near));
	return err_set(err, ERR_NOT_FOUND, "unknown setting '%s'; 'awl config docs' lists them all",
		       key->name);
}

bool awl_config_is_key(const char *name)
{
	struct awl_config_key key;

	awl_config_find(&key, name);
	return key.row != NULL;
}

/* --- reading ------------------------------------------------------------------------------ */

/* Load what applies, and note what is wrong with the files and what waits for trust. */
static struct settings *awl_config_load(struct awl_project *p, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str ignored = STR_INIT;
	struct settings *settings;
	struct sv rest, line;

	awl_project_look(p, &project);
	settings = settings_load(&project.files, &p->notes, err);
	if (!settings)
		return NULL;
	project_ignored(&project, settings, &ignored);
	rest = sv_of(&ignored);
	while (sv_cut_line(&rest, &line))
		awl_project_note(p, "ignored until you trust this project: %.*s", SV_ARG(line));
	return settings;
}

static void awl_config_write(struct str *out, struct json value)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
}

/* Write the value that applies, or the default. */
static bool awl_config_value(const struct settings *settings, const char *name, struct str *out,
			     struct err *err)
{
	struct json value = settings_get(settings, name);
	struct awl_config_key key;

	if (json_exists(value)) {
		awl_config_write(out, value);
		return true;
	}
	awl_config_find(&key, name);
	if (!key.row)
		return awl_config_unknown(&key, err);
	if (key.is_inside || !*key.row->fallback)
		return err_set(err, ERR_NOT_FOUND, "%s is not set", name);
	str_adds(out, key.row->fallback);
	return true;
}

enum awl_result awl_config_get(struct awl_project *p, const char *name, const char **json)
{
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *s = NULL;

	awl_project_begin(p);
	s = awl_config_load(p, &err);
	if (!s || !awl_config_value(s, name, &p->result, &err))
		return awl_fail(&err);
	*json = str_c(&p->result);
	return awl_end(true, &err);
}

enum awl_result awl_session_config_get(struct awl_session *s, const char *name, const char **json)
{
	struct err err = ERR_INIT;

	str_truncate(&s->setting, 0);
	if (!awl_config_value(session_settings(s->session), name, &s->setting, &err))
		return awl_fail(&err);
	*json = str_c(&s->setting);
	return awl_end(true, &err);
}

enum awl_result awl_config_json(struct awl_project *p, const char **json)
{
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *s = NULL;

	awl_project_begin(p);
	s = awl_config_load(p, &err);
	if (!s)
		return awl_fail(&err);
	settings_write_json(s, &p->result);
	*json = str_c(&p->result);
	return AWL_OK;
}

static enum awl_applies awl_config_applies(const struct setting *row)
{
	switch (setting_applies(row)) {
	case SETTING_APPLIES_NOW: return AWL_APPLIES_NOW;
	case SETTING_NEXT_SESSION: return AWL_APPLIES_TO_NEW_SESSIONS;
	case SETTING_NO_EFFECT: break;
	}
	return AWL_HAS_NO_EFFECT;
}

const char *awl_applies_text(enum awl_applies when)
{
	static const enum setting_applies inner[] = {
		[AWL_APPLIES_NOW] = SETTING_APPLIES_NOW,
		[AWL_APPLIES_TO_NEW_SESSIONS] = SETTING_NEXT_SESSION,
		[AWL_HAS_NO_EFFECT] = SETTING_NO_EFFECT,
	};

	return setting_applies_text(inner[when]);
}

static void awl_config_add_entry(struct awl_project *p, struct sv key, struct json value,
				 struct sv where, const struct setting *row)
{
	defer(str_clear) struct str json = STR_INIT;

	awl_config_write(&json, value);
	vec_push(&p->entries,
		 ((struct awl_config_entry){ .key = arena_dup(&p->arena, key).ptr,
					     .json = arena_dup(&p->arena, sv_of(&json)).ptr,
					     .where = arena_dup(&p->arena, where).ptr,
					     .applies = row ? awl_config_applies(row)
							    : AWL_APPLIES_TO_NEW_SESSIONS }));
}

/* Append the place of an element of the list at `path`: the strongest file that has it. */
static void awl_config_locate_element(struct str *out, const struct settings *s, const char *path,
				      struct json element)
{
	const struct settings_item *items;
	size_t n = settings_items(s, path, &items);

	for (size_t i = 0; i < n; i++) {
		if (!json_equal(items[i].value, element))
			continue;
		str_adds(out, items[i].file);
		if (items[i].line)
			str_addf(out, ":%zu", items[i].line);
		return;
	}
}

/* Add an entry for a value, or one for each element of a list: they may come from several files. */
static void awl_config_add_value(struct awl_project *p, const struct settings *s, struct str *path,
				 struct json value, const struct setting *row)
{
	struct json_iter it = json_each(value);
	defer(str_clear) struct str where = STR_INIT;
	struct json element;

	if (!json_is(value, JSON_ARRAY) || !json_len(value)) {
		settings_locate(s, str_c(path), &where);
		awl_config_add_entry(p, sv_of(path), value, sv_of(&where), row);
		return;
	}
	for (size_t i = 0; json_next(&it, NULL, &element); i++) {
		defer(str_clear) struct str key = STR_INIT;

		str_addf(&key, "%s[%zu]", str_c(path), i);
		str_truncate(&where, 0);
		awl_config_locate_element(&where, s, str_c(path), element);
		awl_config_add_entry(p, sv_of(&key), element, sv_of(&where), row);
	}
}

/* Add an entry for every value, as deep as the table knows them. */
static void awl_config_add_object(struct awl_project *p, const struct settings *s, struct str *path,
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
		if (row && row->type & SETTING_OBJECT && json_is(value, JSON_OBJECT))
			awl_config_add_object(p, s, path, value);
		else
			awl_config_add_value(p, s, path, value, row);
		str_truncate(path, length);
	}
}

enum awl_result awl_config_list(struct awl_project *p, const struct awl_config_entry **entries,
				size_t *n)
{
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *s = NULL;
	defer(str_clear) struct str path = STR_INIT;

	awl_project_begin(p);
	s = awl_config_load(p, &err);
	if (!s)
		return awl_fail(&err);
	awl_config_add_object(p, s, &path, settings_get(s, ""));
	*entries = p->entries.at;
	*n = p->entries.n;
	return AWL_OK;
}

/* Note the directories of the settings that cannot be used, and whatever else the policy of a
 * session would note. Its rules have been checked before. */
static void awl_config_check_policy(struct awl_project *p, const struct settings *settings)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	const struct policy_opts opts = { .settings = settings,
					  .home = p->home,
					  .cwd = p->dir.ptr,
					  .config_dir = awl_project_config_dir(p),
					  .env = awl_project_env(p),
					  .notes_keys = true };
	struct err err = ERR_INIT;

	if (!policy_load(&policy, &opts, &p->notes, &err))
		awl_project_note(p, "%s", err.text);
}

/* Count the mistakes. Files that are not trusted can have some, too: they are read as if they were,
 * and nothing of them is used. */
static bool awl_config_count_mistakes(struct awl_project *p, const struct settings_opts *files,
				      const struct settings *used, size_t *n, struct err *err)
{
	struct settings_opts trusting = *files;
	defer(settings_freep) struct settings *s = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct sv rest, line;

	trusting.trusts_project = true;
	trusting.looked = NULL;
	trusting.helper_from = used;
	s = settings_load(&trusting, &notes, err);
	if (!s)
		return false;
	*n = settings_mistakes(s) + rule_review_settings(s, &notes);
	hook_set_unref(hook_set_new(s, NULL, false, &notes));
	rest = sv_of(&notes);
	while (sv_cut_line(&rest, &line))
		if (sv_find(sv_of(&p->notes), line) == SIZE_MAX)
			awl_project_note(p, "%.*s", SV_ARG(line));
	return true;
}

enum awl_result awl_config_check(struct awl_project *p)
{
	struct err err = ERR_INIT;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(settings_freep) struct settings *s = NULL;
	size_t mistakes = 0;

	awl_project_begin(p);
	awl_project_look(p, &project);
	project.files.notes_keys = true;
	s = settings_load(&project.files, &p->notes, &err);
	if (!s || !awl_config_count_mistakes(p, &project.files, s, &mistakes, &err)) {
		awl_project_note(p, "%s", err.text);
		return awl_fail(&err);
	}
	awl_config_check_policy(p, s);
	hook_guards_describe(&p->notes, s);
	if (mistakes)
		err_set(&err, ERR_INVALID, "the settings files have mistakes");
	return awl_end(!mistakes, &err);
}

const char *awl_config_docs(struct awl_project *p)
{
	awl_project_begin(p);
	settings_docs(&p->result);
	return str_c(&p->result);
}

/* --- scopes ------------------------------------------------------------------------------- */

/* Choose the file: without a scope it is the user's, or the only one that can have the key. */
static enum settings_source awl_config_source(enum awl_scope scope, const struct setting *row)
{
	switch (scope) {
	case AWL_SCOPE_GLOBAL: return SETTINGS_GLOBAL;
	case AWL_SCOPE_PROJECT: return SETTINGS_PROJECT;
	case AWL_SCOPE_LOCAL: return SETTINGS_LOCAL;
	case AWL_SCOPE_USER: return SETTINGS_USER;
	case AWL_SCOPE_DEFAULT: break;
	}
	return row && row->from == SETTING_FROM_GLOBAL ? SETTINGS_GLOBAL : SETTINGS_USER;
}

const char *awl_config_path(struct awl_project *p, enum awl_scope scope, const char *name)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	struct awl_config_key key = { .name = name };
	struct err ignored = ERR_INIT;

	awl_project_begin(p);
	awl_project_look(p, &project);
	if (name)
		awl_config_find(&key, name);
	if (!settings_path(&project.files, awl_config_source(scope, key.row), &p->result, &ignored))
		return NULL;
	return str_c(&p->result);
}

/* --- values ------------------------------------------------------------------------------- */

static bool awl_config_fits(unsigned types, struct json value)
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

/* Append the value as JSON: as it is when it is JSON of a type that fits, else as a string. A
 * number is a string where both would fit. */
static void awl_config_read_value(struct str *out, unsigned types, const char *value)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(value), 0, &ignored);
	struct jw w;

	if (types & SETTING_STRING)
		types &= ~(unsigned)(SETTING_BOOL | SETTING_INT | SETTING_NUMBER);
	if (doc && (!(types & (SETTING_STRING | SETTING_WORD)) ||
		    awl_config_fits(types, json_root(doc)))) {
		str_adds(out, value);
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_str(&w, sv_cstr(value)); /* where no string fits, settings_set() says what does */
	jw_done(&w);
}

/* --- rules -------------------------------------------------------------------------------- */

static bool awl_config_check_rule(enum behavior what, struct sv rule, struct err *err)
{
	defer(perm_policy_clear) struct perm_policy trial = PERM_POLICY_INIT;

	perm_set_home(&trial, SV("/")); /* any will do */
	return perm_add_rule(&trial, what, rule, &(struct perm_rule){ .line = 0 }, err);
}

/* Check a rule. One without a tool is probably a command. */
static bool awl_config_check_meant(enum behavior what, struct sv rule, struct err *err)
{
	defer(str_clear) struct str command = STR_INIT;
	struct err ignored = ERR_INIT;

	if (awl_config_check_rule(what, rule, err))
		return true;
	if (sv_find_char(rule, '(') != SIZE_MAX)
		return false;
	str_addf(&command, "Bash(%.*s)", SV_ARG(rule));
	if (!awl_config_check_rule(what, sv_of(&command), &ignored))
		return false;
	return err_set(err, ERR_INVALID, "\"%.*s\" is not a rule; for a command, write \"%s\"",
		       SV_ARG(rule), str_c(&command));
}

static bool awl_config_is_rules(const struct awl_config_key *key, enum behavior *out)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };

	for (size_t i = 0; i < countof(all); i++) {
		if (key->steps.n == 2 && sv_is(key->steps.at[0], "permissions") &&
		    sv_is(key->steps.at[1], behavior_name(all[i]))) {
			*out = all[i];
			return true;
		}
	}
	return false;
}

/* Check rules. `json` is the whole setting, or one more element of it. */
static bool awl_config_check_rules(const struct awl_config_key *key, struct sv json,
				   struct err *err)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &ignored);
	struct json_iter it = json_each(json_root(doc));
	struct json rule = json_root(doc);
	enum behavior what;

	if (!awl_config_is_rules(key, &what))
		return true;
	do {
		struct sv text;

		if (!json_str(rule, &text))
			continue;
		if (!awl_config_check_meant(what, text, err) || !rule_review_tool(text, err))
			return false;
	} while (json_next(&it, NULL, &rule));
	return true;
}

/* --- changing a file ----------------------------------------------------------------------- */

/* Change the file, and note when the change has no effect without trust. */
static bool awl_config_change(struct awl_project *p, enum awl_scope scope,
			      const struct awl_config_key *key, typeof(settings_set) *how,
			      struct sv json, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	enum settings_source source = awl_config_source(scope, key->row);
	bool needs_no_trust = approved_covers(key->steps) || (key->row && key->row->restricts);

	awl_project_look(p, &project);
	if (!project_change(&project, how, source, key->steps, json, err))
		return false;
	if (settings_are_projects(source) && !needs_no_trust &&
	    (!project.files.trusts_project || project.trust.is_lost))
		awl_project_note(
			p,
			"this project is not trusted, so its settings allow nothing until you run "
			"'awl trust'");
	return true;
}

static bool awl_config_put(struct awl_project *p, enum awl_scope scope,
			   const struct awl_config_key *key, typeof(settings_set) *how,
			   struct sv json, struct err *err)
{
	if (!awl_config_check_rules(key, json, err) ||
	    !awl_config_change(p, scope, key, how, json, err))
		return false;
	if (setting_applies(key->row) == SETTING_NO_EFFECT)
		awl_project_note(p, "%s has no effect yet", key->name);
	return true;
}

enum awl_result awl_config_set(struct awl_project *p, enum awl_scope scope, const char *name,
			       const char *value)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;
	struct awl_config_key key;

	awl_project_begin(p);
	awl_config_find(&key, name);
	if (!key.row) {
		awl_config_unknown(&key, &err);
		return awl_fail(&err);
	}
	awl_config_read_value(&json,
			      key.is_inside ? key.row->type >> SETTING_TYPES : key.row->type & 0xff,
			      value);
	return awl_end(awl_config_put(p, scope, &key, settings_set, sv_of(&json), &err), &err);
}

enum awl_result awl_config_add(struct awl_project *p, enum awl_scope scope, const char *name,
			       const char *value)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;
	struct awl_config_key key;

	awl_project_begin(p);
	awl_config_find(&key, name);
	if (!key.row) {
		awl_config_unknown(&key, &err);
		return awl_fail(&err);
	}
	if (key.is_inside || !(key.row->type & SETTING_LIST)) {
		err_set(&err, ERR_INVALID, "%s is not a list; use 'awl config set'", name);
		return awl_fail(&err);
	}
	awl_config_read_value(&json, key.row->type >> SETTING_TYPES, value);
	return awl_end(awl_config_put(p, scope, &key, settings_add_item, sv_of(&json), &err), &err);
}

/* Remove whatever is in a file, known or not. */
enum awl_result awl_config_unset(struct awl_project *p, enum awl_scope scope, const char *name)
{
	struct err err = ERR_INIT;
	struct awl_config_key key;

	awl_project_begin(p);
	awl_config_find(&key, name);
	return awl_end(awl_config_change(p, scope, &key, settings_set, SV_EMPTY, &err), &err);
}

enum awl_result awl_config_remove(struct awl_project *p, enum awl_scope scope, const char *name,
				  const char *value)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;
	struct awl_config_key key;

	awl_project_begin(p);
	awl_config_find(&key, name);
	awl_config_read_value(&json, key.row ? key.row->type >> SETTING_TYPES : SETTING_ANY, value);
	return awl_end(awl_config_change(p, scope, &key, settings_remove_item, sv_of(&json), &err),
		       &err);
}
