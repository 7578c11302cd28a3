/* loop.h - one thread owns the state, and this is its heart.
 *
 *   uv, curl callbacks --> op_finish() --+
 *   keys, flags, wire  --> loop_post() --+--> FIFO --> steps --> next ops
 *
 * A callback from below only translates and posts. Steps run from one FIFO,
 * drained once per turn of the loop; each runs to completion, so nothing
 * changes between two of its lines. Time stands still within a step.
 *
 * Everything in src/sys has two implementations behind the same headers: the
 * real one (libuv) and src/sys/sim (virtual time, scripted children and files,
 * faults on demand). A program links one of them. */
#ifndef AWL_SYS_LOOP_H
#define AWL_SYS_LOOP_H

#include "base/err.h"
#include "base/rng.h"

struct loop;

/* A piece of work for the FIFO, embedded in whatever posts it. */
struct task {
	void (*run)(struct task *task);
	struct task *next;
	bool posted;
};

struct loop *loop_new(void);
/* Nothing may be in flight any more; a live op is a bug. */
void loop_free(struct loop *loop);
void loop_freep(struct loop **loop);

/* Runs until loop_stop(), or until nothing can ever happen again. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/* Appends to the FIFO. `task` must live until it has run; posting a task that
 * is already in the FIFO is a no-op. Only from the loop's own thread. */
void loop_post(struct loop *loop, struct task *task);

/* Milliseconds that only grow, the same within one step. */
int64_t loop_now(const struct loop *loop);
/* Milliseconds since 1970, likewise fixed within a step. */
int64_t loop_wall(const struct loop *loop);

/* The source of all ids and jitter. */
struct rng *loop_rng(struct loop *loop);

#endif
