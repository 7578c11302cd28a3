/* signal.h - a Unix signal as a stream of posted calls, until cancelled. */
#ifndef AWL_SYS_SIGNAL_H
#define AWL_SYS_SIGNAL_H

#include "sys/op.h"

typedef void signal_fn(void *owner, int signo);

/* Calls `on_signal` from the FIFO for each signal. Signals that arrive while one is waiting there
 * are merged. Ends only by op_cancel(). */
struct op *signal_start(struct loop *loop, int signo, signal_fn *on_signal, struct then then);

#endif
