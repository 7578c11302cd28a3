#include "sys/wake.h"

#include "base/mem.h"

/* The simulated machine has one thread. */
struct wake {
	struct loop *loop;
	struct task *task;
};

struct wake *wake_new(struct loop *loop, struct task *task)
{
	struct wake *w = xnew(struct wake);

	w->loop = loop;
	w->task = task;
	return w;
}

void wake_free(struct wake *w)
{
	free(w);
}

void wake_send(struct wake *w)
{
	loop_post(w->loop, w->task);
}
