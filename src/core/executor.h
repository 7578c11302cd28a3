/* executor.h - the calls of one reply, started while it still streams. Calls that
 * say they are concurrent run together, any other alone, and none overtakes one that
 * has to run alone; results are read in the order of the calls. */
#ifndef AWL_CORE_EXECUTOR_H
#define AWL_CORE_EXECUTOR_H

#include "core/call.h"

struct executor {
	struct agent *agent;
	VEC(struct call *) calls; /* owned, in order */
	VEC(struct call *) voids; /* of replies that are void, still ending */
	struct op *heartbeat;
	enum call_cancel stopped; /* what comes after it in this reply is not run */
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
/* Every call that is not over. */
void executor_cancel(struct executor *ex, enum call_cancel why);
/* The reply is void: its calls are cancelled and forgotten. */
void executor_discard(struct executor *ex);
/* The calls have been dealt with; the next reply may come. Only when all are over. */
void executor_reset(struct executor *ex);
/* Whether all calls are over. */
bool executor_is_settled(const struct executor *ex);
/* ... and nothing else is under way. */
bool executor_is_quiet(const struct executor *ex);

#endif
