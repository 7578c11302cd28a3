/* decide_command.h - private to src/perm: what is said to a command line. The strictest of what is
 * said to each command in it, wherever it stands (runs.h).
 *
 * The floor, which no rule and no mode lowers: removing, moving or changing the mode of "/",
 * of a directory of the system's, of a home or what it is in with all below it; writing to raw
 * storage; making file systems; functions that only multiply. */
#ifndef AWL_PERM_DECIDE_DECIDE_COMMAND_H
#define AWL_PERM_DECIDE_DECIDE_COMMAND_H

#include "perm/perm.h"

/* `report` may be NULL. */
struct verdict judge_command(const struct perm_policy *policy, const struct wish *wish,
			     struct perm_report *report);

#endif
