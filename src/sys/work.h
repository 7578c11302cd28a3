/* work.h - blocking work (a big file, a tree walk, a diff) on a worker thread. Values in, values
 * out: `run` may only touch what `arg` points to, and nobody else touches that until done. */
#ifndef AWL_SYS_WORK_H
#define AWL_SYS_WORK_H

#include "sys/op.h"

/* Runs on a worker thread. On failure it returns false and fills `err`. */
typedef bool work_fn(void *arg, struct err *err);

/* Cancelling work that has begun waits until it ends: keep it short, or let `arg` have a flag that
 * `run` checks. */
struct op *work_start(struct loop *loop, work_fn *run, void *arg, struct then then);

#endif
