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

/* Embedded first in what a tool keeps while its call runs, the rest zeroed. */
struct tool_job {
	struct op op;
	struct tool_call *call;
	const struct tool_job_type *type;
	struct op *work;
	atomic_bool stop; /* see tool_job_stopped() */
	bool ran;         /* run() was called: what it has done is done */
};

struct tool_job_type {
	size_t size; /* of the tool's struct, at least sizeof(struct tool_job) */
	/* On the loop, before. NULL: nothing to prepare. */
	void (*prepare)(struct tool_job *job);
	/* On a worker. False with `err` filled only when the harness could not do it;
	 * what the model should read goes to call->result. */
	bool (*run)(struct tool_job *job, struct err *err);
	/* On the loop, after run(), also when that failed or the call was cancelled
	 * meanwhile; not when cancelled before run() began. NULL: nothing to finish. */
	void (*finish)(struct tool_job *job);
	/* Frees what the tool's struct owns; always called, last. NULL: nothing. */
	void (*clear)(struct tool_job *job);
};

struct op *tool_job_start(struct tool_call *call, const struct tool_job_type *type,
			  struct then then);

/* For run(): whether it should come to an end, because the call was cancelled.
 * Then what it returns is of no account. */
static inline bool tool_job_stopped(const struct tool_job *job)
{
	return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

#endif
