/* turn.h - from a prompt to the end of the work it asks for: requests and tool
 * calls in turns, until the model has nothing more to do, somebody says stop, or a
 * limit is reached. A machine, and an op:
 *
 *   PREPARE > STREAM > TOOLS > PREPARE ...
 *                    \ CLOSING > DONE
 *
 * Every way on has a go_reason (told as EVENT_TRANSITION), every end an end_reason.
 * Cancelling it is the user's interrupt: what has been said so far stays, each call
 * has its result, and the history ends with a mark. */
#ifndef AWL_CORE_TURN_H
#define AWL_CORE_TURN_H

#include "core/agent.h"

struct turn_denial {
	struct str tool, id, input;
};

struct turn_outcome {
	enum end_reason reason;
	struct str text;      /* of the last answer, or of what went wrong */
	struct str stop_name; /* of the last answer; may be empty */
	int api_status;       /* of an API error */
	bool is_error;
	int64_t num_turns; /* 1 + messages of the user's side added meanwhile */
	int64_t ttft_ms;   /* -1: nothing came */
	int64_t duration_ms;
	struct usage usage;
	VEC(struct turn_denial) denials;
};

/* The history ends with the prompt. */
struct op *turn_start(struct agent *agent, struct then then);
/* In `done`. */
const struct turn_outcome *turn_outcome(const struct op *op);

#endif
