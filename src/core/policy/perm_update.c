#include "core/policy/perm_update.h"

#include "core/policy/policy.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_internal.h"
#include "core/session/session_settings.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

/* Where each destination is kept. */
static const struct place {
	enum perm_source source;
	enum settings_source file; /* SETTINGS_SOURCES: only in memory */
} places[PERMISSION_DESTINATIONS] = {
	[PERMISSION_TO_SESSION] = { PERM_FROM_SESSION, SETTINGS_SOURCES },
	[PERMISSION_TO_COMMAND_LINE] = { PERM_FROM_COMMAND_LINE, SETTINGS_SOURCES },
	[PERMISSION_TO_LOCAL] = { PERM_FROM_LOCAL, SETTINGS_LOCAL },
	[PERMISSION_TO_PROJECT] = { PERM_FROM_PROJECT, SETTINGS_PROJECT },
	[PERMISSION_TO_USER] = { PERM_FROM_USER, SETTINGS_USER },
};

struct update {
	struct session *s;
	const struct permission_change *change;
	const struct place *to;
};

/* The key of a list of rules in a settings file is the name of their behavior. */
static const char *perm_update_key(const struct update *u)
{
	return behavior_name(u->change->behavior);
}

/* --- files ------------------------------------------------------------------ */

/* Apply `change`, settings_set() or a function like it, to `key` under "permissions". */
static bool perm_update_file_change(const struct update *u, typeof(settings_set) *change,
				    const char *key, struct sv json, struct err *err)
{
	return u->to->file == SETTINGS_SOURCES ||
	       session_settings_save(u->s, change, u->to->file,
				     JSON_STEPS(SV("permissions"), sv_cstr(key)), json, err);
}

/* The same with a text instead of JSON. */
static bool perm_update_file_text(const struct update *u, typeof(settings_set) *change,
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

/* Add a rule to this policy as if it came from the file it goes to. */
static bool perm_update_add_to(struct perm_policy *policy, const struct update *u, struct sv text,
			       struct err *err)
{
	bool is_users = u->to->file == SETTINGS_USER;
	const struct perm_rule origin = {
		.source = u->to->source,
		.root = sv_cstr(is_users ? u->s->engine->config_dir : NULL),
	};

	return perm_add_rule(policy, u->change->behavior, text, &origin, err);
}

/* Check that all rules can be added before anything changes: the rules they replace may deny
 * something. */
static bool perm_update_check_rules(const struct update *u, struct err *err)
{
	defer(perm_policy_clear) struct perm_policy trial = PERM_POLICY_INIT;
	if (u->change->behavior == BEHAVIOR_ALLOW && policy_is_managed(u->s->settings))
		return err_set(err, ERR_ACCESS,
			       "only rules in managed settings can allow anything here");
	perm_set_home(&trial, u->s->policy.home);
	for (size_t i = 0; i < u->change->nrules; i++) {
		defer(str_clear) struct str text = STR_INIT;

		permission_rule_text(&text, &u->change->rules[i]);
		if (!perm_update_add_to(&trial, u, sv_of(&text), err))
			return false;
	}
	return true;
}

/* Add a rule to the session, once. */
static bool perm_update_remember_rule(const struct update *u, struct sv text, struct err *err)
{
	perm_remove_rule(&u->s->policy, u->change->behavior, u->to->source, text);
	return perm_update_add_to(&u->s->policy, u, text, err);
}

/* A rule that cannot be saved does not apply now either: it would vanish without a word. */
static bool perm_update_add_rule(const struct update *u, struct sv text, struct err *err)
{
	return perm_update_file_text(u, settings_add_item, perm_update_key(u), text, err) &&
	       perm_update_remember_rule(u, text, err);
}

static bool perm_update_remove_rule(const struct update *u, struct sv text, struct err *err)
{
	if (!perm_update_file_text(u, settings_remove_item, perm_update_key(u), text, err))
		return false;
	perm_remove_rule(&u->s->policy, u->change->behavior, u->to->source, text);
	return true;
}

static bool perm_update_each_rule(const struct update *u,
				  bool (*change)(const struct update *u, struct sv text,
						 struct err *err),
				  struct err *err)
{
	for (size_t i = 0; i < u->change->nrules; i++) {
		defer(str_clear) struct str text = STR_INIT;

		permission_rule_text(&text, &u->change->rules[i]);
		if (!change(u, sv_of(&text), err))
			return false;
	}
	return true;
}

static void perm_update_write_list(struct str *out, const struct update *u)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_array(&w);
	for (size_t i = 0; i < u->change->nrules; i++) {
		defer(str_clear) struct str text = STR_INIT;

		permission_rule_text(&text, &u->change->rules[i]);
		jw_str(&w, sv_of(&text));
	}
	jw_end(&w);
	jw_done(&w);
}

/* Replace all rules of that source and behavior in one step. */
static bool perm_update_replace_rules(const struct update *u, struct err *err)
{
	struct perm_policy *policy = &u->s->policy;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str list = STR_INIT;

	perm_update_write_list(&list, u);
	if (!perm_update_file_change(u, settings_set, perm_update_key(u), sv_of(&list), err))
		return false;
	while (perm_first_rule(policy, u->change->behavior, u->to->source, &text)) {
		perm_remove_rule(policy, u->change->behavior, u->to->source, sv_of(&text));
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
	(u->to->file == SETTINGS_SOURCES ? perm_add_session_dir : perm_add_dir)(&u->s->policy,
										sv_of(&real));
	return true;
}

/* A directory that no longer exists is removed by the path it had. */
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
	for (size_t i = 0; i < u->change->ndirs; i++)
		if (!(adds ? perm_update_add_directory
			   : perm_update_remove_directory)(u, u->change->dirs[i], err))
			return false;
	return true;
}

/* Only the user's file can set the mode for later sessions. */
static bool perm_update_set_mode(const struct update *u, struct err *err)
{
	if (!session_set_mode(u->s, u->change->mode, err))
		return false;
	session_emit_mode(u->s);
	return u->to->file != SETTINGS_USER ||
	       perm_update_file_text(u, settings_set, "defaultMode", u->change->mode, err);
}

/* --- all ---------------------------------------------------------------------- */

static bool perm_update_apply(struct session *s, const struct permission_change *change,
			      struct err *err)
{
	struct update u = { .s = s, .change = change, .to = &places[change->destination] };

	switch (change->kind) {
	case PERMISSION_SET_MODE: return perm_update_set_mode(&u, err);
	case PERMISSION_ADD_DIRS: return perm_update_each_directory(&u, true, err);
	case PERMISSION_REMOVE_DIRS: return perm_update_each_directory(&u, false, err);
	case PERMISSION_REMOVE_RULES:
		return perm_update_each_rule(&u, perm_update_remove_rule, err);
	case PERMISSION_ADD_RULES:
		return perm_update_check_rules(&u, err) &&
		       perm_update_each_rule(&u, perm_update_add_rule, err);
	case PERMISSION_REPLACE_RULES:
		return perm_update_check_rules(&u, err) && perm_update_replace_rules(&u, err);
	case PERMISSION_CHANGES: break;
	}
	BUG("not a change of permissions");
}

void perm_updates_apply(struct session *s, struct json updates, struct str *notes)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct json_iter it = json_each(updates);
	struct json update;
	struct err why = ERR_INIT;

	if (json_exists(updates) && !json_is(updates, JSON_ARRAY) && !json_is(updates, JSON_NULL))
		str_adds(notes, "No permission was changed: the changes are not a list.\n");
	while (json_next(&it, NULL, &update)) {
		struct permission_change change;
		struct err err = ERR_INIT;

		if (!permission_change_read(&change, update, &arena, &err) ||
		    !perm_update_apply(s, &change, &err))
			str_addf(notes, "A change of permissions was not made: %s\n", err.text);
	}
	if (!session_sandbox_renew(s, s->settings, &s->policy, &why))
		str_addf(notes, "The sandbox stays as it was: %s\n", why.text);
}
