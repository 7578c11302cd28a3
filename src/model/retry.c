#include "model/retry.h"

int64_t retry_backoff(int attempt, int64_t cap_ms, struct rng *rng)
{
	int64_t wait = RETRY_BASE_MS;

	for (int i = 1; i < attempt && wait < cap_ms; i++)
		wait *= 2;
	wait = min_of(wait, cap_ms);
	return wait + (int64_t)rng_below(rng, (uint64_t)wait / 4 + 1);
}

static struct retry_plan retry_plan(enum retry_action action)
{
	return (struct retry_plan){ .action = action };
}

static bool is_crowded(enum model_failure failure)
{
	return failure == MODEL_FAILED_RATE_LIMIT || failure == MODEL_FAILED_OVERLOADED;
}

/* Wait as long as the server asks, up to a limit. If it does not ask, the waits grow. */
static struct retry_plan retry_wait_or_give_up(const struct retry_state *state,
					       const struct retry_rules *rules,
					       const struct model_error *error, struct rng *rng)
{
	bool for_ever = rules->unattended && is_crowded(error->failure);
	int64_t cap = for_ever ? RETRY_UNATTENDED_CAP_MS : RETRY_CAP_MS;
	struct retry_plan p = retry_plan(RETRY_WAIT);

	if (!for_ever && (state->attempts > rules->max_retries || error->should_retry < 0 ||
			  error->retry_after_ms > RETRY_LONGEST_MS))
		return retry_plan(RETRY_GIVE_UP);
	p.wait_ms = error->retry_after_ms >= 0 ? error->retry_after_ms
					       : retry_backoff(state->attempts, cap, rng);
	return p;
}

/* A short wait keeps fast mode, and with it the prompt cache; a long one means
 * that fast mode is off for a while. */
static struct retry_plan retry_after_crowded_fast(struct retry_state *state,
						  const struct retry_rules *rules,
						  const struct model_error *error, struct rng *rng)
{
	struct retry_plan p;

	if (error->retry_after_ms >= 0 && error->retry_after_ms < RETRY_FAST_SHORT_MS)
		return retry_wait_or_give_up(state, rules, error, rng);
	state->slowed = true;
	p = retry_plan(RETRY_SLOW_DOWN);
	p.wait_ms = max_of(error->retry_after_ms, (int64_t)RETRY_FAST_COOLDOWN_MS);
	return p;
}

/* While a service is overloaded, every retry makes it worse. So only requests that a user waits for
 * are retried. */
static struct retry_plan retry_after_overload(struct retry_state *state,
					      const struct retry_rules *rules,
					      const struct model_error *error, struct rng *rng)
{
	if (!rules->foreground)
		return retry_plan(RETRY_GIVE_UP);
	if (++state->overloads >= RETRY_OVERLOADS && rules->has_fallback && !state->fell_back) {
		state->fell_back = true;
		state->overloads = 0;
		return retry_plan(RETRY_FALL_BACK);
	}
	return retry_wait_or_give_up(state, rules, error, rng);
}

static struct retry_plan retry_after_auth(struct retry_state *state,
					  const struct retry_rules *rules)
{
	if (!rules->renewable || state->renewed)
		return retry_plan(RETRY_GIVE_UP);
	state->renewed = true;
	return retry_plan(RETRY_RENEW);
}

/* Requests what the window leaves, once and only if that is enough to be useful. */
static struct retry_plan retry_after_output_limit(struct retry_state *state,
						  const struct model_error *error)
{
	struct retry_plan p = retry_plan(RETRY_SHRINK);
	bool again = state->shrunk;

	state->shrunk = true;
	p.output = error->limit - error->tokens;
	return !again && error->limit && p.output >= RETRY_MIN_OUTPUT ? p
								      : retry_plan(RETRY_GIVE_UP);
}

/* A deployment may have any name, so the model behind it shows only in such an error. */
static struct retry_plan retry_after_invalid(struct retry_state *state,
					     const struct model_error *error)
{
	if (!error->wants_other_limit || state->renamed)
		return retry_plan(RETRY_GIVE_UP);
	state->renamed = true;
	return retry_plan(RETRY_RENAME);
}

/* A server or proxy that breaks streams may still deliver a whole response. */
static struct retry_plan retry_after_broken_stream(struct retry_state *state,
						   const struct retry_rules *rules,
						   const struct model_error *error, struct rng *rng)
{
	if (rules->may_go_whole && !state->whole) {
		state->whole = true;
		return retry_plan(RETRY_WHOLE);
	}
	if (error->failure == MODEL_FAILED_PROTOCOL)
		return retry_plan(RETRY_GIVE_UP);
	return retry_wait_or_give_up(state, rules, error, rng);
}

/* Trying again cannot help against a bad certificate or a bad URL. */
static bool retry_is_passing(const struct model_error *error)
{
	switch (error->err.kind) {
	case ERR_DNS:
	case ERR_REFUSED:
	case ERR_PROXY:
	case ERR_RESET:
	case ERR_PROTOCOL:
	case ERR_TIMEOUT:
	case ERR_TIMEOUT_CONNECT:
	case ERR_TIMEOUT_FIRST_BYTE:
	case ERR_TIMEOUT_IDLE: return true;
	case ERR_NONE:
	case ERR_INVALID:
	case ERR_PARSE:
	case ERR_TOO_BIG:
	case ERR_NOT_FOUND:
	case ERR_EXISTS:
	case ERR_ACCESS:
	case ERR_FULL:
	case ERR_BUSY:
	case ERR_STALE:
	case ERR_UNSUPPORTED:
	case ERR_IO:
	case ERR_CANCELLED:
	case ERR_TLS:
	case ERR_KINDS: return false;
	}
	return false;
}

struct retry_plan retry_decide(struct retry_state *state, const struct retry_rules *rules,
			       const struct model_error *error, bool streamed, struct rng *rng)
{
	state->attempts++;
	if (error->failure != MODEL_FAILED_OVERLOADED)
		state->overloads = 0;
	if (state->fast && error->refuses_fast) {
		state->slowed = true;
		return (struct retry_plan){ .action = RETRY_SLOW_DOWN, .wait_ms = -1 };
	}
	if (state->fast && !state->slowed && is_crowded(error->failure) && rules->foreground)
		return retry_after_crowded_fast(state, rules, error, rng);
	switch (error->failure) {
	case MODEL_FAILED_OVERLOADED: return retry_after_overload(state, rules, error, rng);
	case MODEL_FAILED_AUTH: return retry_after_auth(state, rules);
	case MODEL_FAILED_OUTPUT_LIMIT: return retry_after_output_limit(state, error);
	case MODEL_FAILED_PROTOCOL: return retry_after_broken_stream(state, rules, error, rng);
	case MODEL_FAILED_RATE_LIMIT:
	case MODEL_FAILED_SERVER: return retry_wait_or_give_up(state, rules, error, rng);
	case MODEL_FAILED_NETWORK:
		if (!retry_is_passing(error))
			return retry_plan(RETRY_GIVE_UP);
		if (streamed)
			return retry_after_broken_stream(state, rules, error, rng);
		return retry_wait_or_give_up(state, rules, error, rng);
	case MODEL_FAILED_INVALID: return retry_after_invalid(state, error);
	case MODEL_FAILED_BILLING:
	case MODEL_FAILED_PROMPT_TOO_LONG:
	case MODEL_FAILED_REFUSED:
	case MODEL_FAILED_MEDIA:
	case MODEL_FAILED_NOT_FOUND:
	case MODEL_FAILED_REPLAY:
	case MODEL_FAILED_CANCELLED:
	case MODEL_FAILURES: break;
	}
	return retry_plan(RETRY_GIVE_UP);
}
