#include "sys/signal.h"

#include "base/mem.h"
#include "sys/loop/uv_loop.h"

struct signal {
	struct op op;
	uv_signal_t uv;
	signal_fn *on_signal;
	struct task notify;
	struct err err; /* why it cannot be watched */
};

static void signal_run_notify(struct task *task)
{
	struct signal *s = container_of(task, struct signal, notify);

	if (!s->op.cancelled)
		s->on_signal(s->op.then.owner, s->uv.signum);
}

static void signal_on_arrived(uv_signal_t *uv, __attribute__((unused)) int signo)
{
	struct signal *s = uv->data;

	loop_post(s->op.loop, &s->notify);
}

static void signal_on_closed(uv_handle_t *handle)
{
	struct signal *s = handle->data;

	op_finish(&s->op, &s->err);
}

static void signal_cancel(struct op *op)
{
	uv_handle_t *handle = (uv_handle_t *)&container_of(op, struct signal, op)->uv;

	if (!uv_is_closing(handle))
		uv_close(handle, signal_on_closed);
}

static void signal_free(struct op *op)
{
	free(container_of(op, struct signal, op));
}

static const struct op_type signal_type = { .name = "signal",
					    .cancel = signal_cancel,
					    .free = signal_free };

struct op *signal_start(struct loop *loop, int signo, signal_fn *on_signal, struct then then)
{
	struct signal *s = xnew(struct signal);
	int status;

	op_init(&s->op, &signal_type, loop, then);
	s->on_signal = on_signal;
	s->notify.run = signal_run_notify;
	uv_signal_init(uv_of(loop), &s->uv);
	s->uv.data = s;
	status = uv_signal_start(&s->uv, signal_on_arrived, signo);
	if (status < 0) {
		real_err(&s->err, status, "cannot watch for a signal");
		uv_close((uv_handle_t *)&s->uv, signal_on_closed);
	}
	return &s->op;
}
