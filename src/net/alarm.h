/* alarm.h - the clock that curl asks for: one moment, moved at will, heard
 * straight from the loop. A timer op is not it, because it has its `done` still
 * to come when the client is freed. */
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

/* `alarm` must not move in memory until cleared. */
must_use bool alarm_init(struct alarm *alarm, struct loop *loop, void (*ring)(void *arg), void *arg,
			 struct err *err);
void alarm_clear(struct alarm *alarm);

/* Rings once in `ms` milliseconds, instead of when it was set to before; never
 * when negative. Does not ring from inside. */
void alarm_set(struct alarm *alarm, int64_t ms);

#endif
