/* poll.h - readiness of a descriptor that another library owns (curl, the HTTP server, a terminal).
 * The callback comes directly from the loop, not through the FIFO: it is for code that only moves
 * bytes and then posts. */
#ifndef AWL_SYS_POLL_H
#define AWL_SYS_POLL_H

#include "sys/loop.h"

enum { POLL_READABLE = 1, POLL_WRITABLE = 2 };

struct poll;

/* `events` is what happened. An error or hang-up is reported as both, so that the next read or
 * write sees it. */
typedef void poll_fn(void *arg, int fd, int events);

/* NULL when the kernel cannot poll `fd` (a regular file). */
struct poll *poll_new(struct loop *loop, int fd, poll_fn *on_ready, void *arg);
/* Sets what to wait for; 0 pauses. */
void poll_want(struct poll *poll, int events);
/* Stops immediately; `fd` may be closed right afterwards. The memory is freed later by itself. */
void poll_free(struct poll *poll);

#endif
