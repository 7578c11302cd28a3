/* floor.h - private to src/perm: what no rule and no mode permits (judge.h), and the removals
 * that are asked about whatever is allowed. */
#ifndef AWL_PERM_DECIDE_FLOOR_H
#define AWL_PERM_DECIDE_FLOOR_H

#include "perm/command/command_paths.h"
#include "perm/perm.h"

/* BEHAVIOR_ALLOW: it is above the floor. `outer` is the command that starts it, as find does
 * with -exec; NULL: none. */
struct verdict floor_check(const struct perm_policy *policy, const struct shell_command *command,
			   const command_path_list *paths, const struct shell_command *outer,
			   const command_path_list *outer_paths, struct arena *arena);

/* The same of what the texts of programs name in its arguments and its input (floor_text.c): it
 * may be there for another reason, so that is asked about. */
struct verdict floor_check_texts(const struct perm_policy *policy,
				 const struct shell_command *command, struct arena *arena);

/* Whether all of a machine or of a home is below: "/", "/etc", "/home/me". */
bool floor_contains(const struct perm_policy *policy, struct sv path);

/* Whether writing there destroys what is on a disk or in memory; `path` is normal. */
bool floor_is_storage(struct sv path);

#endif
