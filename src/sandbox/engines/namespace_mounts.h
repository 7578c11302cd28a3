/* namespace_mounts.h - private to enter.c: the steps that set up the mounts, to be called in this
 * order. All set errno when they fail, and `*at` to the number of the mount. */
#ifndef AWL_SANDBOX_ENGINES_NAMESPACE_MOUNTS_H
#define AWL_SANDBOX_ENGINES_NAMESPACE_MOUNTS_H

#include "sandbox/engines/image.h"

/* Mounts no longer propagate from or to the outside. */
must_use bool namespace_make_private(void);
must_use bool namespace_copy_trees(const struct engine_image *p, int *trees, uint32_t *at);
/* Makes everything read-only, unless it stays writable, and disables devices. */
must_use bool namespace_make_readonly(bool stays_writable);
must_use bool namespace_mount_proc(uint32_t pid_max); /* 0: no limit of its own */
must_use bool namespace_mount_dev(void);
/* Takes the trees. */
must_use bool namespace_put_trees(const struct engine_image *p, const int *trees, uint32_t *at);

#endif
