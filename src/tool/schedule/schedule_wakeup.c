/* Plans the next step of work that continues by itself. */
#include "tool/builtins.h"
#include "tool/schedule/schedule_job.h"

static struct wakeup_request schedule_wakeup_request(const struct tool_call *call)
{
	struct sv reason = json_str_or(json_get(call->input, "reason"), SV_EMPTY);
	struct sv prompt = sv_trim(json_str_or(json_get(call->input, "prompt"), reason));
	double seconds = json_real_or(json_get(call->input, "delaySeconds"), 0);

	return (struct wakeup_request){
		.prompt = prompt.len ? prompt : SV("Continue where you left off."),
		.seconds = (int64_t)max_of(0.0, min_of(seconds, 1e9)),
		.stop = json_bool_or(json_get(call->input, "stop"), false),
	};
}

static bool schedule_wakeup_check(const struct tool_call *call, struct err *err)
{
	struct wakeup_request request = schedule_wakeup_request(call);

	if (!request.stop && !json_exists(json_get(call->input, "delaySeconds")))
		return err_set(err, ERR_INVALID, "\"delaySeconds\" is missing.");
	return schedule_job_check(call, request.prompt, err);
}

static struct op *schedule_wakeup_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	struct wakeup_request request = schedule_wakeup_request(call);

	services->schedule->wake(services->arg, call, &request);
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_schedule_wakeup = {
	.name = "ScheduleWakeup",
	.page = tool_schedule_wakeup_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"delaySeconds\":{\"type\":\"number\",\"description\":\"60 to 3600\"},"
			  "\"reason\":{\"type\":\"string\",\"description\":\"Why then\"},"
			  "\"prompt\":{\"type\":\"string\",\"description\":\"What to do then\"},"
			  "\"stop\":{\"type\":\"boolean\",\"description\":\"true: plan none\"}},"
			  "\"additionalProperties\":false}"),
	.deferred = true,
	.check = schedule_wakeup_check,
	.perm_request = schedule_job_perm_request,
	.start = schedule_wakeup_start,
};
