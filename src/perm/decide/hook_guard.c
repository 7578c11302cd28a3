#include "perm/decide/hook_guard.h"

#include "perm/decide/message.h"
#include "perm/rule/hook_matcher.h"
#include "perm/rule/rule.h"

/* Returns whether the hook sees the calls of this name. Its condition is a permission rule. Only
 * the tool of that rule counts here: what else it says may depend on how the call is written. */
static bool hook_guard_sees(const struct perm_guard *guard, struct sv tool)
{
	struct sv named = sv_slice(guard->condition, 0, sv_find_char(guard->condition, '('));

	return hook_matcher_selects(guard->matcher, tool) &&
	       (!named.len || sv_eq(named, tool) ||
		rule_covers(&(struct perm_rule){ .tool = named }, BEHAVIOR_DENY, tool));
}

const struct perm_guard *hook_guard_find(const struct perm_policy *policy, struct sv tool)
{
	for (size_t i = 0; i < policy->guards.n; i++) {
		const struct perm_guard *guard = &policy->guards.at[i];
		struct sv also;

		if (hook_guard_sees(guard, tool))
			return guard;
		for (size_t k = 0; hook_matcher_next_name(tool, &k, &also);)
			if (hook_guard_sees(guard, also))
				return guard;
	}
	return NULL;
}

struct verdict hook_guard_deny(const struct perm_guard *guard, struct sv tool)
{
	return verdict_of(BEHAVIOR_DENY, REASON_HOOK,
			  "A hook (%s:%zu) has to check %s, and it is malformed. The "
			  "user can correct it, or set disableAllHooks to run without hooks.",
			  quote(guard->file).text, guard->line, quote(tool).text);
}
