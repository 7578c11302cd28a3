#include "front/ready.h"

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/mem.h"

/* The loop watches an epoll descriptor of our own, whose flags nobody shares. */
struct ready {
	int epoll;
	struct poll *poll;
};

struct ready *ready_new(struct loop *loop, int fd, int event, poll_fn *on_ready, void *arg)
{
	struct epoll_event wanted = { .events = event == POLL_READABLE ? EPOLLIN : EPOLLOUT };
	struct ready *ready = xnew(struct ready);

	ready->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (ready->epoll >= 0 && epoll_ctl(ready->epoll, EPOLL_CTL_ADD, fd, &wanted) == 0)
		ready->poll = poll_new(loop, ready->epoll, on_ready, arg);
	if (ready->poll)
		return ready;
	ready_free(ready);
	return NULL;
}

void ready_want(struct ready *ready, bool wanted)
{
	if (ready)
		poll_want(ready->poll, wanted ? POLL_READABLE : 0);
}

void ready_free(struct ready *ready)
{
	if (!ready)
		return;
	poll_free(ready->poll);
	if (ready->epoll >= 0)
		close(ready->epoll);
	free(ready);
}

bool ready_now(int fd, int event)
{
	struct pollfd p = { .fd = fd, .events = event == POLL_READABLE ? POLLIN : POLLOUT };

	return poll(&p, 1, 0) > 0;
}
