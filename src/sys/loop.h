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
	uint32_t session; /* log_session while it runs: that of its first loop_post() */
	bool posted;
};

struct loop *loop_new(void);
/* Nothing may be in flight any more; a live op is a bug. */
void loop_free(struct loop *loop);
void loop_freep(struct loop **loop);

/* Runs until loop_stop(), or until nothing can ever happen again. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/* For a program that has a loop of its own: it waits for loop_fd() to become
 * readable, with poll, epoll or whatever it has, and then calls loop_turn().
 *
 * The descriptor is readable while there is something to do: a step in the FIFO, a
 * timer that is due, news from a child, a worker or a socket. What is started,
 * posted or cancelled outside of a turn counts; an idle loop is silent. Made when
 * first asked for, and owned by the loop: never read or close it. -1 when the
 * system has no descriptor left, and always on the simulated machine. */
must_use int loop_fd(struct loop *loop);
/* Does what is due now, and what follows from that, without ever waiting. Gives up
 * after a bounded number of rounds, or at loop_stop(); the rest is for the next
 * turn. Not from inside a step. */
void loop_turn(struct loop *loop);

/* Appends to the FIFO. `task` must live until it has run; posting a task that
 * is already in the FIFO is a no-op. Only from the loop's own thread. */
void loop_post(struct loop *loop, struct task *task);

/* Milliseconds that only grow, the same within one step. Outside of any, that of
 * the last step run or op started. */
int64_t loop_now(const struct loop *loop);
/* Milliseconds since 1970, likewise fixed within a step. */
int64_t loop_wall(const struct loop *loop);

/* The source of all ids and jitter. */
struct rng *loop_rng(struct loop *loop);

#endif
