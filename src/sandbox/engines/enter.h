/* sandbox_enter.h - private to src/sys/real: going into a sandbox, in a process that was
 * just forked. Async-signal-safe. Functions that return bool leave errno and `*at` (a step,
 * and the number of a mount) behind when they fail. */
#ifndef AWL_SANDBOX_ENGINES_ENTER_H
#define AWL_SANDBOX_ENGINES_ENTER_H

#include "sandbox/engines/image.h"
#include "sys/confinement.h"

/* For sandbox_confinement_type; what they get is a struct engine_image. */

/* The namespaces that a process is cloned with, for SANDBOX_NAMESPACES; else 0. */
unsigned long engine_clone_flags(const void *program);
bool engine_is_watched(const void *program);
/* In its first process: ids, mounts, network, and the end of all special powers. */
must_use bool engine_set_up(const struct confinement_image *image, struct confinement_place *at);
/* In the one that becomes the command, with any engine: limits, rules, filter; nothing
 * special can be done afterwards. */
must_use bool engine_enter(const struct confinement_image *image, struct confinement_place *at);
/* Holds the caller to Landlock rules; -1: none. `rights` are what they are about, which is
 * allowed in the new /dev and /proc, too; 0: those are not new. */
must_use bool engine_apply_landlock(int rules, uint64_t rights);
/* Makes the listening socket and sends it through `link`. */
must_use bool engine_listen(int link);
/* Its first process from now on: waits for all others, and ends with the status of
 * `command`. */
void engine_watch(pid_t command);

#endif
