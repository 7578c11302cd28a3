/* cleanup.h - deletes sessions that have not been used for a long time.
 *
 * A session consists of its transcript, <config>/projects/<project>/<id>.jsonl, the directory
 * <id> beside it, and <config>/tasks/<id>. Nothing else is ever touched: no other names, no
 * links or their targets, and no session that a process has open. */
#ifndef AWL_STORE_TRANSCRIPT_CLEANUP_H
#define AWL_STORE_TRANSCRIPT_CLEANUP_H

#include <stdatomic.h>

#include "sys/op.h"

/* Deletes the sessions whose last record is older than `days`, up to LIMIT_CLEANUP per run, and what
 * /undo has kept for longer than `undo_days` (store/undo/undo.h).
 * Copies `config_dir`. Runs on a worker thread. Sessions that cannot be deleted stay. When
 * cancelled, it stops after the current session. */
struct op *cleanup_start(struct loop *loop, const char *config_dir, int64_t days, int64_t undo_days,
			 struct then then);

/* Does the same synchronously until `stop` is set. `before_ns` is wall time. Returns the number
 * of deleted sessions. */
size_t cleanup_run(const char *config_dir, int64_t before_ns, const atomic_bool *stop);

/* Deletes one session of any age. Fails with ERR_BUSY when a process has it open. */
must_use bool cleanup_remove(const char *config_dir, const char *transcript, struct err *err);

#endif
