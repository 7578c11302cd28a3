#include "core/policy/unsupported.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "core/policy/policy.h"
#include "hook/guards.h"
#include "store/settings/settings_hooks.h"

enum { UNSUPPORTED_SHOWN = 5, UNSUPPORTED_NAME = 40 };

/* A count of things, and the first few of their names. */
struct unsupported_names {
	size_t n, shown;
	struct str text;
};

static void unsupported_show(struct unsupported_names *names, struct sv name)
{
	if (names->shown == UNSUPPORTED_SHOWN)
		return;
	str_addf(&names->text, "%s%.*s", names->shown++ ? ", " : "",
		 SV_ARG(utf8_prefix(name, UNSUPPORTED_NAME)));
}

/* Write "2 hooks (PreToolUse, Stop)" and empty the list. */
static void unsupported_write(struct str *out, struct unsupported_names *names, const char *thing)
{
	if (names->n) {
		str_addf(out, "%s%zu %s%s (%s%s)", out->len ? ", " : "", names->n, thing,
			 names->n == 1 ? "" : "s", str_c(&names->text),
			 names->shown == UNSUPPORTED_SHOWN && names->n > names->shown ? ", ..."
										      : "");
	}
	str_clear(&names->text);
	*names = (struct unsupported_names){ 0 };
}

/* --- hooks --------------------------------------------------------------------- */

static bool unsupported_is_type(struct json handler)
{
	return sv_is(json_str_or(json_get(handler, "type"), SV_EMPTY), "agent");
}

static size_t unsupported_count_handlers(struct json groups)
{
	struct json_iter of_groups = json_each(groups);
	struct json group, handler;
	struct err invalid = ERR_INIT;
	size_t n = 0;

	while (json_next(&of_groups, NULL, &group)) {
		struct json_iter it = json_each(json_get(group, "hooks"));

		while (json_next(&it, NULL, &handler))
			n += settings_hooks_check_handler(handler, &invalid) &&
			     unsupported_is_type(handler);
	}
	return n;
}

static void unsupported_find_hooks(struct unsupported_names *out, const struct settings *settings)
{
	struct json hooks = settings_get(settings, "hooks"), groups;
	struct json_iter it;
	struct sv event;

	if (settings_bool(settings, "disableAllHooks") ||
	    settings_bool(settings, "allowManagedHooksOnly"))
		hooks = settings_get_from(settings, SETTINGS_POLICY, "hooks");
	it = json_each(hooks);
	while (json_next(&it, &event, &groups)) {
		size_t n = unsupported_count_handlers(groups);

		out->n += n;
		if (n)
			unsupported_show(out, event);
	}
}

/* --- all of it ------------------------------------------------------------------ */

/* Write which tools are denied because of a hook. */
static void unsupported_write_guards(struct str *out, const struct settings *settings)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;

	hook_guards_add(&policy, settings);
	for (size_t i = 0; i < policy.guards.n && i < UNSUPPORTED_SHOWN; i++) {
		const struct perm_guard *guard = &policy.guards.at[i];
		struct sv matcher = guard->condition.len ? guard->condition : guard->matcher;
		bool is_all = !matcher.len || sv_is(matcher, "*");

		str_addf(out, "%s%.*s (%.*s:%zu)",
			 i ? ", "
			   : " awl denies the calls that a malformed hook would have to check: ",
			 SV_ARG(is_all ? SV("all tools") : utf8_prefix(matcher, UNSUPPORTED_NAME)),
			 SV_ARG(guard->file), guard->line);
	}
	if (policy.guards.n)
		str_adds(out, ". Set disableAllHooks to run without hooks.");
}

void unsupported_describe(struct str *out, const struct settings *settings)
{
	struct unsupported_names names = { 0 };
	defer(str_clear) struct str list = STR_INIT;

	unsupported_find_hooks(&names, settings);
	unsupported_write(&list, &names, "agent hook");
	if (!list.len)
		return;
	str_addf(out, "awl does not support these yet and ignores them: %s.", str_c(&list));
	unsupported_write_guards(out, settings);
	str_addc(out, '\n');
}
