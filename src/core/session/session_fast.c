/* Fast mode: the same model answers sooner, at a higher price. Only some models of Anthropic's own service have it,
 * with a limit of their own: beyond it, the client asks at standard speed for a while (retry.h).
 *
 * Because it costs more, a program has to ask for it when it starts the session: a setting that a user keeps for the
 * terminal does not count there. */
#include "core/commands/commands.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "model/catalogue/models.h"
#include "store/settings/settings.h"
#include "tool/shell/shell_env.h"

static bool session_fast_is(const struct session *s, enum settings_source source, const char *key,
			    bool value)
{
	bool setting;

	return json_bool(settings_get_from(s->settings, source, key), &setting) && setting == value;
}

/* What stands in the way, whatever the model is. */
static enum fast_obstacle session_fast_barrier(const struct session *s)
{
	if (shell_env_is_on(&s->shared, "CLAUDE_CODE_DISABLE_FAST_MODE"))
		return FAST_DISABLED_BY_ENV;
	if (s->engine->config.provider != MODEL_ANTHROPIC)
		return FAST_NOT_FIRST_PARTY;
	if (session_fast_is(s, SETTINGS_POLICY, "fastMode", false) ||
	    (s->engine->client && model_client_fast(s->engine->client).is_refused))
		return FAST_REFUSED;
	if (session_is_at_terminal(s))
		return FAST_POSSIBLE;
	if (session_fast_is(s, SETTINGS_POLICY, "fastModePerSessionOptIn", true))
		return FAST_REFUSED;
	return session_fast_is(s, SETTINGS_FLAG, "fastMode", true) ? FAST_POSSIBLE
								   : FAST_NEEDS_OPT_IN;
}

static enum fast_obstacle session_fast_obstacle(const struct session *s)
{
	enum fast_obstacle barrier = session_fast_barrier(s);

	if (barrier != FAST_POSSIBLE)
		return barrier;
	return model_runs_fast(s->engine->table, agent_next_model(s->agent)) ? FAST_POSSIBLE
									     : FAST_NOT_THIS_MODEL;
}

static int64_t session_fast_cooldown(const struct session *s)
{
	return s->engine->client ? model_client_fast(s->engine->client).cooldown_ms : 0;
}

struct fast_mode session_fast_mode(const struct session *s)
{
	struct fast_mode fast = { .obstacle = session_fast_obstacle(s) };

	if (s->fast.is_wanted && fast.obstacle == FAST_POSSIBLE)
		fast.state = session_fast_cooldown(s) > 0 ? FAST_COOLDOWN : FAST_ON;
	return fast;
}

static void session_fast_apply(struct session *s)
{
	agent_set_fast(s->agent, s->fast.is_wanted && session_fast_barrier(s) == FAST_POSSIBLE);
}

/* A choice that the user has made in the session lasts until the settings say something else. */
void session_fast_follow(struct session *s)
{
	bool setting = session_is_at_terminal(s)
			       ? settings_bool(s->settings, "fastMode") &&
					 !settings_bool(s->settings, "fastModePerSessionOptIn")
			       : session_fast_is(s, SETTINGS_FLAG, "fastMode", true);

	if (setting != s->fast.is_set)
		s->fast.is_wanted = setting;
	s->fast.is_set = setting;
	session_fast_apply(s);
}

/* --- /fast ------------------------------------------------------------------------------------ */

static void session_fast_explain(const struct session *s, struct str *out,
				 enum fast_obstacle obstacle)
{
	switch (obstacle) {
	case FAST_POSSIBLE:
	case FAST_OBSTACLES: break;
	case FAST_DISABLED_BY_ENV: str_adds(out, "CLAUDE_CODE_DISABLE_FAST_MODE is set"); break;
	case FAST_NOT_FIRST_PARTY:
		str_adds(out, "only Anthropic's own service has a fast mode");
		break;
	case FAST_REFUSED: str_adds(out, "your organization has turned fast mode off"); break;
	case FAST_NEEDS_OPT_IN:
		str_adds(out, "without a terminal, fast mode needs --settings "
			      "'{\"fastMode\":true}' when the session starts");
		break;
	case FAST_NOT_THIS_MODEL:
		str_addf(out, "%.*s has no fast mode; /model opus chooses a model that has one",
			 SV_ARG(agent_next_model(s->agent)));
		break;
	}
}

static void session_fast_describe(const struct session *s, struct str *out)
{
	struct fast_mode fast = session_fast_mode(s);
	struct model_info info = model_info(s->engine->table, agent_next_model(s->agent));
	const struct price *price = &info.price;

	if (fast.state == FAST_OFF) {
		str_adds(out, "Fast mode is off.");
		if (!s->fast.is_wanted)
			return;
		str_adds(out, " It cannot be used: ");
		session_fast_explain(s, out, fast.obstacle);
		str_addc(out, '.');
		return;
	}
	str_adds(out, "Fast mode is on.");
	if (price->input >= 0 && price->output >= 0 && price->fast_percent)
		str_addf(out, " %.*s costs $%g in and $%g out per million tokens.",
			 SV_ARG(info.name), (double)price->input * price->fast_percent / 1e5,
			 (double)price->output * price->fast_percent / 1e5);
	if (fast.state == FAST_COOLDOWN)
		str_addf(out, " Its limit is reached: requests go at standard speed for %lld min.",
			 (long long)(session_fast_cooldown(s) + 59999) / 60000);
}

static void session_fast_keep(struct session *s, struct str *out)
{
	struct err err = ERR_INIT;

	if (session_is_at_terminal(s) && !s->engine->is_offline &&
	    !commands_save_setting(s, "fastMode", s->fast.is_wanted ? SV("true") : SV_EMPTY, &err))
		str_addf(out, " The setting was not saved: %s.", err.text);
}

bool commands_fast(struct session *s, struct sv rest, struct str *out)
{
	bool on = sv_is(rest, "on");

	if (!rest.len) {
		session_fast_describe(s, out);
		return true;
	}
	if (!on && !sv_is(rest, "off")) {
		str_adds(out, "use 'on' or 'off'");
		return false;
	}
	if (on && session_fast_obstacle(s) != FAST_POSSIBLE) {
		session_fast_explain(s, out, session_fast_obstacle(s));
		return false;
	}
	s->fast.is_wanted = on;
	session_fast_apply(s);
	session_fast_describe(s, out);
	session_fast_keep(s, out);
	return true;
}
