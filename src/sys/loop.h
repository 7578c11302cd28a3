/* loop.h - the event loop. One thread owns all state.
 *
 *   uv, curl callbacks --> op_finish() --+
 *   keys, flags, wire  --> loop_post() --+--> FIFO --> steps --> next ops
 *
 * A callback from libuv or curl only translates and posts. Steps run from one FIFO, which is
 * drained once per turn of the loop. A step runs to completion, so nothing changes between two of
 * its lines. Time stands still within a step.
 *
 * Everything in src/sys has two implementations behind the same headers: the real one (libuv) and
 * the simulated one in tests/machine (virtual time, scripted children and files, faults on demand).
 * A program links one of them. */
#ifndef AWL_SYS_LOOP_H
#define AWL_SYS_LOOP_H

#include "base/err.h"
#include "base/rng.h"

struct loop;

/* A piece of work for the FIFO, embedded in whatever posts it. */
struct task {
	void (*run)(struct task *task);
	struct task *next;
	/* log_session while it runs: that of its first loop_post(). Who posts it from callbacks of a
	 * library, outside any step, sets it before. */
	uint32_t session;
	bool posted;
};

struct loop *loop_new(void);
/* No op may be live: that is a bug. */
void loop_free(struct loop *loop);
void loop_freep(struct loop **loop);

/* Runs until loop_stop(), or until nothing can happen any more. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/* For a program with an event loop of its own: it waits until loop_fd() is readable, by poll, epoll
 * or otherwise, and then calls loop_turn().
 *
 * The descriptor is readable while there is something to do: a step in the FIFO, a due timer, news
 * from a child, a worker or a socket. Operations that are started, posted or cancelled outside a
 * turn count too. An idle loop causes no wake-ups. The descriptor is created on first use and owned
 * by the loop: never read or close it. -1 when the system is out of descriptors, and always on the
 * simulated machine. */
must_use int loop_fd(struct loop *loop);
/* Does everything that is due now, and what follows from it, without ever waiting. Returns after a
 * bounded number of rounds, or at loop_stop(); the rest is left for the next turn. Must not be
 * called from a step. */
void loop_turn(struct loop *loop);

/* Appends to the FIFO. `task` must live until it has run. Posting a task that is already in the
 * FIFO does nothing. Only from the thread of the loop. */
void loop_post(struct loop *loop, struct task *task);

/* Milliseconds of a monotonic clock, constant within a step. Outside a step, the time of the last
 * step or of the last start of an op. */
int64_t loop_now(const struct loop *loop);
/* Milliseconds since 1970, also constant within a step. */
int64_t loop_wall(const struct loop *loop);

/* The source of all ids and jitter. */
struct rng *loop_rng(struct loop *loop);

#endif
