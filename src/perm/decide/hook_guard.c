#include "perm/decide/hook_guard.h"

#include "base/ascii.h"
#include "perm/decide/message.h"
#include "perm/rule/rule.h"
#include "text/match/regex.h"

/* Names under which hooks know a tool: former names, and the tools of which it is a variant. */
static const struct {
	struct sv tool, also;
} hook_guard_names[] = {
	{ SV_INIT("Agent"), SV_INIT("Task") },         { SV_INIT("Monitor"), SV_INIT("Bash") },
	{ SV_INIT("TaskStop"), SV_INIT("KillShell") }, { SV_INIT("apply_patch"), SV_INIT("Edit") },
	{ SV_INIT("apply_patch"), SV_INIT("Write") },
};

static bool hook_guard_is_list(struct sv matcher)
{
	for (size_t i = 0; i < matcher.len; i++)
		if (!ascii_is_alnum(matcher.ptr[i]) && !strchr("_-,| ", matcher.ptr[i]))
			return false;
	return true;
}

static bool hook_guard_list_has(struct sv list, struct sv tool)
{
	size_t from = 0;

	for (size_t i = 0; i <= list.len; i++) {
		if (i < list.len && list.ptr[i] != '|' && list.ptr[i] != ',')
			continue;
		if (sv_eq(sv_trim(sv_slice(list, from, i)), tool))
			return true;
		from = i + 1;
	}
	return false;
}

static bool hook_guard_regex_matches(struct sv matcher, struct sv tool)
{
	enum { STEPS = 100000 };
	struct err invalid = ERR_INIT;
	defer(regex_freep) struct regex *re =
		regex_new(matcher, (struct regex_opts){ .nocase = false }, &invalid);
	struct regex_budget budget = { .steps = STEPS };
	struct regex_match match;

	return !re || regex_find(re, tool, 0, &budget, &match) != REGEX_NONE;
}

static bool hook_guard_matches_name(struct sv matcher, struct sv tool)
{
	if (!matcher.len || sv_is(matcher, "*"))
		return true;
	return hook_guard_is_list(matcher) ? hook_guard_list_has(matcher, tool)
					   : hook_guard_regex_matches(matcher, tool);
}

/* Returns whether the hook sees the calls of this name. Its condition is a permission rule. Only
 * the tool of that rule counts here: what else it says may depend on how the call is written. */
static bool hook_guard_sees(const struct perm_guard *guard, struct sv tool)
{
	struct sv named = sv_slice(guard->condition, 0, sv_find_char(guard->condition, '('));

	return hook_guard_matches_name(guard->matcher, tool) &&
	       (!named.len || sv_eq(named, tool) ||
		rule_covers(&(struct perm_rule){ .tool = named }, BEHAVIOR_DENY, tool));
}

const struct perm_guard *hook_guard_find(const struct perm_policy *policy, struct sv tool)
{
	for (size_t i = 0; i < policy->guards.n; i++) {
		const struct perm_guard *guard = &policy->guards.at[i];

		if (hook_guard_sees(guard, tool))
			return guard;
		for (size_t k = 0; k < countof(hook_guard_names); k++)
			if (sv_eq(hook_guard_names[k].tool, tool) &&
			    hook_guard_sees(guard, hook_guard_names[k].also))
				return guard;
	}
	return NULL;
}

struct verdict hook_guard_deny(const struct perm_guard *guard, struct sv tool)
{
	return verdict_of(BEHAVIOR_DENY, REASON_HOOK,
			  "A PreToolUse hook (%s:%zu) has to check %s, and awl can't run hooks "
			  "yet. The user can set disableAllHooks to run without hooks.",
			  quote(guard->file).text, guard->line, quote(tool).text);
}
