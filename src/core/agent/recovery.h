/* recovery.h - what to try when a request fails or a response is cut off, each remedy a bounded
 * number of times in a turn. Pure decisions; the turn carries them out. */
#ifndef AWL_CORE_AGENT_RECOVERY_H
#define AWL_CORE_AGENT_RECOVERY_H

#include "model/model.h"

struct recovery {
	bool drained, compacted; /* the history was made shorter */
	bool refused;            /* a request was repeated after a refusal */
	int continuations;       /* after a response was cut off */
	int pauses;              /* for tools of the server */
	int64_t max_tokens;      /* of a response from now on; 0: the model's default */
	int nudges;              /* to use up the token budget */
	int64_t spent;           /* of it at the last nudge */
	int64_t last_step;       /* spent between the last two */
};

enum recovery_step {
	RECOVER_NOT, /* nothing is left to try */
	RECOVER_DRAIN,
	RECOVER_COMPACT,
	RECOVER_ESCALATE, /* repeat the request with a higher output limit */
	RECOVER_CONTINUE, /* let the model continue where it was cut off */
};

enum recovery_step recovery_after_failure(struct recovery *r, enum model_failure failure);

/* A response was cut off at its limit. Escalating repeats the request, so it is only for a response
 * none of whose calls has run. */
enum recovery_step recovery_after_cut(struct recovery *r, const struct model_info *info,
				      bool has_calls);

/* Whether to continue after a pause for a tool of the server; not forever. */
bool recovery_pause(struct recovery *r);

/* Whether to tell a model that has finished to continue: below nine tenths of the budget, unless it
 * has hardly done anything lately. */
bool recovery_nudge(struct recovery *r, int64_t spent, int64_t budget);

#endif
