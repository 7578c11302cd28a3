/* Which model a session uses, and how: what options, environment and settings say, as far as the
 * rules allow it. */
#include "core/session/session_model.h"

#include "core/session/session_internal.h"
#include "core/session/session_open.h"
#include "core/session/session_settings.h"
#include "model/catalogue/provider_allowed.h"
#include "store/settings/settings.h"

/* The model that a trusted project's settings name; NULL: none. The environment overrides every
 * file, and the engine has applied the user's own settings already. */
static const char *session_model_of_project(const struct session *s,
					    const struct settings *settings)
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
	const char *wanted = session_model_of_project(s, settings);

	engine_rules(s->engine, settings, out);
	if (wanted)
		out->wanted = model_resolve(s->engine->table, sv_cstr(wanted));
	return model_rules_check(out, err);
}

/* Check the provider against the policy, which may also pin a custom endpoint. */
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
	if (model_provider_check(config, settings_get(s->settings, "allowedProviders"),
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
	session_add_notice(s, sv_of(&notes));
	agent_set_model(s->agent, sv_of(&id));
	return true;
}

bool session_lacks_model(const struct session *s)
{
	return sv_is(agent_next_model(s->agent), MODEL_UNDECIDED);
}

bool session_take_model(struct session *s, struct sv id, struct err *err)
{
	model_table_alias(s->engine->table, SV("default"), id);
	s->rules.usual = model_resolve(s->engine->table, SV("default"));
	if (!session_choose_model(s, SV("default"), err))
		return false;
	session_write_prompt(s, NULL, NULL);
	return true;
}

bool session_check_model(const struct session *s, struct err *err)
{
	return session_model_check_provider(s, err) &&
	       model_rules_stand(&s->rules, agent_next_model(s->agent), err);
}

void session_follow_rules(struct session *s)
{
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str note = STR_INIT;
	defer(str_clear) struct str ignored = STR_INIT;
	struct err why = ERR_INIT, err = ERR_INIT;

	if (session_check_model(s, &why))
		return;
	str_adds(&note, why.text);
	if (session_model_check_provider(s, &err) &&
	    model_rules_find(&s->rules, SV_EMPTY, &id, &ignored, &err)) {
		agent_set_model(s->agent, sv_of(&id));
		str_addf(&note, "; using %s instead.", str_c(&id));
	} else {
		session_interrupt(s); /* no model is left to answer */
	}
	session_add_notice(s, sv_of(&note));
}

static bool session_model_read_effort(struct session *s, const char *given, struct sv id,
				      enum model_effort *out, struct err *err)
{
	const char *level = s->engine->config.effort ? s->engine->config.effort : given;
	enum model_effort allowed;
	defer(str_clear) struct str note = STR_INIT;

	if (level && !model_effort_read(out, sv_cstr(level), err))
		return false;
	allowed = model_rules_effort(&s->rules, id, *out);
	if (allowed < *out)
		str_addf(&note, "The settings allow no more effort than %s.",
			 model_effort_name(allowed));
	session_add_notice(s, sv_of(&note));
	return true;
}

/* Models think unless the settings turn it off. MAX_THINKING_TOKENS turns it on again, or off if it
 * is 0. */
static bool session_model_read_thinking(struct session *s, const char *given,
					struct agent_model_spec *spec, struct err *err)
{
	struct model_info info = model_info(s->engine->table, spec->id);
	bool thinks = info.abilities & (MODEL_THINKS | MODEL_THINKS_ADAPTIVE);
	bool is_wanted = settings_bool(s->settings, "alwaysThinkingEnabled") ||
			 s->engine->config.max_thinking > 0;
	defer(str_clear) struct str note = STR_INIT;

	if (thinks && is_wanted && !s->engine->config.no_thinking)
		spec->thinking = MODEL_THINK_ADAPTIVE;
	if (!given)
		return true;
	if (!model_thinking_read(&spec->thinking, &spec->thinking_budget, sv_cstr(given), err))
		return false;
	if (spec->thinking == MODEL_THINK_BUDGET && thinks && !(info.abilities & MODEL_THINKS))
		str_addf(
			&note,
			"A limit of thinking tokens has no effect on %.*s, which decides by itself "
			"how much to think. Use --effort instead.",
			SV_ARG(spec->id));
	session_add_notice(s, sv_of(&note));
	return true;
}

bool session_choose_first_model(struct session *s, const struct awl_session_options *o,
				struct session_model *out, struct err *err)
{
	defer(str_clear) struct str notes = STR_INIT;
	struct agent_model_spec *spec = &out->spec;

	if (!session_model_check_provider(s, err) ||
	    !session_read_rules(s, s->settings, &s->rules, err) ||
	    !model_rules_find(&s->rules, sv_cstr(o->model), &out->id, &notes, err))
		return false;
	spec->id = sv_of(&out->id);
	model_rules_fallbacks(&s->rules, o->fallback_model,
			      settings_get(s->settings, "fallbackModel"), &out->fallbacks, &notes);
	spec->fallbacks = sv_of(&out->fallbacks);
	session_add_notice(s, sv_of(&notes));
	spec->cache = session_setting_cache(s);
	spec->max_context = s->engine->config.max_context;
	spec->task_budget = o->task_budget;
	if (o->thinking_display &&
	    !model_display_read(&spec->display, sv_cstr(o->thinking_display), err))
		return false;
	return session_model_read_effort(s, o->effort, spec->id, &spec->effort, err) &&
	       session_model_read_thinking(s, o->thinking, spec, err);
}

void session_model_clear(struct session_model *model)
{
	str_clear(&model->id);
	str_clear(&model->fallbacks);
}
