/* bell.h - private to src/sys/real: one descriptor for a host that waits by itself
 * in place of uv_run(). It is readable when libuv's own is, and from a given time
 * on: libuv keeps its timers to itself. */
#ifndef AWL_SYS_LOOP_BELL_H
#define AWL_SYS_LOOP_BELL_H

#include <stdbool.h>
#include <uv.h>

struct bell;

/* Silent. NULL when there is no descriptor left. */
struct bell *bell_new(uv_loop_t *uv);
/* Memory follows with the next turn of libuv. Fine with NULL. */
void bell_free(struct bell *bell);

int bell_fd(const struct bell *bell);

/* Rings from `ms` after now until it is set again; 0 at once, -1 never. */
void bell_set(struct bell *bell, int ms);

/* Keeps libuv's loop alive while held. */
void bell_hold(struct bell *bell, bool held);

#endif
