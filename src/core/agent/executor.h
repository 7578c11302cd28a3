/* executor.h - the calls of one response, started while it still streams: concurrent ones together,
 * any other alone, and none before one that has to run alone (executor.c). The second agent of a response waits
 * until it is complete. */
#ifndef AWL_CORE_AGENT_EXECUTOR_H
#define AWL_CORE_AGENT_EXECUTOR_H

#include "core/agent/call.h"

struct executor {
	struct agent *agent;
	VEC(struct call *) calls; /* owned, in order */
	VEC(struct call *) voids; /* of discarded responses, still ending */
	struct op *heartbeat;
	struct op *patience;      /* until a command that runs is reported as a task */
	enum call_cancel stopped; /* further calls of this response are not run */
	bool is_complete;         /* no further calls come */
	/* A call is over. */
	void (*on_progress)(void *arg);
	void *arg;
};

void executor_init(struct executor *ex, struct agent *agent, void (*on_progress)(void *arg),
		   void *arg);
/* Only when it is quiet. */
void executor_clear(struct executor *ex);

/* Takes the call; starts it when it may. */
void executor_add(struct executor *ex, struct call *call);
/* The response has no further calls. */
void executor_complete(struct executor *ex);
/* Cancels every call that is not over. */
void executor_cancel(struct executor *ex, enum call_cancel why);
/* Lets calls that run continue in the background, where their tools can: the one with this id, or
 * all (SV_EMPTY). Returns how many. */
size_t executor_detach(struct executor *ex, struct sv id);
/* The response is discarded, and its calls with it. */
void executor_discard(struct executor *ex);
/* Frees the calls, for the next response. Only when all are over. */
void executor_reset(struct executor *ex);
/* Whether all calls are over. */
bool executor_is_settled(const struct executor *ex);
/* Whether, besides, nothing else is in flight. */
bool executor_is_quiet(const struct executor *ex);

#endif
