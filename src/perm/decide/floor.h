/* floor.h - private to src/perm: what no rule and no mode allows, and removals that are asked about
 * whatever allows them. */
#ifndef AWL_PERM_DECIDE_FLOOR_H
#define AWL_PERM_DECIDE_FLOOR_H

#include "perm/command/command_paths.h"
#include "perm/perm.h"

/* BEHAVIOR_ALLOW: nothing to object. `outer` is the command that starts it, as find does with
 * -exec; NULL: none. */
struct verdict floor_check(const struct perm_policy *policy, const struct shell_command *command,
			   const command_path_list *paths, const struct shell_command *outer,
			   const command_path_list *outer_paths, struct arena *arena);

/* The same for paths in the program texts among its arguments and input (floor_text.c). They may be
 * there for another reason, so that is a question. */
struct verdict floor_check_texts(const struct perm_policy *policy,
				 const struct shell_command *command, struct arena *arena);

/* Whether the path contains a system or a home directory: "/", "/etc", "/home/me". */
bool floor_contains(const struct perm_policy *policy, struct sv path);

/* Whether writing there destroys the contents of a disk or of memory; `path` is normal. */
bool floor_is_storage(struct sv path);

#endif
