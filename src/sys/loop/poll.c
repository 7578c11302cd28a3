#include "sys/poll.h"

#include "base/mem.h"
#include "sys/loop/uv_loop.h"

struct poll {
	uv_poll_t uv;
	int fd;
	int wanted; /* as libuv was told; 0: stopped */
	poll_fn *on_ready;
	void *arg;
};

static void poll_on_uv_poll(uv_poll_t *uv, int status, int events)
{
	struct poll *p = uv->data;
	int ready = 0;

	if (events & UV_READABLE)
		ready |= POLL_READABLE;
	if (events & UV_WRITABLE)
		ready |= POLL_WRITABLE;
	if (status < 0)
		p->wanted = 0; /* libuv stops after an error */
	if (status < 0 || events & UV_DISCONNECT)
		ready = POLL_READABLE | POLL_WRITABLE;
	p->on_ready(p->arg, p->fd, ready);
}

struct poll *poll_new(struct loop *loop, int fd, poll_fn *on_ready, void *arg)
{
	struct poll *p = xnew(struct poll);

	if (uv_poll_init(uv_of(loop), &p->uv, fd) < 0) {
		free(p);
		return NULL;
	}
	p->uv.data = p;
	p->fd = fd;
	p->on_ready = on_ready;
	p->arg = arg;
	return p;
}

void poll_want(struct poll *p, int events)
{
	int wanted = 0;

	if (events & POLL_READABLE)
		wanted |= UV_READABLE;
	if (events & POLL_WRITABLE)
		wanted |= UV_WRITABLE;
	if (wanted == p->wanted) /* libuv would make a system call */
		return;
	p->wanted = wanted;
	if (wanted)
		uv_poll_start(&p->uv, wanted, poll_on_uv_poll);
	else
		uv_poll_stop(&p->uv);
}

static void poll_on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

void poll_free(struct poll *p)
{
	if (!p)
		return;
	uv_poll_stop(&p->uv);
	uv_close((uv_handle_t *)&p->uv, poll_on_closed);
}
