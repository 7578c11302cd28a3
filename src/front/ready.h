/* ready.h - waits until a standard descriptor can be read or written. Unlike poll.h it never makes
 * the descriptor non-blocking: that flag is shared with the shell that started us and with
 * everybody else on the same terminal or pipe. */
#ifndef AWL_FRONT_READY_H
#define AWL_FRONT_READY_H

#include "sys/poll.h"

struct ready;

/* `event` is POLL_READABLE or POLL_WRITABLE. Watches nothing before ready_want(). Returns NULL for
 * a descriptor that the kernel cannot watch (a regular file): it is always ready. */
struct ready *ready_new(struct loop *loop, int fd, int event, poll_fn *on_ready, void *arg);
void ready_want(struct ready *ready, bool wanted);
void ready_free(struct ready *ready);

/* Whether `fd` is ready at this moment. */
bool ready_now(int fd, int event);

#endif
