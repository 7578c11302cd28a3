#include "sys/loop/bell.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "base/mem.h"
#include "sys/fd.h"

enum { NEVER = -1, AT_ONCE = 0 };

struct bell {
	uv_prepare_t life; /* does nothing, but keeps the loop alive */
	int all;           /* an epoll of libuv's own descriptor and of `timer` */
	int timer;
	int set; /* the value set last, to avoid needless system calls */
};

static bool bell_watch(int all, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(all, EPOLL_CTL_ADD, fd, &event) == 0;
}

struct bell *bell_new(uv_loop_t *uv)
{
	defer(fd_close) int all = epoll_create1(EPOLL_CLOEXEC);
	defer(fd_close) int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	struct bell *bell;

	if (all < 0 || timer < 0 || !bell_watch(all, timer) || !bell_watch(all, uv_backend_fd(uv)))
		return NULL;
	bell = xnew(struct bell);
	uv_prepare_init(uv, &bell->life);
	bell->life.data = bell;
	bell->all = fd_move(&all);
	bell->timer = fd_move(&timer);
	bell->set = NEVER;
	return bell;
}

static void bell_on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

void bell_free(struct bell *bell)
{
	if (!bell)
		return;
	fd_close(&bell->all);
	fd_close(&bell->timer);
	uv_close((uv_handle_t *)&bell->life, bell_on_closed);
}

int bell_fd(const struct bell *bell)
{
	return bell->all;
}

void bell_set(struct bell *bell, int ms)
{
	struct itimerspec when = { .it_value = { .tv_sec = ms / 1000 } };

	if (ms <= AT_ONCE && ms == bell->set)
		return;
	bell->set = ms;
	if (ms > AT_ONCE)
		when.it_value.tv_nsec = (long)(ms % 1000) * 1000000;
	else if (ms == AT_ONCE)
		when.it_value.tv_nsec = 1; /* 0 would disarm it */
	timerfd_settime(bell->timer, 0, &when, NULL);
}

static void bell_stay_alive(__attribute__((unused)) uv_prepare_t *life)
{
}

void bell_hold(struct bell *bell, bool held)
{
	if (held)
		uv_prepare_start(&bell->life, bell_stay_alive);
	else
		uv_prepare_stop(&bell->life);
}
