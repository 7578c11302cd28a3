/* Coordinator mode: the agent that leads the conversation only directs others, which get all the tools. */
#include "core/subagents/subagents.h"
#include "tool/shell/shell_env.h"

extern const char coordinator_page[];

static bool coordinator_keeps(__attribute__((unused)) void *arg, const struct tool *tool)
{
	static const char names[][17] = { "Agent",       "AskUserQuestion",  "ListAgents",
					  "SendMessage", "StructuredOutput", "TaskCreate",
					  "TaskGet",     "TaskList",         "TaskOutput",
					  "TaskStop",    "TaskUpdate",       "TeamCreate",
					  "TeamDelete" };

	return sv_is_among(sv_cstr(tool->name), names);
}

void session_coordinate(struct session *s)
{
	if (!shell_env_is_on(&s->shared, "CLAUDE_CODE_COORDINATOR_MODE"))
		return;
	s->kind.is_coordinator = true;
	agent_delegate_tools(s->agent, coordinator_keeps, NULL);
	if (s->system.custom)
		return;
	s->system.custom = xstrdup(coordinator_page);
	s->kind.is_led = true;
}
