/* retry.h - private to src/model: what to do after a failed attempt. Pure, so
 * that every row of the decision is a line in a test. */
#ifndef AWL_MODEL_RETRY_H
#define AWL_MODEL_RETRY_H

#include "base/rng.h"
#include "model/model.h"

enum {
	RETRY_BASE_MS = 500,
	RETRY_CAP_MS = 32 * 1000,
	RETRY_UNATTENDED_CAP_MS = 5 * 60 * 1000,
	RETRY_HEARTBEAT_MS = 30 * 1000,
	RETRY_LONGEST_MS = 10 * 60 * 1000,       /* a server's wait that is waited */
	RETRY_OVERLOADS = 3,                     /* in a row, then the fallback model */
	RETRY_FAST_SHORT_MS = 20 * 1000,         /* a wait that keeps fast mode */
	RETRY_FAST_COOLDOWN_MS = 10 * 60 * 1000, /* at least */
	RETRY_MIN_OUTPUT = 3000,                 /* tokens worth asking for */
};

/* What holds for a request whatever happens. */
struct retry_rules {
	int max_retries;
	bool foreground; /* somebody waits for the answer */
	bool unattended;
	bool renewable; /* the credential can be fetched again */
	bool may_go_whole;
	bool has_fallback;
};

/* What has happened so far; zero at the start. */
struct retry_state {
	int attempts;  /* failed ones */
	int overloads; /* in a row */
	bool renewed, whole, fell_back, slowed, shrunk;
	bool fast; /* this request asks for fast mode */
};

enum retry_action {
	RETRY_GIVE_UP,
	RETRY_WAIT,      /* then the same again */
	RETRY_RENEW,     /* the credential, then at once */
	RETRY_WHOLE,     /* at once, without streaming */
	RETRY_FALL_BACK, /* at once, with the fallback model */
	RETRY_SLOW_DOWN, /* at once, without fast mode; wait_ms is the cooldown */
	RETRY_SHRINK,    /* at once, with max_tokens = output */
};

struct retry_plan {
	enum retry_action action;
	int64_t wait_ms;
	int64_t output;
};

/* Counts the failure into `state` and says what follows. `streamed` tells that
 * the failure hit an answer that had begun. */
struct retry_plan retry_decide(struct retry_state *state, const struct retry_rules *rules,
			       const struct model_error *error, bool streamed, struct rng *rng);

/* 500 ms x 2^(attempt - 1), at most `cap_ms`, plus up to a quarter by chance. */
int64_t retry_backoff(int attempt, int64_t cap_ms, struct rng *rng);

#endif
