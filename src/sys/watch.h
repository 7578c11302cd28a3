/* watch.h - told when a file or directory changes, by the kernel and not by
 * polling. A file is watched through its directory, so that it may be missing,
 * be created later, or be replaced by rename as editors do; a link to a file is
 * watched at both ends. */
#ifndef AWL_SYS_WATCH_H
#define AWL_SYS_WATCH_H

#include "base/str.h"
#include "sys/op.h"

/* `name` is the entry that changed, inside the watched directory; for a watched
 * file, its own last part. From the FIFO; a burst is merged per name, and one
 * of more than LIMIT_WATCH_NAMES names is told as the empty name: anything may
 * have changed. Never called after op_cancel(). */
typedef void watch_fn(void *owner, struct sv name);

/* `path` is copied. Ends by op_cancel(), or fails when `path`'s directory cannot
 * be watched or goes away. */
struct op *watch_start(struct loop *loop, const char *path, watch_fn *on_change, struct then then);

#endif
