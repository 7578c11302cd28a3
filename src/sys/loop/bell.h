/* bell.h - private to src/sys: one descriptor for a host that waits by itself instead of calling
 * uv_run(). It is readable when libuv's own descriptor is, and from a given time on, because libuv
 * does not expose its timers as a descriptor. */
#ifndef AWL_SYS_LOOP_BELL_H
#define AWL_SYS_LOOP_BELL_H

#include <stdbool.h>
#include <uv.h>

struct bell;

/* Not ringing. NULL when the system is out of descriptors. */
struct bell *bell_new(uv_loop_t *uv);
/* The memory is freed in the next turn of libuv. NULL is fine. */
void bell_free(struct bell *bell);

int bell_fd(const struct bell *bell);

/* Rings from `ms` after now until it is set again; 0: immediately, -1: never. */
void bell_set(struct bell *bell, int ms);

/* Keeps the libuv loop alive while `held`. */
void bell_hold(struct bell *bell, bool held);

#endif
