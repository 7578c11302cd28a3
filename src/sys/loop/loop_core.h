/* loop_core.h - private to src/sys: the half of a loop that the real and the
 * simulated one share. Each embeds `struct loop` first in its own struct. */
#ifndef AWL_SYS_LOOP_LOOP_CORE_H
#define AWL_SYS_LOOP_LOOP_CORE_H

#include "sys/op.h"

struct loop {
	struct task *first, **last; /* the FIFO */
	size_t live;                /* ops without their `done` */
	unsigned started;           /* ops, ever: numbers them in the log */
	int64_t now, wall;          /* of the current step */
	struct rng rng;
	bool stopped;
	/* Somebody is about to change something, perhaps from outside of a turn. NULL:
	 * nobody needs to know. */
	void (*touched)(struct loop *loop);
};

void loop_core_init(struct loop *loop);

void loop_core_touch(struct loop *loop);

/* Takes the oldest task out of the FIFO and runs it; false when there is none. */
bool loop_core_step(struct loop *loop);

#endif
