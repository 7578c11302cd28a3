/* job.h - a call whose work blocks, as an op: it is prepared on the loop, run on
 * a worker and finished on the loop again.
 *
 *   static const struct tool_job_type read_job = {
 *           .size = sizeof(struct read_job), .run = read_run, .finish = read_finish,
 *   };
 *
 *   static struct op *read_start(struct tool_call *call, struct then then)
 *   {
 *           return tool_job_start(call, &read_job, then);
 *   }
 *
 * A worker reads call->input, call->tool and what of call->room no concurrent
 * call changes (cwd, root, env), and writes call->result and the job itself. It
 * keeps away from room->files, room->todos and on_progress: those are for
 * prepare() and finish(). */
#ifndef AWL_TOOL_JOB_H
#define AWL_TOOL_JOB_H

#include <stdatomic.h>

#include "tool/tool.h"

/* At most so many workers for one call: others want some too. */
enum { TOOL_HELPERS = 3 };

struct tool_helper {
	struct tool_job *job;
	struct op *work; /* NULL when not in flight */
};

/* Embedded first in what a tool keeps while its call runs, the rest zeroed. */
struct tool_job {
	struct op op;
	struct tool_call *call;
	const struct tool_job_type *type;
	int64_t deadline_ms; /* for prepare() to set: when run() should be over; 0: never */
	struct op *work, *timer;
	bool wants_helpers; /* for run() to set: help() is to follow */
	struct tool_helper helpers[TOOL_HELPERS];
	struct err err;         /* the first, of run() or help() */
	atomic_bool stop, late; /* see tool_job_stopped() and tool_job_late() */
	bool ran;               /* run() was called: what it has done is done */
};

struct tool_job_type {
	size_t size; /* of the tool's struct, at least sizeof(struct tool_job) */
	/* On the loop, before. NULL: nothing to prepare. */
	void (*prepare)(struct tool_job *job);
	/* On a worker. False with `err` filled only when the harness could not do it;
	 * what the model should read goes to call->result. */
	bool (*run)(struct tool_job *job, struct err *err);
	/* On TOOL_HELPERS workers at once, `helper` from 0, after a run() that wants it: what is
	 * easily divided. Fails as run() does. NULL: never wanted. */
	bool (*help)(struct tool_job *job, size_t helper, struct err *err);
	/* On the loop, after run(), also when that failed or the call was cancelled
	 * meanwhile; not when cancelled before run() began. NULL: nothing to finish. */
	void (*finish)(struct tool_job *job);
	/* Frees what the tool's struct owns; always called, last. NULL: nothing. */
	void (*clear)(struct tool_job *job);
};

struct op *tool_job_start(struct tool_call *call, const struct tool_job_type *type,
			  struct then then);

/* For run() and help(): whether to come to an end, because the call was cancelled.
 * Then what it returns is of no account. */
static inline bool tool_job_stopped(const struct tool_job *job)
{
	return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

/* The same because time is up: what was done so far is the result. */
static inline bool tool_job_late(const struct tool_job *job)
{
	return atomic_load_explicit(&job->late, memory_order_relaxed);
}

#endif
