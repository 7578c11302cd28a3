#include "model/effort.h"

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
		       "the effort is low, medium, high, xhigh or max, not '%.*s'",
		       SV_ARG(sv_slice(name, 0, 40)));
}
