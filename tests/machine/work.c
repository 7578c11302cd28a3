/* There are no threads here: a job runs as a step of its own, some time after its start,
 * and its `done` is a later step. */
#include "sys/work.h"

#include "base/mem.h"
#include "machine/world.h"

struct work {
	struct op op;
	struct sim_event begin;
	struct task job;
	work_fn *run;
	void *arg;
};

static void on_begin(struct sim_event *event)
{
	struct work *w = container_of(event, struct work, begin);

	loop_post(w->op.loop, &w->job);
}

static void run_job(struct task *task)
{
	struct work *w = container_of(task, struct work, job);
	struct err err = ERR_INIT;

	if (w->op.cancelled ||
	    (!sim_fault(sim_world(w->op.loop), ERR_IO, "worker", &err) && w->run(w->arg, &err)))
		op_finish(&w->op, NULL);
	else
		op_finish(&w->op, &err);
}

/* A job in the FIFO cannot be removed: it checks whether it was cancelled. */
static void work_cancel(struct op *op)
{
	struct work *w = container_of(op, struct work, op);

	if (w->job.posted)
		return;
	sim_disarm(op->loop, &w->begin);
	op_finish(op, NULL);
}

static void work_free(struct op *op)
{
	free(container_of(op, struct work, op));
}

static const struct op_type work_type = { .name = "work",
					  .cancel = work_cancel,
					  .free = work_free };

struct op *work_start(struct loop *loop, work_fn *run, void *arg, struct then then)
{
	struct work *w = xnew(struct work);

	op_init(&w->op, &work_type, loop, then);
	w->begin.fire = on_begin;
	w->job.run = run_job;
	w->run = run;
	w->arg = arg;
	sim_arm(loop, &w->begin, sim_work_delay(sim_world(loop)));
	return &w->op;
}
