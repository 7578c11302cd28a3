/* loop_core.h - private to src/sys: the part of a loop that the real and the simulated one share.
 * Each embeds `struct loop` as the first member. */
#ifndef AWL_SYS_LOOP_LOOP_CORE_H
#define AWL_SYS_LOOP_LOOP_CORE_H

#include "sys/op.h"

struct loop {
	struct task *first, **last; /* the FIFO */
	size_t live;                /* ops whose `done` has not been called */
	unsigned started;           /* number of ops ever started; numbers them in the log */
	int64_t now, wall;          /* of the current step */
	struct rng rng;
	bool stopped;
	/* Called before something changes, perhaps from outside a turn. NULL: not needed. */
	void (*touched)(struct loop *loop);
};

void loop_core_init(struct loop *loop);

void loop_core_touch(struct loop *loop);

/* Takes the oldest task out of the FIFO and runs it; false when there is none. */
bool loop_core_step(struct loop *loop);

#endif
