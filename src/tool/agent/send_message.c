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

/* Another session is outside of this one, so the user is asked. */
static void send_message_perm_request(const struct tool_call *call,
				      __attribute__((unused)) struct arena *arena,
				      struct perm_request *out)
{
	struct sv to = json_str_or(json_get(call->input, "to"), SV_EMPTY);

	out->access = sv_starts(sv_trim(to), SV("uds:")) ? ACCESS_OTHER : ACCESS_NONE;
}

const struct tool tool_send_message = {
	.name = "SendMessage",
	.page = tool_send_message_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"to\":{\"type\":\"string\",\"description\":\"Name or id of an agent, "
			  "* for all that run, or uds:... for another session\"},"
			  "\"summary\":{\"type\":\"string\",\"description\":\"The message in five "
			  "to ten words\"},"
			  "\"message\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":"
			  "\"object\"}]}},"
			  "\"required\":[\"to\",\"message\"],\"additionalProperties\":false}"),
	.deferred = true,
	.loads_itself = true,
	.is_concurrent = tool_always,
	.check = send_message_check,
	.perm_request = send_message_perm_request,
	.start = send_message_start,
};
