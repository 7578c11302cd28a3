/* job.h - a call whose work blocks, as an op. It is prepared on the loop, runs on a worker thread
 * and is finished on the loop.
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
 * A worker may read call->input, call->tool and the parts of call->ctx that no concurrent call
 * changes (cwd, root, env). It may write call->result and the job itself. ctx->files, ctx->todos and
 * on_progress are for prepare() and finish() only. */
#ifndef AWL_TOOL_JOB_H
#define AWL_TOOL_JOB_H

#include <stdatomic.h>

#include "tool/tool.h"

/* The most additional workers for one call; other calls need some too. */
enum { TOOL_HELPERS = 3 };

struct tool_helper {
	struct tool_job *job;
	struct op *work; /* NULL when not in flight */
};

/* The first member of the struct that a tool keeps while its call runs. The rest starts as zeros. */
struct tool_job {
	struct op op;
	struct tool_call *call;
	const struct tool_job_type *type;
	int64_t deadline_ms; /* prepare() sets when run() should end; 0: never */
	struct op *work, *timer;
	bool wants_helpers; /* run() sets it: call help() next */
	struct tool_helper helpers[TOOL_HELPERS];
	struct err err;         /* the first error of run() or help() */
	atomic_bool stop, late; /* see tool_job_stopped() and tool_job_late() */
	bool ran;               /* run() was called and may have changed things */
};

struct tool_job_type {
	size_t size; /* of the tool's struct, at least sizeof(struct tool_job) */
	/* On the loop, before run(). NULL: nothing to prepare. */
	void (*prepare)(struct tool_job *job);
	/* On a worker. Returns false with `err` only if awl itself could not do the work. What
	 * the model should read goes to call->result. */
	bool (*run)(struct tool_job *job, struct err *err);
	/* On TOOL_HELPERS workers at once, with `helper` counting from 0, after a run() that set
	 * wants_helpers: work that is easily divided. Fails as run() does. */
	bool (*help)(struct tool_job *job, size_t helper, struct err *err);
	/* On the loop, after run(), also if that failed or the call was cancelled meanwhile; not
	 * if the call was cancelled before run(). NULL: nothing to finish. */
	void (*finish)(struct tool_job *job);
	/* Frees what the tool's struct owns; always called last. NULL: nothing. */
	void (*clear)(struct tool_job *job);
};

struct op *tool_job_start(struct tool_call *call, const struct tool_job_type *type,
			  struct then then);

/* For run() and help(): whether the call was cancelled and they should return. Their return value
 * is then ignored. */
static inline bool tool_job_stopped(const struct tool_job *job)
{
	return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

/* Whether the deadline has passed and they should return with the result so far. */
static inline bool tool_job_late(const struct tool_job *job)
{
	return atomic_load_explicit(&job->late, memory_order_relaxed);
}

#endif
