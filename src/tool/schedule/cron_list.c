/* Lists the prompts that are planned. */
#include "tool/builtins.h"
#include "tool/schedule/schedule_job.h"

static bool cron_list_check(const struct tool_call *call, struct err *err)
{
	return schedule_job_check(call, SV("any"), err);
}

static struct op *cron_list_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	services->schedule->list(services->arg, call);
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_cron_list = {
	.name = "CronList",
	.page = tool_cron_list_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"),
	.deferred = true,
	.is_read_only = tool_always,
	.check = cron_list_check,
	.perm_request = schedule_job_perm_request,
	.start = cron_list_start,
};
