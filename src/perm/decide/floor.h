/* floor.h - private to src/perm: what no rule and no mode permits (judge.h), and the removals
 * that are asked about whatever is allowed. */
#ifndef AWL_PERM_DECIDE_FLOOR_H
#define AWL_PERM_DECIDE_FLOOR_H

#include "perm/command/command_paths.h"
#include "perm/perm.h"

/* BEHAVIOR_ALLOW: it is above the floor. `outer` is the command that starts it, as find does
 * with -exec; NULL: none. */
struct verdict floor_judge(const struct perm_policy *policy, const struct run *run,
			   const touch_list *touches, const struct run *outer,
			   const touch_list *outer_touches, struct arena *arena);

/* The same of what the texts of programs name in its arguments and its input (floor_text.c): it
 * may be there for another reason, so that is asked about. */
struct verdict floor_judge_texts(const struct perm_policy *policy, const struct run *run,
				 struct arena *arena);

/* Whether all of a machine or of a home is below: "/", "/etc", "/home/me". */
bool floor_has(const struct perm_policy *policy, struct sv path);

/* Whether writing there destroys what is on a disk or in memory; `path` is normal. */
bool floor_is_storage(struct sv path);

#endif
