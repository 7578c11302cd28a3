/* Which model a session asks, and how: what its options, the environment and the settings say, as
 * far as the rules permit it. */
#include "core/session.h"
#include "model/catalogue/provider_allowed.h"
#include "store/settings/settings.h"

/* What the environment says of the model is stronger than any file, and what the user's own says
 * the engine knows: of a project that is trusted. NULL: nothing. */
static const char *model_of_project(const struct session *s, const struct settings *settings)
{
	const char *chosen = s->engine->config.model;
	const char *of_user = settings_str(s->engine->settings, "model");
	bool is_from_file = !chosen || (of_user && sv_is(sv_cstr(chosen), of_user));
	enum settings_source source = settings_source_of(settings, "model");

	if (!is_from_file || !settings_are_projects(source))
		return NULL;
	return settings_str(settings, "model");
}

bool session_read_rules(const struct session *s, const struct settings *settings,
			struct model_rules *out, struct err *err)
{
	const char *wanted = model_of_project(s, settings);

	engine_rules(s->engine, settings, out);
	if (wanted)
		out->wanted = model_resolve(s->engine->table, sv_cstr(wanted));
	return model_rules_check(out, err);
}

/* By the policy, which may also say where a custom endpoint is. */
static bool session_model_check_provider(const struct session *s, struct err *err)
{
	const struct model_config *config = &s->engine->config;
	const char *variable = model_provider_variable(config);
	defer(str_clear) struct str key = STR_INIT;
	defer(str_clear) struct str where = STR_INIT;
	struct json pinned;

	if (s->engine->is_offline || !variable)
		return true;
	str_addf(&key, "env.%s", variable);
	pinned = settings_get_from(s->settings, SETTINGS_POLICY, str_c(&key));
	if (model_provider_need(config, settings_get(s->settings, "allowedProviders"),
				json_str_or(pinned, SV_EMPTY), err))
		return true;
	settings_locate(s->settings, "allowedProviders", &where);
	return err_context(err, "%s", str_c(&where));
}

bool session_choose_model(struct session *s, struct sv name, struct err *err)
{
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str notes = STR_INIT;

	if (!model_rules_find(&s->rules, name, &id, &notes, err))
		return false;
	session_note_start(s, sv_of(&notes));
	agent_set_model(&s->agent, sv_of(&id));
	return true;
}

struct sv session_next_model(const struct session *s)
{
	return sv_of(s->agent.next_model.len ? &s->agent.next_model : &s->agent.model);
}

bool session_may_ask(const struct session *s, struct err *err)
{
	return session_model_check_provider(s, err) &&
	       model_rules_stand(&s->rules, session_next_model(s), err);
}

void session_keep_to_rules(struct session *s)
{
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str note = STR_INIT;
	defer(str_clear) struct str ignored = STR_INIT;
	struct err why = ERR_INIT, err = ERR_INIT;

	if (session_may_ask(s, &why))
		return;
	str_adds(&note, why.text);
	if (session_model_check_provider(s, &err) &&
	    model_rules_find(&s->rules, SV_EMPTY, &id, &ignored, &err)) {
		agent_set_model(&s->agent, sv_of(&id));
		str_addf(&note, "; %s is asked in its place.", str_c(&id));
	} else {
		session_interrupt(s); /* nobody is left to ask */
	}
	session_note_start(s, sv_of(&note));
}

/* As much as the model can by itself, unless told otherwise. */
static void session_model_think_by_default(struct agent *agent)
{
	struct model_info info = model_info(agent->table, sv_of(&agent->model));

	agent->thinking =
		info.abilities & MODEL_THINKS_ADAPTIVE ? MODEL_THINK_ADAPTIVE : MODEL_THINK_OFF;
}

static bool session_model_set_effort(struct session *s, const char *given, struct err *err)
{
	const char *level = s->engine->config.effort ? s->engine->config.effort : given;
	struct agent *agent = &s->agent;
	defer(str_clear) struct str note = STR_INIT;

	if (level && !model_effort_read(&agent->asked_effort, sv_cstr(level), err))
		return false;
	agent_settle_model(agent);
	if (agent->effort < agent->asked_effort)
		str_addf(&note, "The settings permit no more effort than %s.", agent->ctx.effort);
	session_note_start(s, sv_of(&note));
	return true;
}

bool session_set_model(struct session *s, const struct awl_session_options *o, struct err *err)
{
	struct agent *agent = &s->agent;
	defer(str_clear) struct str notes = STR_INIT;

	agent->table = s->engine->table;
	agent->rules = &s->rules;
	if (!session_model_check_provider(s, err) ||
	    !session_read_rules(s, s->settings, &s->rules, err) ||
	    !session_choose_model(s, sv_cstr(o->model), err))
		return false;
	model_rules_fallbacks(&s->rules, o->fallback_model,
			      settings_get(s->settings, "fallbackModel"), &agent->fallbacks,
			      &notes);
	session_note_start(s, sv_of(&notes));
	agent->cache = session_setting_cache(s);
	agent->max_context = s->engine->config.max_context;
	if (settings_bool(s->settings, "alwaysThinkingEnabled"))
		session_model_think_by_default(agent);
	return session_model_set_effort(s, o->effort, err) &&
	       (!o->thinking || model_thinking_read(&agent->thinking, &agent->thinking_budget,
						    sv_cstr(o->thinking), err));
}
