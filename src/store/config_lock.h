/* config_lock.h - those who change settings, or the record of trust, do so one after the other, in
 * whatever process: each begins with what the one before has left. */
#ifndef AWL_STORE_CONFIG_LOCK_H
#define AWL_STORE_CONFIG_LOCK_H

#include "sys/fs.h"

/* Waits for those before us, up to LIMIT_TURN_MS. The turn ends by fs_unlock(), or with the
 * process. A `config_dir` that is missing is made. */
struct fs_lock *turn_take(const char *config_dir, struct err *err);

#endif
