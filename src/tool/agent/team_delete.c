/* Ends the team of the session. */
#include "tool/agent/agent_tool.h"
#include "tool/builtins.h"

static bool team_delete_check(const struct tool_call *call, struct err *err)
{
	return agent_tool_service(call) || agent_tool_refuse(err);
}

static struct op *team_delete_start(struct tool_call *call, struct then then)
{
	return agent_tool_service(call)->delete_team(call->ctx->session->services->arg, call, then);
}

const struct tool tool_team_delete = {
	.name = "TeamDelete",
	.page = tool_team_delete_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"),
	.hidden = true,
	.check = team_delete_check,
	.perm_request = agent_tool_perm_request,
	.start = team_delete_start,
};
