/* cleanup.h - removes sessions that nobody has gone on with for long.
 *
 * A session is its transcript, <config>/projects/<project>/<id>.jsonl, the directory <id>
 * beside it, and <config>/tasks/<id>. Nothing else is ever touched: nothing of another name,
 * no link and nothing behind one, and no session that a process has open. */
#ifndef AWL_STORE_TRANSCRIPT_CLEANUP_H
#define AWL_STORE_TRANSCRIPT_CLEANUP_H

#include <stdatomic.h>

#include "sys/op.h"

/* Of those whose last record is older; up to LIMIT_CLEANUP at a time, the rest another time.
 * `config_dir` is copied. Works on a worker thread; what cannot be removed stays. Cancelled, it
 * ends with the session that it is about to remove. */
struct op *cleanup_start(struct loop *loop, const char *config_dir, int64_t days, struct then then);

/* The same at once, until `stop`. `before_ns` is wall time. Returns how many were removed. */
size_t cleanup_run(const char *config_dir, int64_t before_ns, const atomic_bool *stop);

/* Removes one session, however new. Fails with ERR_BUSY when a process has it open. */
must_use bool cleanup_remove(const char *config_dir, const char *transcript, struct err *err);

#endif
