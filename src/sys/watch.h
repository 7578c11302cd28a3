/* watch.h - told when a file or directory changes, by the kernel and not by
 * polling. A file is watched through its directory, so that it may be missing,
 * be created later, or be replaced by rename as editors do. */
#ifndef AWL_SYS_WATCH_H
#define AWL_SYS_WATCH_H

#include "base/str.h"
#include "sys/op.h"

/* `name` is the entry that changed, inside the watched directory; for a watched
 * file, its own last part. From the FIFO; a burst may be merged per name. */
typedef void watch_fn(void *owner, struct sv name);

/* Ends by op_cancel(), or fails when `path`'s directory cannot be watched. */
struct op *watch_start(struct loop *loop, const char *path, watch_fn *on_change, struct then then);

#endif
