/* recovery.h - what to try when a request fails or an answer is cut off, each thing
 * a bounded number of times in a turn. Pure decisions; the turn carries them out. */
#ifndef AWL_CORE_RECOVERY_H
#define AWL_CORE_RECOVERY_H

#include "model/model.h"

struct recovery {
	bool drained, compacted; /* the history was made shorter */
	bool refused;            /* the model was asked again after a refusal */
	int continuations;       /* after an answer was cut off */
	int pauses;              /* for tools of the server */
	int64_t max_tokens;      /* of an answer from now on; 0: the model's default */
	int nudges;              /* to use up the token budget */
	int64_t spent;           /* of it at the last nudge */
	int64_t last_step;       /* spent between the last two */
};

enum recovery_step {
	RECOVER_NOT, /* that is the end */
	RECOVER_DRAIN,
	RECOVER_COMPACT,
	RECOVER_ESCALATE, /* again, with more room */
	RECOVER_CONTINUE, /* go on where it was cut off */
};

enum recovery_step recovery_after_failure(struct recovery *r, enum model_failure failure);

/* An answer was cut at its limit; escalating means asking again, so it is only for an
 * answer none of whose calls has run. */
enum recovery_step recovery_after_cut(struct recovery *r, const struct model_info *info,
				      bool has_calls);

/* Whether to go on after a pause for a tool of the server: not for ever. */
bool recovery_pause(struct recovery *r);

/* Whether a model that has ended should be told to go on: under nine tenths of the
 * budget, unless it has hardly done anything lately. */
bool recovery_nudge(struct recovery *r, int64_t spent, int64_t budget);

#endif
