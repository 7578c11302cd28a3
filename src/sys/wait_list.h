/* wait_list.h - ops that wait for the same thing to happen, each for a limited time. */
#ifndef AWL_SYS_WAIT_LIST_H
#define AWL_SYS_WAIT_LIST_H

#include "sys/op.h"

struct waiter;

/* Starts an op that is done at the next wait_list_wake(), or after `ms`. The list outlives it. */
struct op *wait_list_add(struct waiter **list, struct loop *loop, int64_t ms, struct then then);
/* It has happened. */
void wait_list_wake(struct waiter **list);

#endif
