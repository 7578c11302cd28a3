/* Removes a prompt that is planned. */
#include "tool/builtins.h"
#include "tool/schedule/schedule_job.h"

static bool cron_delete_check(const struct tool_call *call, struct err *err)
{
	return schedule_job_check(call, SV("any"), err);
}

static struct op *cron_delete_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	services->schedule->remove(services->arg, call,
				   json_str_or(json_get(call->input, "id"), SV_EMPTY));
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_cron_delete = {
	.name = "CronDelete",
	.page = tool_cron_delete_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},"
			  "\"required\":[\"id\"],\"additionalProperties\":false}"),
	.deferred = true,
	.check = cron_delete_check,
	.perm_request = schedule_job_perm_request,
	.start = cron_delete_start,
};
