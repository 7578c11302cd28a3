/* work.h - blocking leaf work (a big file, a tree walk, a diff) off the thread.
 * Values in, values out: `run` may touch only what `arg` points to, and nobody
 * else touches that until done. */
#ifndef AWL_SYS_WORK_H
#define AWL_SYS_WORK_H

#include "sys/op.h"

/* Runs on a worker thread; returns false with `err` filled on failure. */
typedef bool work_fn(void *arg, struct err *err);

/* Cancelling work that has begun waits for its end: keep jobs short, or let
 * `arg` hold a flag that `run` looks at. */
struct op *work_start(struct loop *loop, work_fn *run, void *arg, struct then then);

#endif
