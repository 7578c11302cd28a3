/* Lists the agents of the session. */
#include "tool/agent/agent_tool.h"
#include "tool/builtins.h"

static bool list_agents_check(const struct tool_call *call, struct err *err)
{
	return agent_tool_service(call) || agent_tool_refuse(err);
}

static struct op *list_agents_start(struct tool_call *call, struct then then)
{
	return agent_tool_service(call)->list(call->ctx->session->services->arg, call, then);
}

static const char *const aliases[] = { "ListPeers", NULL };

const struct tool tool_list_agents = {
	.name = "ListAgents",
	.aliases = aliases,
	.page = tool_list_agents_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"q\":{\"type\":\"string\",\"description\":\"Only those whose name, "
			  "type or task contains this\"}},"
			  "\"additionalProperties\":false}"),
	.deferred = true,
	.loads_itself = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = list_agents_check,
	.perm_request = agent_tool_perm_request,
	.start = list_agents_start,
};
