/* timer.h - done once `ms` milliseconds from now. */
#ifndef AWL_SYS_TIMER_H
#define AWL_SYS_TIMER_H

#include "sys/op.h"

struct op *timer_start(struct loop *loop, int64_t ms, struct then then);

/* Starts counting again from now, for deadlines that every byte moves. Fine on
 * a timer that has fired but is not done yet: it does not revive it. */
void timer_restart(struct op *op, int64_t ms);

#endif
