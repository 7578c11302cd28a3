#include "sys/signal.h"

#include <errno.h>

#include "base/mem.h"
#include "machine/world.h"

struct signal {
	struct op op;
	struct sim_event failed;
	struct task notify;
	int signo;
	signal_fn *on_signal;
	struct err err;
	struct signal *next;
};

/* Everyone in this world who waits for a signal. */
struct listeners {
	struct sim_part part;
	struct signal *first;
};

static const struct sim_part_type listeners_type = { .size = sizeof(struct listeners) };

static struct listeners *listeners(struct sim *w)
{
	return container_of(sim_part(w, &listeners_type), struct listeners, part);
}

static void stop_listening(struct signal *s)
{
	struct signal **at = &listeners(sim_world(s->op.loop))->first;

	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
}

static void run_notify(struct task *task)
{
	struct signal *s = container_of(task, struct signal, notify);

	if (!s->op.cancelled)
		s->on_signal(s->op.then.owner, s->signo);
}

bool sim_raise(struct sim *w, int signo)
{
	bool delivered = false;

	for (struct signal *s = listeners(w)->first; s; s = s->next) {
		if (s->signo != signo)
			continue;
		loop_post(s->op.loop, &s->notify);
		delivered = true;
	}
	return delivered;
}

static void on_failed(struct sim_event *event)
{
	struct signal *s = container_of(event, struct signal, failed);

	op_finish(&s->op, &s->err);
}

static void signal_cancel(struct op *op)
{
	struct signal *s = container_of(op, struct signal, op);

	sim_disarm(op->loop, &s->failed);
	stop_listening(s);
	op_finish(op, NULL);
}

static void signal_free(struct op *op)
{
	free(container_of(op, struct signal, op));
}

static const struct op_type signal_type = { .name = "signal",
					    .cancel = signal_cancel,
					    .free = signal_free };

static bool may_listen(struct signal *s)
{
	if (sim_fault(sim_world(s->op.loop), ERR_IO, "cannot watch for a signal", &s->err))
		return false;
	if (s->signo <= 0 || s->signo >= NSIG || s->signo == SIGKILL || s->signo == SIGSTOP)
		return err_sys(&s->err, EINVAL, "cannot watch for a signal");
	return true;
}

struct op *signal_start(struct loop *loop, int signo, signal_fn *on_signal, struct then then)
{
	struct listeners *all = listeners(sim_world(loop));
	struct signal *s = xnew(struct signal);

	op_init(&s->op, &signal_type, loop, then);
	s->failed.fire = on_failed;
	s->notify.run = run_notify;
	s->signo = signo;
	s->on_signal = on_signal;
	if (may_listen(s)) {
		s->next = all->first;
		all->first = s;
	} else {
		sim_arm(loop, &s->failed, 0);
	}
	return &s->op;
}
