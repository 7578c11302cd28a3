/* Hands a task to another agent. */
#include "tool/agent/agent_tool.h"

#include "tool/builtins.h"

const struct tool_agents *agent_tool_service(const struct tool_call *call)
{
	return call->ctx->session->services->agents;
}

bool agent_tool_refuse(struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, "This session cannot start agents.");
}

void agent_tool_perm_request(__attribute__((unused)) const struct tool_call *call,
			     __attribute__((unused)) struct arena *arena, struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static bool agent_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->agents ? services->agents->check(services->arg, call, err)
				: agent_tool_refuse(err);
}

static struct op *agent_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->agents->start(services->arg, call, then);
}

static bool agent_detach(struct op *op)
{
	return container_of(op, struct agent_tool_op, op)->agents->detach(op);
}

static const char *const aliases[] = { "Task", NULL };

const struct tool tool_agent = {
	.name = "Agent",
	.aliases = aliases,
	.page = tool_agent_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"description\":{\"type\":\"string\","
		"\"description\":\"3-5 words\"},\"prompt\":{\"type\":\"string\"},"
		"\"subagent_type\":{\"type\":\"string\"},\"model\":{\"type\":\"string\","
		"\"description\":\"sonnet, opus, haiku or an "
		"id\"},\"effort\":{\"type\":\"string\"},"
		"\"run_in_background\":{\"type\":\"boolean\"},\"name\":{\"type\":\"string\","
		"\"description\":\"For SendMessage\"},\"team_name\":{\"type\":\"string\"},"
		"\"mode\":{\"type\":\"string\"},\"isolation\":{\"type\":\"string\","
		"\"enum\":[\"worktree\"]}},\"required\":[\"description\",\"prompt\"],"
		"\"additionalProperties\":false}"),
	.is_concurrent = tool_always,
	.starts_agent = true,
	.check = agent_check,
	.perm_request = agent_tool_perm_request,
	.start = agent_start,
	.detach = agent_detach,
};
