/* decide_command.h - private to src/perm: the verdict on a command line, the strictest of the
 * verdicts on each command in it (command_analysis.h). */
#ifndef AWL_PERM_DECIDE_DECIDE_COMMAND_H
#define AWL_PERM_DECIDE_DECIDE_COMMAND_H

#include "perm/perm.h"

/* `report` may be NULL. */
struct verdict decide_command_line(const struct perm_policy *policy,
				   const struct perm_request *request, struct perm_report *report);

#endif
