/* alarm.h - the timer that curl needs: one moment that can be moved at any time and is reported
 * directly by the loop. A timer op would not do, because its `done` is still to come when the
 * client is freed. */
#ifndef AWL_NET_ALARM_H
#define AWL_NET_ALARM_H

#include "sys/poll.h"

struct alarm {
	int fd; /* a timerfd */
	struct poll *poll;
	bool set, polled;
	void (*ring)(void *arg);
	void *arg;
};

/* `alarm` must not move in memory until it is cleared. */
must_use bool alarm_init(struct alarm *alarm, struct loop *loop, void (*ring)(void *arg), void *arg,
			 struct err *err);
void alarm_clear(struct alarm *alarm);

/* Rings once in `ms` milliseconds, replacing the previous setting; negative: never. Does not ring
 * before it returns. */
void alarm_set(struct alarm *alarm, int64_t ms);

#endif
