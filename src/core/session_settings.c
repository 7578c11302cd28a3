/* What the settings files say about a session in its directory. */
#include "base/limits.h"
#include "core/policy.h"
#include "core/project.h"
#include "core/session.h"
#include "core/session_sandbox.h"
#include "store/settings/settings_watch.h"
#include "tool/ask_user_question.h"
#include "tool/shell/shell_env.h"

/* Of what a stranger's files want, the user hears, and how to say yes to it. */
static void session_settings_tell_ignored(struct session *s, const struct settings *settings,
					  const struct project *project)
{
	defer(str_clear) struct str ignored = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;
	size_t n = 0;

	project_ignored(project, settings, &ignored);
	if (!ignored.len)
		return;
	str_addf(&text,
		 "The files of this project %s, so these parts of them are not used (look at them, "
		 "then run 'awl trust'):\n",
		 project->trust.state == TRUST_NEVER_GIVEN ? "are not trusted"
							   : "have changed since you trusted them");
	rest = sv_of(&ignored);
	while (sv_cut_line(&rest, &line))
		if (++n <= LIMIT_SETTINGS_NOTES)
			str_addf(&text, "  %.*s\n", SV_ARG(line));
	if (n > LIMIT_SETTINGS_NOTES)
		str_addf(&text, "  and %zu more, which 'awl trust --show' lists\n",
			 n - LIMIT_SETTINGS_NOTES);
	session_note_start(s, sv_of(&text));
}

/* The files that have a say here. */
static void session_settings_look(struct session *s, struct project *out)
{
	project_look(out, s->engine->config_dir, s->shared.root, &s->vouched_for);
	out->files.flag = s->flag_settings.len ? s->flag_settings.ptr : s->engine->flag_settings;
	out->files.flag_root = s->flag_root.len ? s->flag_root.ptr : NULL;
	out->files.sources = s->engine->setting_sources;
	out->files.managed = s->engine->managed_settings;
	out->files.asked = s->engine->settings;
}

/* For the files as they are now; what becomes of them later nobody has seen. */
static void session_settings_vouch(struct session *s)
{
	defer(project_clear) struct project project = PROJECT_INIT;

	session_settings_look(s, &project);
	str_set(&s->vouched_for, sv_of(&project.trust.digest));
}

static struct settings *session_settings_load(struct session *s, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct settings *settings;

	session_settings_look(s, &project);
	settings = settings_load(&project.files, &notes, err);
	if (settings) {
		session_note_start(s, sv_of(&notes));
		session_settings_tell_ignored(s, settings, &project);
	}
	return settings;
}

static bool session_settings_take_timeout(struct session *s, struct err *err)
{
	const char *timeout = settings_str(s->settings, "askUserQuestionTimeout");

	return !timeout ||
	       question_timeout_read(&s->shared.question_timeout_ms, sv_cstr(timeout), err);
}

bool session_read_settings(struct session *s, const struct awl_session_options *o, struct err *err)
{
	if (o->trust_project)
		session_settings_vouch(s);
	s->watches_settings = o->watch_settings;
	s->settings = session_settings_load(s, err);
	if (!s->settings || !session_settings_take_timeout(s, err))
		return false;
	child_env_build(&s->child_env, s->engine->child_env.at, settings_get(s->settings, "env"),
			s->engine->withheld);
	s->shared.env = s->child_env.at;
	s->shared.bash_timeout_ms = shell_env_ms(&s->shared, "BASH_DEFAULT_TIMEOUT_MS");
	s->shared.bash_max_timeout_ms = shell_env_ms(&s->shared, "BASH_MAX_TIMEOUT_MS");
	s->shared.bash_max_output = settings_int(s->settings, "bashOutputMaxChars");
	s->agent.auto_rules = settings_get(s->settings, "autoMode");
	return true;
}

/* Whether it is off, or how long it lasts, the environment may have said. */
enum model_cache session_setting_cache(const struct session *s)
{
	struct sv ttl = sv_cstr(settings_str(s->settings, "promptCacheTtl"));

	if (s->engine->cache == MODEL_CACHE_OFF || !ttl.len)
		return s->engine->cache;
	return sv_is(ttl, "1h") ? MODEL_CACHE_1H : MODEL_CACHE_5M;
}

/* --- while it runs -------------------------------------------------------------------- */

/* A mode that may not be chosen any more is left. */
static const char *session_settings_mode_under(const struct session *s,
					       const struct settings *fresh, struct str *notes)
{
	const char *name = perm_mode_name(s->policy.mode);

	if (!policy_disables(fresh, s->policy.mode))
		return name;
	str_addf(notes, "The settings now disable mode %s; the mode is default.\n", name);
	return perm_mode_name(PERM_DEFAULT);
}

/* All or nothing: what cannot be read leaves what was, and what that forbids. */
static bool session_settings_reload(struct session *s, struct err *err)
{
	defer(settings_freep) struct settings *fresh = session_settings_load(s, err);
	struct policy_opts opts = { .settings = fresh,
				    .home = s->engine->home,
				    .cwd = s->shared.root,
				    .config_dir = s->engine->config_dir,
				    .env = s->engine->helper_env.at };
	enum perm_mode mode = s->policy.mode;
	struct model_rules rules;
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(str_clear) struct str notes = STR_INIT;

	if (!fresh)
		return false;
	if (policy_is_unsure(fresh))
		return err_set(err, ERR_INVALID, "a file cannot be read");
	if (!session_read_rules(s, fresh, &rules, err))
		return false;
	opts.mode = session_settings_mode_under(s, fresh, &notes);
	if (!policy_renew(&policy, &s->policy, &opts, &notes, err) ||
	    !session_sandbox_renew(s, fresh, &policy, err))
		return false;
	perm_policy_clear(&s->policy);
	s->policy = policy;
	policy = (struct perm_policy)PERM_POLICY_INIT;
	settings_free(s->settings);
	s->settings = move(fresh);
	s->agent.auto_rules = settings_get(s->settings, "autoMode");
	s->rules = rules;
	session_note_start(s, sv_of(&notes));
	session_keep_to_rules(s);
	if (s->policy.mode != mode)
		session_tell_mode(s);
	return true;
}

bool session_change_settings(struct session *s, struct json changes, struct err *err)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	struct str before = s->flag_settings, after = STR_INIT;

	session_settings_look(s, &project);
	if (!settings_change_flag(&project.files, changes, &after, &s->flag_root, err))
		return false;
	s->flag_settings = after;
	if (session_settings_reload(s, err)) {
		str_clear(&before);
		return true;
	}
	str_clear(&s->flag_settings);
	s->flag_settings = before;
	return false;
}

static void session_settings_on_changed(void *owner, __attribute__((unused)) unsigned sources)
{
	struct session *s = owner;
	struct err err = ERR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	if (s->is_closed)
		return;
	if (session_settings_reload(s, &err))
		str_adds(&text, "The settings have changed. What they permit and forbid holds from "
				"now on, all else in the next session.");
	else
		str_addf(&text, "The settings have changed, but those before still hold: %s",
			 err.text);
	if (!s->has_asked) { /* nobody listens yet */
		session_note_start(s, sv_of(&text));
		return;
	}
	session_inform(s, "info", sv_of(&text));
	session_tell_notes(s);
}

static void session_settings_on_watch_end(__attribute__((unused)) struct op *op, void *owner,
					  __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->settings_watch = NULL;
	if (s->is_closed)
		session_vanish(s);
}

void session_watch_settings(struct session *s)
{
	defer(project_clear) struct project project = PROJECT_INIT;

	if (s->settings_watch)
		return;
	session_settings_look(s, &project);
	s->settings_watch =
		settings_watch_start(s->engine->loop, &project.files, session_settings_on_changed,
				     THEN(session_settings_on_watch_end, s));
}
