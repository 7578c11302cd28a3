/* wake.h - how another thread, or a signal handler, reaches a loop: it asks for a task to be
 * posted. Everything else about a loop belongs to the loop's own thread. */
#ifndef AWL_SYS_WAKE_H
#define AWL_SYS_WAKE_H

#include "sys/loop.h"

struct wake;

/* Keeps loop_run() waiting until wake_free(), as any descriptor does. Posts `task`, which must
 * live as long, after each wake_send(); several in a row may post it once. */
struct wake *wake_new(struct loop *loop, struct task *task);
/* No wake_send() may be running. The task may still be in the FIFO. NULL is fine. */
void wake_free(struct wake *wake);

/* From any thread, and from signal handlers. */
void wake_send(struct wake *wake);

#endif
