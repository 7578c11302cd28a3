/* Plans a prompt for later. */
#include "base/limits.h"
#include "tool/builtins.h"
#include "tool/schedule/schedule_job.h"

static struct schedule_request cron_create_request(const struct tool_call *call)
{
	return (struct schedule_request){
		.cron = sv_trim(json_str_or(json_get(call->input, "cron"), SV_EMPTY)),
		.prompt = sv_trim(json_str_or(json_get(call->input, "prompt"), SV_EMPTY)),
		.is_recurring = json_bool_or(json_get(call->input, "recurring"), true),
		.is_durable = json_bool_or(json_get(call->input, "durable"), false),
	};
}

static bool cron_create_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;
	struct schedule_request request = cron_create_request(call);

	if (!schedule_job_check(call, request.prompt, err))
		return false;
	return services->schedule->check(services->arg, request.cron, request.is_durable, err);
}

/* What a session asks of itself needs no permission. A durable job works on in sessions of which nobody has
 * thought yet. */
static void cron_create_perm_request(const struct tool_call *call,
				     __attribute__((unused)) struct arena *arena,
				     struct perm_request *out)
{
	if (!cron_create_request(call).is_durable)
		out->access = ACCESS_NONE;
}

static struct op *cron_create_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	struct schedule_request request = cron_create_request(call);

	services->schedule->create(services->arg, call, &request);
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_cron_create = {
	.name = "CronCreate",
	.page = tool_cron_create_page,
	.schema =
		SV_INIT("{\"type\":\"object\",\"properties\":{"
			"\"cron\":{\"type\":\"string\",\"description\":"
			"\"Five fields, local time: minute hour day-of-month month day-of-week\"},"
			"\"prompt\":{\"type\":\"string\",\"description\":"
			"\"What to do then, complete in itself\"},"
			"\"recurring\":{\"type\":\"boolean\",\"description\":"
			"\"false: only the next time (default: true)\"},"
			"\"durable\":{\"type\":\"boolean\",\"description\":"
			"\"true: it outlives the session (default: false)\"}},"
			"\"required\":[\"cron\",\"prompt\"],\"additionalProperties\":false}"),
	.deferred = true,
	.check = cron_create_check,
	.perm_request = cron_create_perm_request,
	.start = cron_create_start,
};
