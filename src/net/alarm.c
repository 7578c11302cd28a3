#include "net/alarm.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* An alarm that is not set is not polled: that would keep the loop alive. */
static void alarm_poll_if_set(struct alarm *alarm)
{
	if (alarm->polled == alarm->set)
		return;
	alarm->polled = alarm->set;
	poll_want(alarm->poll, alarm->set ? POLL_READABLE : 0);
}

static void alarm_on_ready(void *arg, int fd, __attribute__((unused)) int events)
{
	struct alarm *alarm = arg;
	uint64_t times;

	/* Nothing to read: it was set again after the kernel had woken us. */
	if (read(fd, &times, sizeof(times)) != sizeof(times))
		return;
	alarm->set = false;
	alarm->ring(alarm->arg); /* usually sets it again */
	alarm_poll_if_set(alarm);
}

bool alarm_init(struct alarm *alarm, struct loop *loop, void (*ring)(void *arg), void *arg,
		struct err *err)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd < 0)
		return err_sys(err, errno, "cannot create a timer");
	*alarm = (struct alarm){ .fd = fd, .ring = ring, .arg = arg };
	alarm->poll = poll_new(loop, fd, alarm_on_ready, alarm);
	if (!alarm->poll)
		BUG("the kernel cannot poll its own timer");
	return true;
}

void alarm_clear(struct alarm *alarm)
{
	poll_free(alarm->poll);
	close(alarm->fd);
}

void alarm_set(struct alarm *alarm, int64_t ms)
{
	/* All zero would disarm it, so "now" is one nanosecond away. */
	struct itimerspec at = { .it_value = { .tv_sec = ms / 1000,
					       .tv_nsec = ms % 1000 * 1000000 + (ms == 0) } };

	if (ms < 0)
		at = (struct itimerspec){ .it_value = { .tv_sec = 0 } };
	timerfd_settime(alarm->fd, 0, &at, NULL);
	alarm->set = ms >= 0;
	alarm_poll_if_set(alarm);
}
