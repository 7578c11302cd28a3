/* Makes the agent that leads the session the leader of a team. */
#include "base/limits.h"
#include "tool/agent/agent_tool.h"
#include "tool/builtins.h"

static bool team_create_check(const struct tool_call *call, struct err *err)
{
	struct sv name = sv_trim(json_str_or(json_get(call->input, "team_name"), SV_EMPTY));

	if (!agent_tool_service(call))
		return agent_tool_refuse(err);
	if (!name.len || name.len > LIMIT_AGENT_NAME)
		return err_set(err, ERR_INVALID, "The name of a team has 1 to %d bytes.",
			       LIMIT_AGENT_NAME);
	return true;
}

static struct op *team_create_start(struct tool_call *call, struct then then)
{
	return agent_tool_service(call)->create_team(call->ctx->session->services->arg, call, then);
}

const struct tool tool_team_create = {
	.name = "TeamCreate",
	.page = tool_team_create_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"team_name\":{\"type\":\"string\"},"
			  "\"description\":{\"type\":\"string\",\"description\":\"What the team "
			  "is for\"},"
			  "\"agent_type\":{\"type\":\"string\"}},"
			  "\"required\":[\"team_name\"],\"additionalProperties\":false}"),
	.hidden = true,
	.check = team_create_check,
	.perm_request = agent_tool_perm_request,
	.start = team_create_start,
};
