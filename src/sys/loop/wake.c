#include "sys/wake.h"

#include "base/mem.h"
#include "sys/loop/uv_loop.h"

struct wake {
	uv_async_t uv;
	struct loop *loop;
	struct task *task;
};

static void wake_on_sent(uv_async_t *uv)
{
	struct wake *w = uv->data;

	loop_post(w->loop, w->task);
}

/* A loop has had its descriptor for this since it was made, so this cannot fail. */
struct wake *wake_new(struct loop *loop, struct task *task)
{
	struct wake *w = xnew(struct wake);
	int status = uv_async_init(uv_of(loop), &w->uv, wake_on_sent);

	if (status < 0)
		BUG("cannot create an async handle: %s", uv_strerror(status));
	w->uv.data = w;
	w->loop = loop;
	w->task = task;
	return w;
}

static void wake_on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

void wake_free(struct wake *w)
{
	if (w)
		uv_close((uv_handle_t *)&w->uv, wake_on_closed);
}

void wake_send(struct wake *w)
{
	uv_async_send(&w->uv);
}
