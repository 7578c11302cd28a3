/* engine_set_up.h - private to sandbox_enter.c: the mounts, in this order. All fail with
 * errno set; `*at` is the number of the mount. */
#ifndef AWL_SANDBOX_ENGINES_NAMESPACE_MOUNTS_H
#define AWL_SANDBOX_ENGINES_NAMESPACE_MOUNTS_H

#include "sandbox/engines/image.h"

/* What happens to mounts outside is no more seen here. */
must_use bool namespace_make_private(void);
must_use bool namespace_copy_trees(const struct engine_image *p, int *trees, uint32_t *at);
/* All is read-only, if it does not stay writable, and no device works any more. */
must_use bool namespace_make_readonly(bool stays_writable);
must_use bool namespace_mount_proc(uint32_t pid_max); /* 0: without a limit of its own */
must_use bool namespace_mount_dev(void);
/* Takes the trees. */
must_use bool namespace_put_trees(const struct engine_image *p, const int *trees, uint32_t *at);

#endif
