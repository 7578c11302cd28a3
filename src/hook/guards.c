#include "hook/guards.h"

#include "base/utf8.h"
#include "hook/hook_set.h"
#include "perm/rule/hook_matcher.h"
#include "store/settings/settings_hooks.h"

enum { HOOK_GUARDS_SHOWN = 5, HOOK_GUARDS_NAME_LENGTH = 40 };

static bool hook_guards_is_optional(struct json handler)
{
	return sv_is(json_str_or(json_get(handler, "onFailure"), SV_EMPTY), "continue");
}

static bool hook_guards_is_malformed(struct json handler)
{
	struct err invalid = ERR_INIT;

	return !settings_hooks_check_handler(handler, &invalid);
}

/* Whether it is known which tools a group is about. */
static bool hook_guards_can_match(struct json group)
{
	struct json matcher = json_get(group, "matcher");
	struct err invalid = ERR_INIT;

	if (!json_is(group, JSON_OBJECT))
		return false;
	return !json_exists(matcher) || json_is(matcher, JSON_NULL) ||
	       (json_is(matcher, JSON_STRING) &&
		hook_matcher_check(json_str_or(matcher, SV_EMPTY), &invalid));
}

static void hook_guards_add_group(struct perm_policy *policy, const struct settings_item *group)
{
	struct json handlers = json_get(group->value, "hooks"), handler;
	struct json_iter it = json_each(handlers);
	struct perm_guard guard = { .file = sv_cstr(group->file), .line = group->line };
	bool can_match = hook_guards_can_match(group->value);

	if (can_match)
		guard.matcher = json_str_or(json_get(group->value, "matcher"), SV_EMPTY);
	if (!can_match || !json_is(handlers, JSON_ARRAY)) {
		perm_add_guard(policy, &guard);
		return;
	}
	while (json_next(&it, NULL, &handler)) {
		guard.condition = json_str_or(json_get(handler, "if"), SV_EMPTY);
		if (hook_guards_is_malformed(handler) && !hook_guards_is_optional(handler))
			perm_add_guard(policy, &guard);
	}
}

void hook_guards_add(struct perm_policy *policy, const struct settings *settings)
{
	for (enum hook_event event = 0; event < HOOK_EVENTS; event++) {
		defer(str_clear) struct str key = STR_INIT;
		const struct settings_item *groups;
		size_t n;

		if (!hook_event_info(event)->is_guard)
			continue;
		str_addf(&key, "hooks.%s", hook_event_info(event)->name);
		n = settings_items(settings, str_c(&key), &groups);
		for (size_t i = 0; i < n; i++)
			if (!hook_source_is_off(settings, groups[i].source))
				hook_guards_add_group(policy, &groups[i]);
	}
}

void hook_guards_describe(struct str *out, const struct settings *settings)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;

	hook_guards_add(&policy, settings);
	if (!policy.guards.n)
		return;
	str_adds(out, "awl denies the calls that a malformed hook would have checked: ");
	for (size_t i = 0; i < policy.guards.n && i < HOOK_GUARDS_SHOWN; i++) {
		const struct perm_guard *guard = &policy.guards.at[i];
		struct sv matcher = guard->condition.len ? guard->condition : guard->matcher;
		bool is_all = !matcher.len || sv_is(matcher, "*");

		str_addf(out, "%s%.*s (%.*s:%zu)", i ? ", " : "",
			 SV_ARG(is_all ? SV("all tools")
				       : utf8_prefix(matcher, HOOK_GUARDS_NAME_LENGTH)),
			 SV_ARG(guard->file), guard->line);
	}
	str_adds(out, ". Fix it, or set disableAllHooks to run without hooks.\n");
}
