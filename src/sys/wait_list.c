#include "sys/wait_list.h"

#include "base/mem.h"
#include "sys/timer.h"

struct waiter {
	struct op op;
	struct waiter **list; /* that it is in; NULL: its wait is over */
	struct op *timer;
	struct waiter *next;
};

static void waiter_forget(struct waiter *w)
{
	struct waiter **at = w->list;

	if (!at)
		return;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	w->list = NULL;
}

/* The time is up, the event has come, or the wait was cancelled. */
static void waiter_on_timer(__attribute__((unused)) struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct waiter *w = owner;

	w->timer = NULL;
	waiter_forget(w);
	op_finish(&w->op, NULL);
}

static void waiter_cancel(struct op *op)
{
	op_cancel(container_of(op, struct waiter, op)->timer);
}

static void waiter_free(struct op *op)
{
	free(container_of(op, struct waiter, op));
}

static const struct op_type waiter_type = { .name = "wait",
					    .cancel = waiter_cancel,
					    .free = waiter_free };

struct op *wait_list_add(struct waiter **list, struct loop *loop, int64_t ms, struct then then)
{
	struct waiter *w = xnew(struct waiter);

	op_init(&w->op, &waiter_type, loop, then);
	w->list = list;
	w->next = *list;
	*list = w;
	w->timer = timer_start(loop, ms, THEN(waiter_on_timer, w));
	return &w->op;
}

void wait_list_wake(struct waiter **list)
{
	while (*list) {
		struct waiter *w = *list;

		*list = w->next;
		w->list = NULL;
		op_cancel(w->timer);
	}
}
