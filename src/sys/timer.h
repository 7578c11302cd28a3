/* timer.h - an op that is done `ms` milliseconds from now. */
#ifndef AWL_SYS_TIMER_H
#define AWL_SYS_TIMER_H

#include "sys/op.h"

struct op *timer_start(struct loop *loop, int64_t ms, struct then then);

/* Starts again from now, for deadlines that every byte extends. A timer that has fired but is not
 * done yet stays fired. */
void timer_restart(struct op *op, int64_t ms);

#endif
