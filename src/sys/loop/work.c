#include "sys/work.h"

#include "base/mem.h"
#include "sys/loop/uv_loop.h"

struct work {
	struct op op;
	uv_work_t uv;
	work_fn *run;
	void *arg;
	bool ok;
	struct err err; /* written by the worker */
};

static void work_on_worker(uv_work_t *uv)
{
	struct work *w = uv->data;

	w->ok = w->run(w->arg, &w->err);
}

/* `status` only says whether it was cancelled before it began, which the op knows already. */
static void work_on_finished(uv_work_t *uv, __attribute__((unused)) int status)
{
	struct work *w = uv->data;

	op_finish(&w->op, w->ok ? NULL : &w->err);
}

static void work_cancel(struct op *op)
{
	uv_cancel((uv_req_t *)&container_of(op, struct work, op)->uv);
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
	w->uv.data = w;
	w->run = run;
	w->arg = arg;
	if (uv_queue_work(uv_of(loop), &w->uv, work_on_worker, work_on_finished) < 0)
		BUG("uv_queue_work without a function");
	return &w->op;
}
