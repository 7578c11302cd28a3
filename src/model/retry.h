/* retry.h - private to src/model: decides what to do after a failed attempt. Pure, so that a
 * table in a test can cover every decision. */
#ifndef AWL_MODEL_RETRY_H
#define AWL_MODEL_RETRY_H

#include "base/rng.h"
#include "model/model.h"

enum {
	RETRY_BASE_MS = 500,
	RETRY_CAP_MS = 32 * 1000,
	RETRY_UNATTENDED_CAP_MS = 5 * 60 * 1000,
	RETRY_HEARTBEAT_MS = 30 * 1000,
	RETRY_LONGEST_MS =
		6 * 3600 * 1000, /* longest wait requested by a server that awl honours */
	RETRY_OVERLOADS = 3,     /* consecutive overloads before the fallback model is used */
	RETRY_FAST_SHORT_MS = 20 * 1000,         /* a wait up to this length keeps fast mode */
	RETRY_FAST_COOLDOWN_MS = 10 * 60 * 1000, /* minimum */
	RETRY_MIN_OUTPUT = 3000,                 /* smallest max_tokens worth requesting */
};

/* Properties of a request that do not change between attempts. */
struct retry_rules {
	int max_retries;
	bool foreground; /* a user waits for the response */
	bool unattended;
	bool renewable; /* the credential can be fetched again */
	bool may_go_whole;
	bool has_fallback;
};

/* What has happened so far; zero at the start. */
struct retry_state {
	int attempts;  /* failed attempts */
	int overloads; /* in a row */
	bool renewed, whole, fell_back, slowed, shrunk, renamed;
	bool fast; /* this request uses fast mode */
};

enum retry_action {
	RETRY_GIVE_UP,
	RETRY_WAIT,      /* wait, then send the same request */
	RETRY_RENEW,     /* renew the credential, then retry at once */
	RETRY_WHOLE,     /* retry at once, without streaming */
	RETRY_FALL_BACK, /* retry at once with the fallback model */
	RETRY_SLOW_DOWN, /* retry at once without fast mode; wait_ms is the cooldown, -1: for good */
	RETRY_SHRINK,    /* retry at once with max_tokens = output */
	RETRY_RENAME,    /* retry at once with the output limit under its other name */
};

struct retry_plan {
	enum retry_action action;
	int64_t wait_ms;
	int64_t output;
};

/* Records the failure in `state` and returns the next step. `streamed`: the response had begun
 * when it failed. */
struct retry_plan retry_decide(struct retry_state *state, const struct retry_rules *rules,
			       const struct model_error *error, bool streamed, struct rng *rng);

/* Returns 500 ms x 2^(attempt - 1), at most `cap_ms`, plus up to 25 % of random jitter. */
int64_t retry_backoff(int attempt, int64_t cap_ms, struct rng *rng);

#endif
