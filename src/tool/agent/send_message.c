/* Sends a message to an agent. */
#include "tool/agent/agent_tool.h"
#include "tool/builtins.h"

static bool send_message_check(const struct tool_call *call, struct err *err)
{
	const struct tool_agents *agents = agent_tool_service(call);

	return agents ? agents->check_message(call->ctx->session->services->arg, call, err)
		      : agent_tool_refuse(err);
}

static struct op *send_message_start(struct tool_call *call, struct then then)
{
	return agent_tool_service(call)->send_message(call->ctx->session->services->arg, call,
						      then);
}

const struct tool tool_send_message = {
	.name = "SendMessage",
	.page = tool_send_message_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"to\":{\"type\":\"string\",\"description\":\"Name or id of an agent, "
			  "or * for all that run\"},"
			  "\"summary\":{\"type\":\"string\",\"description\":\"The message in five "
			  "to ten words\"},"
			  "\"message\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":"
			  "\"object\"}]}},"
			  "\"required\":[\"to\",\"message\"],\"additionalProperties\":false}"),
	.deferred = true,
	.loads_itself = true,
	.is_concurrent = tool_always,
	.check = send_message_check,
	.perm_request = agent_tool_perm_request,
	.start = send_message_start,
};
