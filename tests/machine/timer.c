#include "sys/timer.h"

#include "base/mem.h"
#include "machine/world.h"

struct timer {
	struct op op;
	struct sim_event due;
};

static void on_due(struct sim_event *event)
{
	op_finish(&container_of(event, struct timer, due)->op, NULL);
}

static void timer_cancel(struct op *op)
{
	sim_disarm(op->loop, &container_of(op, struct timer, op)->due);
	op_finish(op, NULL);
}

static void timer_free(struct op *op)
{
	free(container_of(op, struct timer, op));
}

static const struct op_type timer_type = { .name = "timer",
					   .cancel = timer_cancel,
					   .free = timer_free };

struct op *timer_start(struct loop *loop, int64_t ms, struct then then)
{
	struct timer *t = xnew(struct timer);

	op_init(&t->op, &timer_type, loop, then);
	t->due.fire = on_due;
	t->due.is_timer = true;
	sim_arm(loop, &t->due, ms);
	return &t->op;
}

void timer_restart(struct op *op, int64_t ms)
{
	if (!op->finished)
		sim_arm(op->loop, &container_of(op, struct timer, op)->due, ms);
}
