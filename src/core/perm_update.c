#include "core/perm_update.h"

#include "core/policy.h"
#include "core/project.h"
#include "core/session_sandbox.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

/* Where a change goes. */
struct destination {
	const char *name;
	enum perm_source source;
	enum settings_source file; /* SETTINGS_SOURCES: only into memory */
};

static const struct destination destinations[] = {
	{ "session", PERM_FROM_SESSION, SETTINGS_SOURCES },
	{ "cliArg", PERM_FROM_COMMAND_LINE, SETTINGS_SOURCES },
	{ "localSettings", PERM_FROM_LOCAL, SETTINGS_LOCAL },
	{ "projectSettings", PERM_FROM_PROJECT, SETTINGS_PROJECT },
	{ "userSettings", PERM_FROM_USER, SETTINGS_USER },
};

struct update {
	struct session *s;
	struct json json;
	const struct destination *to;
	enum behavior what;
	const char *key; /* of its list in a settings file */
};

static bool perm_update_read_destination(struct update *u, struct err *err)
{
	struct sv name = json_str_or(json_get(u->json, "destination"), SV("session"));

	for (size_t i = 0; i < countof(destinations); i++) {
		if (sv_is(name, destinations[i].name)) {
			u->to = &destinations[i];
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "\"%.*s\" is no destination", SV_ARG(name));
}

static bool perm_update_read_behavior(struct update *u, struct err *err)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	struct sv name;

	if (!json_need_str(u->json, "behavior", &name, err))
		return false;
	for (size_t i = 0; i < countof(all); i++) {
		if (sv_is(name, behavior_name(all[i]))) {
			u->what = all[i];
			u->key = behavior_name(all[i]);
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "\"%.*s\" is no behavior", SV_ARG(name));
}

/* --- files ------------------------------------------------------------------ */

/* settings_put() or one of its kin, of what is at `key` under "permissions". */
static bool perm_update_file_change(const struct update *u, typeof(settings_put) *change,
				    const char *key, struct sv json, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;

	if (u->to->file == SETTINGS_SOURCES)
		return true;
	project_look(&project, u->s->engine->config_dir, u->s->shared.root, &u->s->vouched_for);
	project.files.watch = u->s->settings_watch;
	return project_change(&project, change, u->to->file,
			      JSON_STEPS(SV("permissions"), sv_cstr(key)), json, err);
}

/* The same of a text. */
static bool perm_update_file_text(const struct update *u, typeof(settings_put) *change,
				  const char *key, struct sv text, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_str(&w, text);
	jw_done(&w);
	return perm_update_file_change(u, change, key, sv_of(&json), err);
}

/* --- rules ------------------------------------------------------------------ */

static bool perm_update_rule_text(struct str *out, struct json rule, struct err *err)
{
	struct sv tool, content;

	if (!json_need_str(rule, "toolName", &tool, err))
		return false;
	str_add(out, tool);
	content = json_str_or(json_get(rule, "ruleContent"), SV_EMPTY);
	if (content.len)
		str_addf(out, "(%.*s)", SV_ARG(content));
	return true;
}

/* To this policy, as the file it goes to would. */
static bool perm_update_add_to(struct perm_policy *policy, const struct update *u, struct sv text,
			       struct err *err)
{
	bool is_users = u->to->file == SETTINGS_USER;
	const struct perm_rule origin = {
		.source = u->to->source,
		.root = sv_cstr(is_users ? u->s->engine->config_dir : NULL),
	};

	return perm_add_rule(policy, u->what, text, &origin, err);
}

/* Whether all can be added, which is asked before anything is changed: those they replace
 * may forbid something. */
static bool perm_update_check_rules(const struct update *u, struct err *err)
{
	defer(perm_policy_clear) struct perm_policy trial = PERM_POLICY_INIT;
	struct json_iter it = json_each(json_get(u->json, "rules"));
	struct json rule;

	if (u->what == BEHAVIOR_ALLOW && policy_is_managed(u->s->settings))
		return err_set(err, ERR_ACCESS, "only rules of the policy allow something here");
	perm_set_home(&trial, u->s->policy.home);
	while (json_next(&it, NULL, &rule)) {
		defer(str_clear) struct str text = STR_INIT;

		if (!perm_update_rule_text(&text, rule, err) ||
		    !perm_update_add_to(&trial, u, sv_of(&text), err))
			return false;
	}
	return true;
}

/* In the session. Once is enough. */
static bool perm_update_remember_rule(const struct update *u, struct sv text, struct err *err)
{
	perm_remove_rule(&u->s->policy, u->what, u->to->source, text);
	return perm_update_add_to(&u->s->policy, u, text, err);
}

/* What cannot be kept does not hold now either: it would be gone without a word. */
static bool perm_update_add_rule(const struct update *u, struct sv text, struct err *err)
{
	return perm_update_file_text(u, settings_add_item, u->key, text, err) &&
	       perm_update_remember_rule(u, text, err);
}

static bool perm_update_remove_rule(const struct update *u, struct sv text, struct err *err)
{
	if (!perm_update_file_text(u, settings_remove_item, u->key, text, err))
		return false;
	perm_remove_rule(&u->s->policy, u->what, u->to->source, text);
	return true;
}

static bool perm_update_each_rule(const struct update *u,
				  bool (*change)(const struct update *u, struct sv text,
						 struct err *err),
				  struct err *err)
{
	struct json_iter it = json_each(json_get(u->json, "rules"));
	struct json rule;

	while (json_next(&it, NULL, &rule)) {
		defer(str_clear) struct str text = STR_INIT;

		if (!perm_update_rule_text(&text, rule, err) || !change(u, sv_of(&text), err))
			return false;
	}
	return true;
}

static bool perm_update_write_list(struct str *out, const struct update *u, struct err *err)
{
	struct json_iter it = json_each(json_get(u->json, "rules"));
	struct json rule;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_array(&w);
	while (json_next(&it, NULL, &rule)) {
		defer(str_clear) struct str text = STR_INIT;

		if (!perm_update_rule_text(&text, rule, err))
			return false;
		jw_str(&w, sv_of(&text));
	}
	jw_end(&w);
	jw_done(&w);
	return true;
}

/* All of that source and kind give way to the new ones, in one step. */
static bool perm_update_replace_rules(const struct update *u, struct err *err)
{
	struct perm_policy *policy = &u->s->policy;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str list = STR_INIT;

	if (!perm_update_write_list(&list, u, err) ||
	    !perm_update_file_change(u, settings_put, u->key, sv_of(&list), err))
		return false;
	while (perm_first_rule(policy, u->what, u->to->source, &text)) {
		perm_remove_rule(policy, u->what, u->to->source, sv_of(&text));
		str_truncate(&text, 0);
	}
	return perm_update_each_rule(u, perm_update_remember_rule, err);
}

/* --- directories and the mode ------------------------------------------------ */

static bool perm_update_add_directory(const struct update *u, struct sv dir, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str real = STR_INIT;
	struct fs_info info;

	policy_place(&path, u->s->engine->home, u->s->shared.root, dir);
	if (!fs_realpath(&real, str_c(&path), err) || !fs_info(&info, real.ptr, true, err))
		return false;
	if (info.kind != FS_DIR)
		return err_set(err, ERR_INVALID, "%s is not a directory", real.ptr);
	if (!perm_update_file_text(u, settings_add_item, "additionalDirectories", dir, err))
		return false;
	(u->to->file == SETTINGS_SOURCES ? perm_give_dir : perm_add_dir)(&u->s->policy,
									 sv_of(&real));
	return true;
}

/* One that is not there any more is known by the path it had. */
static bool perm_update_remove_directory(const struct update *u, struct sv dir, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str real = STR_INIT;
	struct err missing = ERR_INIT;

	if (!perm_update_file_text(u, settings_remove_item, "additionalDirectories", dir, err))
		return false;
	policy_place(&path, u->s->engine->home, u->s->shared.root, dir);
	perm_remove_dir(&u->s->policy,
			fs_realpath(&real, str_c(&path), &missing) ? sv_of(&real) : sv_of(&path));
	return true;
}

static bool perm_update_each_directory(const struct update *u, bool adds, struct err *err)
{
	struct json_iter it = json_each(json_get(u->json, "directories"));
	struct json dir;

	while (json_next(&it, NULL, &dir))
		if (!(adds ? perm_update_add_directory
			   : perm_update_remove_directory)(u, json_str_or(dir, SV_EMPTY), err))
			return false;
	return true;
}

/* Only the user's file can say for good which mode it is. */
static bool perm_update_set_mode(const struct update *u, struct err *err)
{
	struct sv name;

	if (!json_need_str(u->json, "mode", &name, err) || !session_set_mode(u->s, name, err))
		return false;
	session_tell_mode(u->s);
	return u->to->file != SETTINGS_USER ||
	       perm_update_file_text(u, settings_put, "defaultMode", name, err);
}

/* --- all ---------------------------------------------------------------------- */

static bool perm_update_apply_one(struct session *s, struct json json, struct err *err)
{
	struct update u = { .s = s, .json = json };
	struct sv type;

	if (!json_need_str(json, "type", &type, err) || !perm_update_read_destination(&u, err))
		return false;
	if (sv_is(type, "setMode"))
		return perm_update_set_mode(&u, err);
	if (sv_is(type, "addDirectories") || sv_is(type, "removeDirectories"))
		return perm_update_each_directory(&u, sv_is(type, "addDirectories"), err);
	if (!perm_update_read_behavior(&u, err))
		return false;
	if (sv_is(type, "removeRules"))
		return perm_update_each_rule(&u, perm_update_remove_rule, err);
	if (sv_is(type, "addRules"))
		return perm_update_check_rules(&u, err) &&
		       perm_update_each_rule(&u, perm_update_add_rule, err);
	if (sv_is(type, "replaceRules"))
		return perm_update_check_rules(&u, err) && perm_update_replace_rules(&u, err);
	return err_set(err, ERR_INVALID, "\"%.*s\" is no change of permissions", SV_ARG(type));
}

void perm_updates_apply(struct session *s, struct json updates, struct str *notes)
{
	struct json_iter it = json_each(updates);
	struct json update;
	struct err why = ERR_INIT;

	if (json_exists(updates) && !json_is(updates, JSON_ARRAY) && !json_is(updates, JSON_NULL))
		str_adds(notes, "No change of permissions was made: they are not a list.\n");
	while (json_next(&it, NULL, &update)) {
		struct err err = ERR_INIT;

		if (!perm_update_apply_one(s, update, &err))
			str_addf(notes, "A change of permissions was not made: %s\n", err.text);
	}
	if (!session_sandbox_renew(s, s->settings, &s->policy, &why))
		str_addf(notes, "The sandbox stays as it was: %s\n", why.text);
}
