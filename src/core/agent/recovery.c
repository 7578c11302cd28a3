#include "core/agent/recovery.h"

enum {
	CONTINUATIONS = 3,
	PAUSES = 16,
	ESCALATED_TOKENS = 64000,
	NUDGES_BEFORE_DOUBT = 3,
	HARDLY = 500
};

static bool recovery_first_time(bool *tried)
{
	bool first = !*tried;

	*tried = true;
	return first;
}

enum recovery_step recovery_after_failure(struct recovery *r, enum model_failure failure)
{
	bool is_too_long =
		failure == MODEL_FAILED_PROMPT_TOO_LONG || failure == MODEL_FAILED_OUTPUT_LIMIT;

	if (is_too_long && recovery_first_time(&r->drained))
		return RECOVER_DRAIN;
	if ((is_too_long || failure == MODEL_FAILED_MEDIA) && recovery_first_time(&r->compacted))
		return RECOVER_COMPACT;
	return RECOVER_NOT;
}

enum recovery_step recovery_after_cut(struct recovery *r, const struct model_info *info,
				      bool has_calls)
{
	int64_t more = min_of(info->max_output, (int64_t)ESCALATED_TOKENS);
	int64_t now = r->max_tokens ? r->max_tokens : info->default_output;

	if (!has_calls && now < more) {
		r->max_tokens = more;
		return RECOVER_ESCALATE;
	}
	return r->continuations++ < CONTINUATIONS ? RECOVER_CONTINUE : RECOVER_NOT;
}

bool recovery_pause(struct recovery *r)
{
	return r->pauses++ < PAUSES;
}

bool recovery_nudge(struct recovery *r, int64_t spent, int64_t budget)
{
	int64_t step = spent - r->spent;
	bool is_stuck = r->nudges >= NUDGES_BEFORE_DOUBT && step < HARDLY && r->last_step < HARDLY;

	if (budget <= 0 || spent >= budget / 10 * 9 || is_stuck)
		return false;
	r->nudges++;
	r->last_step = step;
	r->spent = spent;
	return true;
}
