/* turn.h - one prompt to its result: requests and tool calls alternate until the model is done,
 * the user interrupts, or a limit is reached. A machine (turn.c) and an op.
 *
 * Every step on has a go_reason (emitted as EVENT_TRANSITION), every end an end_reason. Cancelling
 * the op is the user's interrupt: what the model has written so far stays, each call has its
 * result, and the history ends with a mark of the interrupt. */
#ifndef AWL_CORE_AGENT_TURN_H
#define AWL_CORE_AGENT_TURN_H

#include "core/agent/agent.h"

/* A call that was not run. */
struct turn_denial {
	struct str tool, id, input;
};

struct turn_outcome {
	enum end_reason reason;
	struct str text;      /* of the last response, or what went wrong */
	struct str stop_name; /* of the last response; may be empty */
	int api_status;       /* of an API error */
	const char *error;    /* its class, "overloaded"; NULL: there was none */
	bool is_error;
	int64_t num_turns; /* 1 + messages of the user's side appended during the turn */
	int64_t ttft_ms;   /* -1: nothing came */
	int64_t duration_ms;
	struct usage usage;
	VEC(struct turn_denial) denials;
	struct turn_denial deferred; /* of END_TOOL_DEFERRED; else empty */
};

/* The history ends with the prompt. */
struct op *turn_start(struct agent *agent, struct then then);
/* Cancels a turn because another prompt replaces it: no mark is left. NULL is fine. */
void turn_supersede(struct op *op);
/* Lets a call that runs continue in the background, if its tool can: the one with this id, or all
 * (SV_EMPTY). Returns how many. */
size_t turn_detach(struct op *op, struct sv tool_use_id);
/* In `done`. */
const struct turn_outcome *turn_outcome(const struct op *op);

#endif
