#include "perm/decide/hook_guard.h"
#include "test.h"

static bool sees(const char *matcher, const char *condition, const char *tool)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;

	perm_add_guard(&policy, &(struct perm_guard){ .matcher = sv_cstr(matcher),
						      .condition = sv_cstr(condition),
						      .file = SV("settings.json"),
						      .line = 3 });
	return hook_guard_find(&policy, sv_cstr(tool)) != NULL;
}

TEST(a_hook_sees_the_tools_that_its_matcher_names)
{
	static const struct {
		const char *matcher, *tool;
		bool sees;
	} cases[] = {
		{ "", "Bash", true },
		{ "*", "Bash", true },
		{ ".*", "Bash", true },
		{ "Bash", "Bash", true },
		{ "Bash", "BashOutput", false },
		{ "bash", "Bash", false },
		{ "Edit|Write", "Write", true },
		{ "Edit | Write", "Edit", true },
		{ "Edit,Write", "Write", true },
		{ "Edit|Write", "Read", false },
		{ "Edit|", "Read", false },
		{ "mcp__files-x__get", "mcp__files-x__get", true },
		{ "mcp__.*", "mcp__files__get", true },
		{ "mcp__.*", "Bash", false },
		{ "Notebook.*", "NotebookEdit", true },
		{ "^Read$", "Read", true },
		{ "^Read$", "ReadMcpResourceTool", false },
		{ "Read.?", "ReadMcpResourceTool", true }, /* not anchored */
		{ "(?:Edit|Write)$", "Edit", true },
		{ "^(?!Read)", "Read", false },
		{ "^(?!Read)", "Bash", true },
		{ "Bash(git commit*)", "Bash", false }, /* as an expression it matches no name */
		{ "(", "Bash", true },                  /* what is not valid matches all */
		{ "Task", "Agent", true },
		{ "Agent", "Agent", true },
		{ "Bash", "Monitor", true }, /* runs commands, too */
		{ "Write", "apply_patch", true },
		{ "Read", "apply_patch", false },
	};

	for (size_t i = 0; i < countof(cases); i++)
		if (sees(cases[i].matcher, NULL, cases[i].tool) != cases[i].sees)
			fail_msg("%s %s", cases[i].matcher, cases[i].tool);
}

TEST(a_hook_with_a_condition_sees_the_tool_of_that_rule)
{
	CHECK(sees("*", "Bash(git push:*)", "Bash"));
	CHECK(!sees("*", "Bash(git push:*)", "Read"));
	CHECK(!sees("Read", "Bash(git push:*)", "Bash"));
	CHECK(sees("", "Task(x)", "Agent"));
	CHECK(sees("", "mcp__files__*", "mcp__files__get"));
}

TEST(a_call_that_a_hook_would_check_is_denied_whatever_allows_it)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	struct err err = ERR_INIT;
	struct verdict v;

	policy.mode = PERM_BYPASS;
	perm_add_dir(&policy, SV("/p"));
	CHECK_OK(perm_add_rules(&policy, BEHAVIOR_ALLOW, SV("Bash"), &err), err);
	perm_add_guard(&policy, &(struct perm_guard){ .matcher = SV("Bash"),
						      .file = SV("/home/u/.claude/settings.json"),
						      .line = 7 });
	v = perm_decide(&policy, &(struct perm_request){ .tool = SV("Bash"),
							 .access = ACCESS_RUN,
							 .command = SV("ls") });
	CHECK_INT(v.behavior, BEHAVIOR_DENY);
	CHECK_INT(v.reason, REASON_HOOK);
	CHECK(strstr(v.text, "/home/u/.claude/settings.json:7"));
	CHECK(strstr(v.text, "disableAllHooks"));
	v = perm_decide(&policy, &(struct perm_request){ .tool = SV("Read"),
							 .access = ACCESS_READ,
							 .path = SV("/p/x") });
	CHECK_INT(v.behavior, BEHAVIOR_ALLOW);
}
