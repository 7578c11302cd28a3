#include "core/policy/rule_review.h"

#include "perm/rule/rule_check.h"
#include "text/nearest.h"
#include "tool/tool.h"

/* Tools that awl does not have, but that rules of other programs' users name. */
static bool rule_review_is_foreign(struct sv name)
{
	static const char names[][21] = {
		"Agent",       "BashOutput",    "CronCreate",    "CronDelete",
		"CronList",    "EnterPlanMode", "EnterWorktree", "ExitWorktree",
		"KillBash",    "KillShell",     "LSP",           "ListMcpResourcesTool",
		"McpSampling", "NotebookRead",  "PowerShell",    "ReadMcpResourceTool",
		"SendMessage", "Skill",         "SlashCommand",  "Task",
		"TodoRead",    "Update",        "Workflow",
	};

	return sv_is_among(name, names);
}

bool rule_review_tool(struct sv rule, struct err *err)
{
	struct nearest best = NEAREST_INIT;
	struct sv name = sv_trim(sv_slice(rule, 0, sv_find_char(rule, '(')));
	size_t n;
	const struct tool *const *tools = tool_builtins(&n);

	if (rule_review_is_foreign(name) || sv_find_char(name, '*') != SIZE_MAX)
		return true;
	for (size_t i = 0; i < n; i++)
		nearest_offer(&best, name, sv_cstr(tools[i]->name));
	if (!best.word.len || !best.distance)
		return true;
	return err_set(err, ERR_NOT_FOUND, "there is no tool named %.*s; did you mean %.*s?",
		       SV_ARG(name), SV_ARG(best.word));
}

/* --- the rules of the settings ----------------------------------------------------------- */

/* Returns whether a rule is well-formed and names a tool that may exist. */
static bool rule_review_is_sound(const struct settings_item *item, enum behavior what,
				 struct err *err)
{
	defer(perm_policy_clear) struct perm_policy trial = PERM_POLICY_INIT;

	perm_set_home(&trial, SV("/")); /* any will do */
	return perm_add_rule(&trial, what, item->text, &(struct perm_rule){ .line = 0 }, err) &&
	       rule_review_tool(item->text, err);
}

/* Notes what is wrong with a rule. Returns whether that is a mistake: an allow rule that never
 * matches does no harm, and "don't ask again" of other programs has written many of them. */
static bool rule_review_item(const struct settings_item *item, enum behavior what,
			     struct str *notes)
{
	struct err err = ERR_INIT;
	bool is_sound = rule_review_is_sound(item, what, &err);

	if (is_sound && perm_check_rule(what, item->text, SV("/"), &err))
		return false;
	str_addf(notes, "%s:%zu: %s\n", item->file, item->line, err.text);
	return !is_sound || what != BEHAVIOR_ALLOW;
}

size_t rule_review_settings(const struct settings *settings, struct str *notes)
{
	static const struct {
		enum behavior what;
		const char *key;
	} lists[] = { { BEHAVIOR_ALLOW, "permissions.allow" },
		      { BEHAVIOR_ASK, "permissions.ask" },
		      { BEHAVIOR_DENY, "permissions.deny" } };
	size_t mistakes = 0;

	for (size_t k = 0; k < countof(lists); k++) {
		const struct settings_item *items;
		size_t n = settings_items(settings, lists[k].key, &items);

		for (size_t i = 0; i < n; i++)
			mistakes += rule_review_item(&items[i], lists[k].what, notes);
	}
	return mistakes;
}
