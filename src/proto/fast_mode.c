#include "proto/fast_mode.h"

static const char *const fast_states[FAST_STATES] = {
	[FAST_OFF] = "off",
	[FAST_COOLDOWN] = "cooldown",
	[FAST_ON] = "on",
};

static const char *const fast_obstacles[FAST_OBSTACLES] = {
	[FAST_POSSIBLE] = "",
	[FAST_DISABLED_BY_ENV] = "disabled_by_env",
	[FAST_NOT_FIRST_PARTY] = "not_first_party",
	[FAST_REFUSED] = "preference",
	[FAST_NEEDS_OPT_IN] = "sdk_opt_in_required",
	[FAST_NOT_THIS_MODEL] = "model_not_allowed",
};

const char *fast_state_name(enum fast_state state)
{
	return fast_states[state];
}

void fast_mode_put(struct jw *w, const struct fast_mode *fast)
{
	jw_put_str(w, "fast_mode_state", sv_cstr(fast_states[fast->state]));
	if (fast->obstacle != FAST_POSSIBLE)
		jw_put_str(w, "fast_mode_disabled_reason", sv_cstr(fast_obstacles[fast->obstacle]));
}

void fast_mode_read(struct fast_mode *out, struct json object)
{
	struct sv state = json_str_or(json_get(object, "fast_mode_state"), SV_EMPTY);
	struct sv obstacle = json_str_or(json_get(object, "fast_mode_disabled_reason"), SV_EMPTY);

	*out = (struct fast_mode){ .state = FAST_OFF };
	for (size_t i = 0; i < FAST_STATES; i++)
		if (sv_is(state, fast_states[i]))
			out->state = (enum fast_state)i;
	for (size_t i = 0; i < FAST_OBSTACLES; i++)
		if (sv_is(obstacle, fast_obstacles[i]))
			out->obstacle = (enum fast_obstacle)i;
}
