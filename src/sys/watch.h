/* watch.h - notification when a file or directory changes, from the kernel and without polling. A
 * file is watched through its directory, so it may be missing, be created later, or be replaced by
 * a rename as editors do. A link to a file is watched at both ends. */
#ifndef AWL_SYS_WATCH_H
#define AWL_SYS_WATCH_H

#include "base/str.h"
#include "sys/op.h"

/* `name` is the entry of the watched directory that changed; for a watched file, its own last
 * component. Called from the FIFO. A burst of changes is merged by name. If more than
 * LIMIT_WATCH_NAMES names have changed, the name is empty: anything may have changed. Never called
 * after op_cancel(). */
typedef void watch_fn(void *owner, struct sv name);

/* `path` is copied. Ends by op_cancel(), or fails when the directory of `path` cannot be watched or
 * disappears. */
struct op *watch_start(struct loop *loop, const char *path, watch_fn *on_change, struct then then);

#endif
