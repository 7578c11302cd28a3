#include "sys/timer.h"

#include "base/mem.h"
#include "sys/loop/uv_loop.h"

struct timer {
	struct op op;
	uv_timer_t uv;
};

/* Finishes before the handle is closed: libuv runs close callbacks in reverse order, so timers that
 * are due in the same turn would be done in the wrong order. */
static void timer_end(struct timer *t)
{
	uv_timer_stop(&t->uv);
	op_finish(&t->op, NULL);
}

static void timer_on_fired(uv_timer_t *uv)
{
	uv_stop(uv->loop); /* otherwise it would wait for events although `done` is posted */
	timer_end(uv->data);
}

static void timer_cancel(struct op *op)
{
	timer_end(container_of(op, struct timer, op));
}

static void timer_on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static void timer_free(struct op *op)
{
	struct timer *t = container_of(op, struct timer, op);

	uv_close((uv_handle_t *)&t->uv, timer_on_closed);
}

static const struct op_type timer_type = { .name = "timer",
					   .cancel = timer_cancel,
					   .free = timer_free };

struct op *timer_start(struct loop *loop, int64_t ms, struct then then)
{
	struct timer *t = xnew(struct timer);

	op_init(&t->op, &timer_type, loop, then);
	uv_timer_init(uv_of(loop), &t->uv);
	t->uv.data = t;
	uv_timer_start(&t->uv, timer_on_fired, (uint64_t)max_of(ms, (int64_t)0), 0);
	return &t->op;
}

void timer_restart(struct op *op, int64_t ms)
{
	struct timer *t = container_of(op, struct timer, op);

	if (op->finished)
		return;
	loop_core_touch(op->loop);
	uv_timer_start(&t->uv, timer_on_fired, (uint64_t)max_of(ms, (int64_t)0), 0);
}
