/* Slash commands that change how the session works. */
#include "core/commands.h"
#include "model/catalogue/catalogue.h"
#include "text/url.h"

/* Anthropic's own service has no other models; any other host may have a model of any name. */
static bool commands_is_no_model(const struct session *s, struct sv name)
{
	const struct model_config *config = &s->engine->config;
	struct sv id = model_resolve(s->engine->table, name);

	return config->provider == MODEL_ANTHROPIC &&
	       sv_eq_nocase(url_split(sv_cstr(config->base_url)).host, SV("api.anthropic.com")) &&
	       !sv_starts(id, SV("claude-")) && !model_info(s->engine->table, id).known;
}

static void commands_list_models(struct session *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_models models = model_catalogue(&s->engine->config, &s->rules, &arena);

	for (size_t i = 0; i < models.n; i++)
		str_addf(out, "%s%.*s", i ? ", " : "", SV_ARG(models.at[i].value));
}

static bool commands_choose_model(struct session *s, struct sv name, struct err *err)
{
	defer(model_before_clear) struct model_before before = { .context_tokens = 0 };

	if (commands_is_no_model(s, name))
		return err_set(err, ERR_INVALID, "Anthropic has no model called '%.*s'",
			       (int)min_of(name.len, (size_t)80), name.ptr);
	model_before_read(&before, s);
	if (!hooks_allow_model(s, err) || !session_choose_model(s, name, err))
		return false;
	hooks_report_model(s, &before, name, "command");
	return true;
}

bool commands_delay_model(struct session *s, struct sv name)
{
	return name.len && !commands_is_no_model(s, name) && hooks_delay_model(s, name);
}

bool commands_model(struct session *s, struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;
	struct sv model;

	if (rest.len && !commands_choose_model(s, rest, &err)) {
		str_addf(out, "cannot switch: %s; the model is still %.*s. Models: ", err.text,
			 SV_ARG(agent_next_model(s->agent)));
		commands_list_models(s, out);
		return false;
	}
	model = agent_next_model(s->agent);
	str_addf(out, "Model: %.*s.", SV_ARG(model));
	if (rest.len && model_info(s->engine->table, model).known)
		return true;
	if (rest.len)
		str_adds(out, " awl does not know this model, so its limits are guesses and its "
			      "price is unknown.");
	str_adds(out, "\nModels that awl knows here: ");
	commands_list_models(s, out);
	return true;
}
