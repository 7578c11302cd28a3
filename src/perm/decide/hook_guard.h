/* hook_guard.h - private to src/perm: calls that a hook has to check before they run.
 *
 * A PreToolUse hook may be the reason why a user lets a tool run without questions. One that is
 * malformed cannot be run, so a call that it would see is denied instead of running unchecked. */
#ifndef AWL_PERM_DECIDE_HOOK_GUARD_H
#define AWL_PERM_DECIDE_HOOK_GUARD_H

#include "perm/perm.h"

/* Returns the first guard whose hook would see a call of this tool (rule/hook_matcher.h); NULL:
 * none. */
const struct perm_guard *hook_guard_find(const struct perm_policy *policy, struct sv tool);

struct verdict hook_guard_deny(const struct perm_guard *guard, struct sv tool);

#endif
