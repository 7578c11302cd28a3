#include "tool/job.h"

#include "base/mem.h"
#include "sys/work.h"

static bool job_work(void *arg, struct err *err)
{
	struct tool_job *job = arg;

	job->ran = true;
	return job->type->run(job, err);
}

static void job_on_work(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct tool_job *job = owner;

	job->work = NULL;
	if (job->ran && job->type->finish)
		job->type->finish(job);
	op_finish(&job->op, why);
}

static void job_cancel(struct op *op)
{
	struct tool_job *job = container_of(op, struct tool_job, op);

	atomic_store_explicit(&job->stop, true, memory_order_relaxed);
	op_cancel(job->work);
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

	op_init(&job->op, &job_type, call->room->loop, then);
	job->call = call;
	job->type = type;
	if (type->prepare)
		type->prepare(job);
	job->work = work_start(call->room->loop, job_work, job, THEN(job_on_work, job));
	return &job->op;
}
