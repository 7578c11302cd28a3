/* What the settings files say about a session in its directory. */
#include "core/session/session_settings.h"

#include "base/log.h"
#include "core/extend/session_styles.h"
#include "core/hooks/hooks.h"
#include "core/policy/policy.h"
#include "core/policy/project.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/session/session_model.h"
#include "core/worktree/session_worktree.h"
#include "hook/guards.h"
#include "store/settings/settings_keys.h"
#include "store/settings/settings_watch.h"
#include "tool/ask_user_question.h"
#include "tool/shell/shell_env.h"

/* Append names from lines such as "hooks.Stop (.claude/settings.json:3)", each once. */
static void session_settings_add_names(struct str *out, struct sv lines)
{
	enum { SHOWN = 5 };
	struct sv line;
	size_t n = 0;

	while (sv_cut_line(&lines, &line))
		if (++n <= SHOWN)
			str_addf(out, "%s%.*s", n > 1 ? ", " : "",
				 SV_ARG(sv_slice(line, 0, sv_find(line, SV(" (")))));
	if (n > SHOWN)
		str_addf(out, " and %zu more", n - SHOWN);
}

/* Note in one line what the project's files would do if the user trusted them. */
static void session_settings_note_untrusted(struct session *s, const struct settings *settings,
					    const struct project *project)
{
	defer(str_clear) struct str ignored = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	project_ignored(project, settings, &ignored);
	if (!ignored.len)
		return;
	project_write_distrust(&text, project);
	str_adds(&text, ", so awl ignores ");
	session_settings_add_names(&text, sv_of(&ignored));
	str_adds(&text, "; 'awl trust' shows them.");
	session_add_notice(s, sv_of(&text));
}

void session_inspect_project(struct session *s, struct project *out)
{
	project_inspect_for(out, s->engine->config_dir, s->shared.project, s->shared.root,
			    &s->sources.trusted_digest);
}

void session_settings_look(struct session *s, struct project *out)
{
	session_inspect_project(s, out);
	out->files.flag = s->sources.flag.len ? s->sources.flag.ptr : s->engine->flag_settings;
	out->files.flag_root = s->sources.flag_root.len ? s->sources.flag_root.ptr : NULL;
	out->files.sources = s->engine->setting_sources;
	out->files.managed = s->engine->managed_settings;
	out->files.helper_from = s->engine->settings;
}

/* Trust the files as they are now for this session. A later change ends that. */
static void session_settings_trust_now(struct session *s)
{
	defer(project_clear) struct project project = PROJECT_INIT;

	session_settings_look(s, &project);
	str_set(&s->sources.trusted_digest, sv_of(&project.trust.digest));
}

static struct settings *session_settings_load(struct session *s, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct settings *settings;

	session_settings_look(s, &project);
	settings = settings_load(&project.files, &notes, err);
	if (!settings)
		return NULL;
	if (!s->settings) /* once, when the session opens */
		hook_guards_describe(&notes, settings);
	session_add_notice(s, sv_of(&notes));
	session_settings_note_untrusted(s, settings, &project);
	return settings;
}

/* How long the provider caches the prompt. The environment overrides the setting. */
enum model_cache session_setting_cache(const struct session *s)
{
	struct sv ttl = sv_cstr(settings_str(s->settings, "promptCacheTtl"));

	if (s->engine->cache == MODEL_CACHE_OFF || !ttl.len)
		return s->engine->cache;
	return sv_is(ttl, "1h") ? MODEL_CACHE_1H : MODEL_CACHE_5M;
}

/* --- while it runs --------------------------------------------------------------------
 *
 * Each part of a session that can change while it runs subscribes to the keys it uses. A
 * change is all or nothing: every part prepares what may fail, and only then do all of them
 * apply it. Keys that no part subscribes to apply to new sessions; the table of settings says
 * so of each (LIVE), and script/lint compares it with the keys here. */

struct settings_change {
	struct session *s;
	struct settings *fresh; /* owned until it is applied; then the session's */
	struct perm_policy policy;
	struct model_rules rules;
	int64_t question_timeout_ms;
	struct str notes;
};

/* The mode under the new settings: default where they disable the present one. */
static const char *session_settings_mode_under(const struct session *s,
					       const struct settings *fresh, struct str *notes)
{
	const char *name = perm_mode_name(s->policy.mode);

	if (!policy_disables(fresh, s->policy.mode))
		return name;
	str_addf(notes, "The settings now disable mode %s; the mode is default.\n", name);
	return perm_mode_name(PERM_DEFAULT);
}

static bool session_settings_prepare_policy(struct settings_change *c, struct err *err)
{
	struct session *s = c->s;
	struct policy_opts opts = { .settings = c->fresh,
				    .home = s->engine->home,
				    .cwd = s->shared.root,
				    .dir = session_worktree_dir(s),
				    .config_root = s->shared.project,
				    .config_dir = s->engine->config_dir,
				    .env = s->engine->helper_env.at,
				    .mode = session_settings_mode_under(s, c->fresh, &c->notes) };

	if (policy_is_unsure(c->fresh))
		return err_set(err, ERR_INVALID, "a file cannot be read");
	return policy_renew(&c->policy, &s->policy, &opts, &c->notes, err);
}

static void session_settings_apply_policy(struct settings_change *c)
{
	struct session *s = c->s;
	enum perm_mode before = s->policy.mode;

	perm_policy_clear(&s->policy);
	s->policy = c->policy;
	c->policy = (struct perm_policy)PERM_POLICY_INIT;
	if (s->policy.mode != before)
		session_emit_mode(s);
}

/* Hooks that run keep the set they came from. */
static void session_settings_apply_hooks(struct settings_change *c)
{
	session_hooks_load(c->s, (struct json){ NULL });
}

/* The sandbox is the last to prepare: it replaces the old one as soon as it succeeds. */
static bool session_settings_prepare_sandbox(struct settings_change *c, struct err *err)
{
	return session_sandbox_renew(c->s, c->fresh, &c->policy, err);
}

static bool session_settings_prepare_models(struct settings_change *c, struct err *err)
{
	return session_read_rules(c->s, c->fresh, &c->rules, err);
}

static void session_settings_apply_models(struct settings_change *c)
{
	c->s->rules = c->rules;
	session_follow_rules(c->s);
}

static void session_settings_apply_auto_mode(struct settings_change *c)
{
	agent_set_auto_rules(c->s->agent, settings_get(c->s->settings, "autoMode"));
}

static bool session_settings_is_same_env(const env_list *a, const env_list *b)
{
	for (size_t i = 0; a->n == b->n && i + 1 < a->n; i++)
		if (strcmp(a->at[i], b->at[i]) != 0)
			return false;
	return a->n == b->n;
}

static void session_settings_renew_env(struct session *s)
{
	env_list fresh = { 0 };

	child_env_build(&fresh, s->engine->base_env.at, settings_get(s->settings, "env"),
			s->engine->withheld);
	if (session_settings_is_same_env(&fresh, &s->child_env)) {
		child_env_clear(&fresh);
		return;
	}
	vec_push(&s->old_envs, s->child_env);
	s->child_env = fresh;
	s->shared.env = s->child_env.at;
}

static void session_settings_apply_commands(struct settings_change *c)
{
	struct session *s = c->s;

	session_settings_renew_env(s);
	s->shared.bash_timeout_ms = shell_env_ms(&s->shared, "BASH_DEFAULT_TIMEOUT_MS");
	s->shared.bash_max_timeout_ms = shell_env_ms(&s->shared, "BASH_MAX_TIMEOUT_MS");
	s->shared.bash_max_output = settings_int(s->settings, "bashOutputMaxChars");
}

static bool session_settings_prepare_questions(struct settings_change *c, struct err *err)
{
	const char *timeout = settings_str(c->fresh, "askUserQuestionTimeout");

	return !timeout || question_timeout_read(&c->question_timeout_ms, sv_cstr(timeout), err);
}

static void session_settings_apply_questions(struct settings_change *c)
{
	c->s->shared.question_timeout_ms = c->question_timeout_ms;
}

static void session_settings_apply_cache(struct settings_change *c)
{
	agent_set_cache(c->s->agent, session_setting_cache(c->s));
}

void session_settings_compact(struct session *s)
{
	const char *window = shell_env_get(&s->shared, "CLAUDE_CODE_AUTO_COMPACT_WINDOW");
	const char *percent = shell_env_get(&s->shared, "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
	struct agent_compacting how = {
		.limit = settings_int(s->settings, "autoCompactWindow"),
		.is_off = !settings_bool(s->settings, "autoCompactEnabled") ||
			  shell_env_is_on(&s->shared, "DISABLE_COMPACT") ||
			  shell_env_is_on(&s->shared, "DISABLE_AUTO_COMPACT"),
	};
	int64_t number;

	if (window && sv_to_int(sv_cstr(window), &number) && number > 0)
		how.limit = number;
	if (percent && sv_to_int(sv_cstr(percent), &number) && number > 0 && number <= 100)
		how.percent = (int)number;
	if (s->compaction.window)
		how.limit = s->compaction.window;
	agent_set_compacting(s->agent, &how);
}

static void session_settings_apply_compact(struct settings_change *c)
{
	session_settings_compact(c->s);
}

static void session_settings_apply_fast(struct settings_change *c)
{
	session_fast_follow(c->s);
}

static void session_settings_apply_style(struct settings_change *c)
{
	session_styles_follow(c->s);
}

/* A key covers everything below it. */
static const struct settings_part {
	const char *keys[12];
	bool (*prepare)(struct settings_change *c, struct err *err); /* NULL: cannot fail */
	void (*apply)(struct settings_change *c);                    /* NULL: nothing is left */
	bool at_opening; /* session_read_settings() applies it, too */
} settings_parts[] = {
	{ { "permissions", "awl.documentationSites", "allowManagedPermissionRulesOnly",
	    "disableAutoMode", "hooks", "disableAllHooks", "allowManagedHooksOnly" },
	  session_settings_prepare_policy,
	  session_settings_apply_policy },
	{ { "allowedProviders", "availableModels", "availableModelsMatch", "deniedModels",
	    "enforceAvailableModels", "maxEffortLevel", "modelOverrides" },
	  session_settings_prepare_models,
	  session_settings_apply_models },
	{ { "hooks", "disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls",
	    "httpHookAllowedEnvVars" },
	  NULL,
	  session_settings_apply_hooks },
	{ { "autoMode" }, NULL, session_settings_apply_auto_mode },
	{ { "env", "bashOutputMaxChars" }, NULL, session_settings_apply_commands, true },
	{ { "askUserQuestionTimeout" },
	  session_settings_prepare_questions,
	  session_settings_apply_questions,
	  true },
	{ { "promptCacheTtl" }, NULL, session_settings_apply_cache },
	{ { "autoCompactEnabled", "autoCompactWindow", "env" },
	  NULL,
	  session_settings_apply_compact },
	{ { "fastMode", "fastModePerSessionOptIn" }, NULL, session_settings_apply_fast },
	{ { "outputStyle" }, NULL, session_settings_apply_style },
	{ { "sandbox" }, session_settings_prepare_sandbox, NULL },
	/* Front ends read these again when they hear of the change. */
	{ { "editorMode", "preferredNotifChannel", "prefersReducedMotion", "spinnerTipsEnabled",
	    "spinnerTipsOverride", "spinnerVerbs", "statusLine", "theme", "verbose" },
	  NULL,
	  NULL },
};

static void settings_change_clear(struct settings_change *c)
{
	settings_free(c->fresh);
	perm_policy_clear(&c->policy);
	str_clear(&c->notes);
}

/* Prepares every part, or only those that a new session opens with. */
static bool settings_change_prepare(struct settings_change *c, bool opening, struct err *err)
{
	c->question_timeout_ms = c->s->shared.question_timeout_ms;
	for (size_t i = 0; i < countof(settings_parts); i++) {
		const struct settings_part *part = &settings_parts[i];

		if (part->prepare && (part->at_opening || !opening) && !part->prepare(c, err))
			return false;
	}
	return true;
}

static void settings_change_apply(struct settings_change *c, bool opening)
{
	settings_free(c->s->settings);
	c->s->settings = move(c->fresh);
	for (size_t i = 0; i < countof(settings_parts); i++) {
		const struct settings_part *part = &settings_parts[i];

		if (part->apply && (part->at_opening || !opening))
			part->apply(c);
	}
	session_add_notice(c->s, sv_of(&c->notes));
}

/* Writes a key to the debug log, with the place that sets it. */
static void session_settings_log_key(const struct settings *settings, const struct setting *key,
				     const char *what)
{
	defer(str_clear) struct str where = STR_INIT;

	settings_locate(settings, key->name, &where);
	log_debug("setting %s%s: %s (%s)", key->name, what, where.len ? str_c(&where) : "not set",
		  setting_applies_text(setting_applies(key)));
}

void session_settings_log(const struct session *s)
{
	if (LOG_DEBUG > log_threshold)
		return;
	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];

		if (!(row->type & SETTING_OBJECT) &&
		    json_exists(settings_get(s->settings, row->name)))
			session_settings_log_key(s->settings, row, "");
	}
}

bool session_read_settings(struct session *s, const struct awl_session_options *o, struct err *err)
{
	defer(settings_change_clear) struct settings_change c = { .s = s,
								  .policy = PERM_POLICY_INIT };

	if (o->trust_project)
		session_settings_trust_now(s);
	s->sources.is_watched = o->watch_settings;
	c.fresh = session_settings_load(s, err);
	if (!c.fresh || !settings_change_prepare(&c, true, err))
		return false;
	settings_change_apply(&c, true);
	return true;
}

/* The keys that differ between the settings in use and new ones. */
struct changed_keys {
	const struct settings *fresh;
	struct str *out;
};

/* Adds "permissions.deny (applies at once)" to a list. */
static void session_settings_add_changed(void *arg, const struct setting *key)
{
	const struct changed_keys *changed = arg;

	if (LOG_DEBUG <= log_threshold)
		session_settings_log_key(changed->fresh, key, " changed");
	str_addf(changed->out, "%s%s (%s)", changed->out->len ? ", " : "", key->name,
		 setting_applies_text(setting_applies(key)));
}

/* Appends the keys that changed to `changed`. When it fails everything stays as it was. */
static bool session_settings_reload(struct session *s, struct str *changed, struct err *err)
{
	defer(settings_change_clear) struct settings_change c = { .s = s,
								  .policy = PERM_POLICY_INIT };

	c.fresh = session_settings_load(s, err);
	if (!c.fresh || !settings_change_prepare(&c, false, err))
		return false;
	settings_compare(s->settings, c.fresh, session_settings_add_changed,
			 &(struct changed_keys){ .fresh = c.fresh, .out = changed });
	settings_change_apply(&c, false);
	return true;
}

void session_settings_renew(struct session *s)
{
	defer(str_clear) struct str changed = STR_INIT;
	struct err err = ERR_INIT;

	if (!session_settings_reload(s, &changed, &err))
		log_warn("the settings stay as they were: %s", err.text);
}

bool session_change_settings(struct session *s, struct json changes, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str changed = STR_INIT;
	struct str before = s->sources.flag, after = STR_INIT;

	session_settings_look(s, &project);
	if (!settings_change_flag(&project.files, changes, &after, &s->sources.flag_root, err))
		return false;
	s->sources.flag = after;
	if (session_settings_reload(s, &changed, err)) {
		str_clear(&before);
		return true;
	}
	str_clear(&s->sources.flag);
	s->sources.flag = before;
	return false;
}

bool session_settings_save(struct session *s, typeof(settings_set) *change,
			   enum settings_source source, struct json_steps steps, struct sv json,
			   struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;

	session_inspect_project(s, &project);
	project.files.watch = s->sources.watch;
	return project_change(&project, change, source, steps, json, err);
}

void session_settings_path(struct session *s, enum settings_source source, struct str *out)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	struct err ignored = ERR_INIT;

	session_settings_look(s, &project);
	(void)!settings_path(&project.files, source, out, &ignored);
}

static void session_settings_on_changed(void *owner, unsigned sources)
{
	struct session *s = owner;

	if (!session_is_closed(s))
		hooks_check_config(s, sources);
}

void session_take_settings(struct session *s)
{
	struct err err = ERR_INIT;
	defer(str_clear) struct str changed = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	if (session_settings_reload(s, &changed, &err))
		str_addf(&text, "Settings changed: %s.",
			 changed.len ? str_c(&changed) : "nothing that awl uses");
	else
		str_addf(&text, "Settings changed, but the previous ones stay in effect: %s",
			 err.text);
	if (!session_has_reader(s)) {
		session_add_notice(s, sv_of(&text));
		return;
	}
	session_inform(s, NOTICE_INFO, sv_of(&text));
	session_emit_notices(s);
}

static void session_settings_on_watch_end(__attribute__((unused)) struct op *op, void *owner,
					  __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->sources.watch = NULL;
	session_settle(s);
}

void session_watch_settings(struct session *s)
{
	defer(project_clear) struct project project = PROJECT_INIT;

	if (s->sources.watch)
		return;
	session_settings_look(s, &project);
	s->sources.watch =
		settings_watch_start(s->engine->loop, &project.files, session_settings_on_changed,
				     THEN(session_settings_on_watch_end, s));
}
