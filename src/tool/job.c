#include "tool/job.h"

#include "base/mem.h"
#include "sys/timer.h"
#include "sys/work.h"

static bool job_work(void *arg, struct err *err)
{
	struct tool_job *job = arg;

	job->ran = true;
	return job->type->run(job, err);
}

static bool is_at_work(const struct tool_job *job)
{
	bool busy = job->work != NULL;

	for (size_t i = 0; i < TOOL_HELPERS; i++)
		busy = busy || job->helpers[i].work;
	return busy;
}

/* Continues once no worker is busy, and ends once the timer has ended too. */
static void job_settle(struct tool_job *job)
{
	if (is_at_work(job))
		return;
	if (job->timer)
		op_cancel(job->timer);
	else
		op_finish(&job->op, job->err.kind == ERR_NONE ? NULL : &job->err);
}

static void job_on_timer(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct tool_job *job = owner;

	job->timer = NULL;
	if (!why)
		atomic_store_explicit(&job->late, true, memory_order_relaxed);
	job_settle(job);
}

static void job_on_worked(struct tool_job *job, const struct err *why)
{
	if (why && job->err.kind == ERR_NONE)
		job->err = *why;
	if (is_at_work(job))
		return;
	if (job->ran && job->type->finish)
		job->type->finish(job);
	job_settle(job);
}

static bool job_help(void *arg, struct err *err)
{
	struct tool_helper *helper = arg;

	return helper->job->type->help(helper->job, (size_t)(helper - helper->job->helpers), err);
}

static void job_on_helper(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct tool_helper *helper = owner;

	helper->work = NULL;
	job_on_worked(helper->job, why);
}

static void job_start_helpers(struct tool_job *job)
{
	for (size_t i = 0; i < TOOL_HELPERS; i++) {
		job->helpers[i].job = job;
		job->helpers[i].work = work_start(job->op.loop, job_help, &job->helpers[i],
						  THEN(job_on_helper, &job->helpers[i]));
	}
}

static void job_on_work(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct tool_job *job = owner;

	job->work = NULL;
	if (!why && job->wants_helpers)
		job_start_helpers(job);
	else
		job_on_worked(job, why);
}

static void job_cancel(struct op *op)
{
	struct tool_job *job = container_of(op, struct tool_job, op);

	atomic_store_explicit(&job->stop, true, memory_order_relaxed);
	op_cancel(job->work);
	for (size_t i = 0; i < TOOL_HELPERS; i++)
		op_cancel(job->helpers[i].work);
}

static void job_free(struct op *op)
{
	struct tool_job *job = container_of(op, struct tool_job, op);

	if (job->type->clear)
		job->type->clear(job);
	free(job);
}

static const struct op_type job_type = { .name = "tool job",
					 .cancel = job_cancel,
					 .free = job_free };

struct op *tool_job_start(struct tool_call *call, const struct tool_job_type *type,
			  struct then then)
{
	struct tool_job *job = xcalloc(1, type->size);

	op_init(&job->op, &job_type, call->ctx->loop, then);
	job->call = call;
	job->type = type;
	if (type->prepare)
		type->prepare(job);
	if (job->deadline_ms)
		job->timer =
			timer_start(call->ctx->loop, job->deadline_ms, THEN(job_on_timer, job));
	job->work = work_start(call->ctx->loop, job_work, job, THEN(job_on_work, job));
	return &job->op;
}
