/* The agents that come with awl. Their prompts are pages in agents/, which the build embeds. The rest is a
 * table, because every session with the tool Agent reads it and most start none of them. */
#include "extend/agent_list.h"

extern const char agent_claude_code_guide_page[], agent_explore_page[],
	agent_general_purpose_page[], agent_plan_page[], agent_statusline_setup_page[],
	agent_verification_page[];

/* What an agent that only looks does not have. */
static const struct sv changing[] = {
	SV_INIT("Agent"),     SV_INIT("ExitPlanMode"), SV_INIT("Edit"),        SV_INIT("Write"),
	SV_INIT("MultiEdit"), SV_INIT("NotebookEdit"), SV_INIT("apply_patch"),
};
static const struct sv every[] = { SV_INIT("*") };
static const struct sv looking_up[] = {
	SV_INIT("Glob"),     SV_INIT("Grep"),      SV_INIT("Read"),
	SV_INIT("WebFetch"), SV_INIT("WebSearch"),
};
static const struct sv editing[] = { SV_INIT("Read"), SV_INIT("Edit") };

#define NAMES(list)                                              \
	{                                                        \
		.at = list, .n = countof(list), .is_given = true \
	}

/* Their prompts are the pages, in the same order. */
static const struct agent_file builtins[] = {
	{
		.name = SV_INIT("claude-code-guide"),
		.tools = NAMES(looking_up),
		.model = SV_INIT("haiku"),
		.permission_mode = SV_INIT("dontAsk"),
		.description = SV_INIT(
			"Knows awl itself, and the programs and files it is compatible with. "
			"Use it for questions like \"Can awl ...?\", \"How do I ...?\" about "
			"settings, hooks, MCP servers, agents, slash commands, permissions, the "
			"sandbox and the Agent SDK."),
	},
	{
		.name = SV_INIT("Explore"),
		.disallowed_tools = NAMES(changing),
		.model = SV_INIT("inherit"),
		.omits_instructions = true,
		.description = SV_INIT(
			"A fast, read-only scout for a code base. Use it to find files by "
			"pattern, to search for names and words, or to answer how something "
			"works. Say how thorough it should be (\"quick\", \"medium\", \"very "
			"thorough\"). It cannot change anything."),
	},
	{
		.name = SV_INIT("general-purpose"),
		.tools = NAMES(every),
		.description = SV_INIT(
			"A capable all-rounder for questions that need research and for work of "
			"several steps. Use it to search for something when you do not expect "
			"to find it in the first few tries, or to carry out a self-contained "
			"piece of work."),
	},
	{
		.name = SV_INIT("Plan"),
		.disallowed_tools = NAMES(changing),
		.model = SV_INIT("inherit"),
		.omits_instructions = true,
		.description = SV_INIT(
			"A read-only architect. Use it to design how something should be built "
			"before anything is changed. It returns the steps in order, the files "
			"they touch and the decisions behind them."),
	},
	{
		.name = SV_INIT("statusline-setup"),
		.tools = NAMES(editing),
		.model = SV_INIT("sonnet"),
		.color = SV_INIT("orange"),
		.description =
			SV_INIT("Sets up the user's status line, the row that shows the model, the "
				"directory and the like below the prompt."),
	},
	{
		.name = SV_INIT("verification"),
		.disallowed_tools = NAMES(changing),
		.model = SV_INIT("inherit"),
		.color = SV_INIT("red"),
		.is_background = true,
		.description = SV_INIT(
			"Checks that work is really done by trying to break it. Use it after a "
			"change of more than three files, of an API or of the build, before you "
			"report it as finished. Give it the original task, the files that "
			"changed and the approach. It ends with PASS, FAIL or PARTIAL."),
	},
};

void agent_list_add_builtins(struct agent_list *list)
{
	const char *const pages[countof(builtins)] = {
		agent_claude_code_guide_page, agent_explore_page,
		agent_general_purpose_page,   agent_plan_page,
		agent_statusline_setup_page,  agent_verification_page,
	};

	for (size_t i = 0; i < countof(builtins); i++) {
		struct agent_file file = builtins[i];

		file.prompt = sv_trim(sv_cstr(pages[i]));
		agent_list_add(list, &file);
	}
}
