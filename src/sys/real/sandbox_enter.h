/* sandbox_enter.h - private to src/sys/real: going into a sandbox, in a process that was
 * just forked. Async-signal-safe. Functions that return bool leave errno and `*at` (a step,
 * and the number of a mount) behind when they fail. */
#ifndef AWL_SYS_REAL_SANDBOX_ENTER_H
#define AWL_SYS_REAL_SANDBOX_ENTER_H

#include "sys/real/sandbox_program.h"

struct sandbox_place {
	enum sandbox_step step;
	uint32_t mount;
};

/* The namespaces that a process is cloned with, for SANDBOX_NAMESPACES. */
int sandbox_namespaces(const struct sandbox_program *program);

/* In its first process: ids, mounts, network, and the end of all special powers. */
must_use bool sandbox_furnish(const struct sandbox_program *program, int link,
			      struct sandbox_place *at);
/* In the one that becomes the command, with any engine: limits, rules, filter; nothing
 * special can be done afterwards. `rules` may be -1. */
must_use bool sandbox_confine(const struct sandbox_program *program, int rules, int filter,
			      struct sandbox_place *at);
/* Holds the caller to Landlock rules; -1: none. `rights` are what they are about, which is
 * allowed in the new /dev and /proc, too; 0: those are not new. */
must_use bool sandbox_obey(int rules, uint64_t rights);
/* Makes the listening socket and sends it through `link`. */
must_use bool sandbox_listen(int link);
/* Puts the descriptors where bubblewrap is told they are; -1: none. `program` is the file of
 * the program. */
must_use bool sandbox_hand_over(int filter, int link, int rules, int program);
/* Its first process from now on: waits for all others, and ends with the status of
 * `command`. */
_Noreturn void sandbox_keep_house(pid_t command);

#endif
