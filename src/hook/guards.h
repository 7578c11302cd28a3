/* guards.h - the calls that are denied because a hook that should check them cannot be read.
 *
 * A PreToolUse or PermissionRequest hook may be the reason why a user lets a tool run without
 * questions. If its entry is malformed, the calls that it would have seen are denied: those of the
 * tools that its matcher names, or all calls if the matcher cannot be read. */
#ifndef AWL_HOOK_GUARDS_H
#define AWL_HOOK_GUARDS_H

#include "perm/perm.h"
#include "store/settings/settings.h"

/* Add a guard to the policy for every such entry that is not switched off. */
void hook_guards_add(struct perm_policy *policy, const struct settings *settings);

/* Append a line that names the tools whose calls are denied because of such entries, or nothing if
 * there are none. */
void hook_guards_describe(struct str *out, const struct settings *settings);

#endif
