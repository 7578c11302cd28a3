/* enter.h - private to src/sandbox: entering a sandbox, in a process that was just forked. All of
 * it is async-signal-safe. Functions that return bool set errno and `*at` (a step and the number of
 * a mount) when they fail. */
#ifndef AWL_SANDBOX_ENGINES_ENTER_H
#define AWL_SANDBOX_ENGINES_ENTER_H

#include "sandbox/engines/image.h"
#include "sys/confinement.h"

/* For sandbox_confinement_type. The image is a struct engine_image. */

/* The namespaces to clone the first process with, for SANDBOX_NAMESPACES; otherwise 0. */
unsigned long engine_clone_flags(const void *program);
bool engine_is_watched(const void *program);
/* In the first process: user and group, mounts, network; then drops all capabilities. */
must_use bool engine_set_up(const struct confinement_image *image, struct confinement_place *at);
/* In the process that becomes the command, with every engine: limits, Landlock rules, seccomp
 * filter. Nothing privileged is possible afterwards. */
must_use bool engine_enter(const struct confinement_image *image, struct confinement_place *at);
/* Applies Landlock rules to the caller; -1: none. `rights` are the rights that the rules handle.
 * They are granted in /dev and /proc, which are new mounts; 0: they are not. */
must_use bool engine_apply_landlock(int rules, uint64_t rights);
/* Creates the listening socket and sends it through `link`. */
must_use bool engine_listen(int link);

#endif
