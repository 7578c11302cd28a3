/* config_lock.h - serializes changes of settings and of the trust record across processes, so
 * that each change starts from the result of the previous one. */
#ifndef AWL_STORE_CONFIG_LOCK_H
#define AWL_STORE_CONFIG_LOCK_H

#include "sys/fs.h"

/* Takes the lock, waiting up to LIMIT_TURN_MS. fs_unlock() or the end of the process releases
 * it. Creates a missing `config_dir`. */
struct fs_lock *config_lock_take(const char *config_dir, struct err *err);

#endif
