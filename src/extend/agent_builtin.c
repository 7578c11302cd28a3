/* The agents that come with awl. Their prompts are pages in agents/, which the build embeds. The rest is a
 * table, because every session with the tool Agent reads it and most start none of them. */
#include "extend/agent_list.h"

extern const char agent_claude_code_guide_page[], agent_explore_page[],
	agent_general_purpose_page[], agent_plan_page[], agent_statusline_setup_page[],
	agent_verification_page[];

#define CHANGES_FILES "Agent, ExitPlanMode, Edit, Write, MultiEdit, NotebookEdit, apply_patch"

/* Arrays, not pointers, which the loader would adjust at each start. */
static const struct agent_builtin {
	char name[20], tools[48], disallowed_tools[80], model[8], permission_mode[8], color[8];
	bool is_background, omits_instructions;
	char description[292];
} builtins[] = {
	{
		.name = "claude-code-guide",
		.tools = "Glob, Grep, Read, WebFetch, WebSearch",
		.model = "haiku",
		.permission_mode = "dontAsk",
		.description = "Knows awl itself, and the programs and files it is compatible "
			       "with. Use it for "
			       "questions like \"Can awl ...?\", \"How do I ...?\" about settings, "
			       "hooks, MCP "
			       "servers, agents, slash commands, permissions, the sandbox and the "
			       "Agent SDK.",
	},
	{
		.name = "Explore",
		.disallowed_tools = CHANGES_FILES,
		.model = "inherit",
		.omits_instructions = true,
		.description =
			"A fast, read-only scout for a code base. Use it to find files by pattern, "
			"to "
			"search for names and words, or to answer how something works. Say how "
			"thorough "
			"it should be (\"quick\", \"medium\", \"very thorough\"). It cannot change "
			"anything.",
	},
	{
		.name = "general-purpose",
		.tools = "*",
		.description = "A capable all-rounder for questions that need research and for "
			       "work of several "
			       "steps. Use it to search for something when you do not expect to "
			       "find it in the "
			       "first few tries, or to carry out a self-contained piece of work.",
	},
	{
		.name = "Plan",
		.disallowed_tools = CHANGES_FILES,
		.model = "inherit",
		.omits_instructions = true,
		.description = "A read-only architect. Use it to design how something should be "
			       "built before "
			       "anything is changed. It returns the steps in order, the files they "
			       "touch and "
			       "the decisions behind them.",
	},
	{
		.name = "statusline-setup",
		.tools = "Read, Edit",
		.model = "sonnet",
		.color = "orange",
		.description = "Sets up the user's status line, the row that shows the model, the "
			       "directory and the like below the prompt.",
	},
	{
		.name = "verification",
		.disallowed_tools = CHANGES_FILES,
		.model = "inherit",
		.color = "red",
		.is_background = true,
		.description =
			"Checks that work is really done by trying to break it. Use it after a "
			"change of "
			"more than three files, of an API or of the build, before you report it as "
			"finished. Give it the original task, the files that changed and the "
			"approach. "
			"It ends with PASS, FAIL or PARTIAL.",
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
		const struct agent_builtin *b = &builtins[i];
		struct agent_file file = {
			.source = AGENT_BUILTIN,
			.name = sv_cstr(b->name),
			.description = sv_cstr(b->description),
			.prompt = sv_trim(sv_cstr(pages[i])),
			.model = sv_cstr(b->model),
			.permission_mode = sv_cstr(b->permission_mode),
			.color = sv_cstr(b->color),
			.is_background = b->is_background,
			.omits_instructions = b->omits_instructions,
		};

		if (b->tools[0])
			agent_names_split(&file.tools, sv_cstr(b->tools), &list->arena);
		if (b->disallowed_tools[0])
			agent_names_split(&file.disallowed_tools, sv_cstr(b->disallowed_tools),
					  &list->arena);
		agent_list_add(list, &file);
	}
}
