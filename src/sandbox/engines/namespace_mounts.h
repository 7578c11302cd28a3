/* sandbox_furnish.h - private to sandbox_enter.c: the mounts, in this order. All fail with
 * errno set; `*at` is the number of the mount. */
#ifndef AWL_SANDBOX_ENGINES_NAMESPACE_MOUNTS_H
#define AWL_SANDBOX_ENGINES_NAMESPACE_MOUNTS_H

#include "sandbox/engines/program.h"

/* What happens to mounts outside is no more seen here. */
must_use bool sandbox_detach(void);
must_use bool sandbox_copy_trees(const struct sandbox_program *p, int *trees, uint32_t *at);
/* All is read-only, if it does not stay writable, and no device works any more. */
must_use bool sandbox_seal(bool stays_writable);
must_use bool sandbox_mount_proc(uint32_t pid_max); /* 0: without a limit of its own */
must_use bool sandbox_mount_dev(void);
/* Takes the trees. */
must_use bool sandbox_put_trees(const struct sandbox_program *p, const int *trees, uint32_t *at);

#endif
