#include "model/catalogue/effort.h"

static const char *const names[] = {
	[MODEL_EFFORT_DEFAULT] = NULL,    [MODEL_EFFORT_LOW] = "low",
	[MODEL_EFFORT_MEDIUM] = "medium", [MODEL_EFFORT_HIGH] = "high",
	[MODEL_EFFORT_XHIGH] = "xhigh",   [MODEL_EFFORT_MAX] = "max",
};

const char *model_effort_name(enum model_effort effort)
{
	return names[effort];
}

bool model_effort_read(enum model_effort *out, struct sv name, struct err *err)
{
	for (size_t i = MODEL_EFFORT_LOW; i < countof(names); i++) {
		if (sv_is(name, names[i])) {
			*out = (enum model_effort)i;
			return true;
		}
	}
	return err_set(err, ERR_INVALID,
		       "effort must be low, medium, high, xhigh or max, not '%.*s'",
		       SV_ARG(sv_slice(name, 0, 40)));
}

enum model_effort model_effort_in(struct json object, const char *key)
{
	enum model_effort effort = MODEL_EFFORT_DEFAULT;
	struct err ignored = ERR_INIT;

	(void)!model_effort_read(&effort, json_str_or(json_get(object, key), SV_EMPTY), &ignored);
	return effort;
}

bool model_thinking_read(enum model_thinking *out, int64_t *budget, struct sv how, struct err *err)
{
	int64_t tokens;

	if (sv_is(how, "adaptive")) {
		*out = MODEL_THINK_ADAPTIVE;
	} else if (sv_is(how, "disabled") || sv_is(how, "0")) {
		*out = MODEL_THINK_OFF;
	} else if (sv_to_int(how, &tokens) && tokens > 0) {
		*out = MODEL_THINK_BUDGET;
		*budget = tokens;
	} else {
		return err_set(
			err, ERR_INVALID,
			"thinking must be 'adaptive', 'disabled' or a number of tokens, not '%.*s'",
			SV_ARG(sv_slice(how, 0, 40)));
	}
	return true;
}

static const char *const displays[] = {
	[MODEL_DISPLAY_DEFAULT] = NULL,
	[MODEL_DISPLAY_SUMMARIZED] = "summarized",
	[MODEL_DISPLAY_OMITTED] = "omitted",
};

const char *model_display_name(enum model_display display)
{
	return displays[display];
}

bool model_display_read(enum model_display *out, struct sv name, struct err *err)
{
	for (size_t i = MODEL_DISPLAY_SUMMARIZED; i < countof(displays); i++) {
		if (sv_is(name, displays[i])) {
			*out = (enum model_display)i;
			return true;
		}
	}
	if (sv_is(name, "highlights"))
		return err_set(err, ERR_UNSUPPORTED,
			       "thinking can be displayed as highlights only in sessions that "
			       "Anthropic hosts; use 'summarized' or 'omitted'");
	return err_set(err, ERR_INVALID,
		       "the display of thinking must be 'summarized' or 'omitted', not '%.*s'",
		       SV_ARG(sv_slice(name, 0, 40)));
}
