#include "tool/schedule/schedule_job.h"

#include "base/limits.h"

bool schedule_job_check(const struct tool_call *call, struct sv prompt, struct err *err)
{
	if (!call->ctx->session->services->schedule)
		return err_set(
			err, ERR_UNSUPPORTED,
			"Prompts cannot be scheduled here: CLAUDE_CODE_DISABLE_CRON is set.");
	if (call->ctx->agent)
		return err_set(err, ERR_UNSUPPORTED,
			       "Only the agent that leads the session can schedule prompts.");
	if (!prompt.len)
		return err_set(err, ERR_INVALID, "\"prompt\" is empty.");
	if (prompt.len > LIMIT_SCHEDULE_PROMPT)
		return err_set(err, ERR_TOO_BIG, "\"prompt\" is longer than %zu bytes.",
			       LIMIT_SCHEDULE_PROMPT);
	return true;
}

void schedule_job_perm_request(__attribute__((unused)) const struct tool_call *call,
			       __attribute__((unused)) struct arena *arena,
			       struct perm_request *out)
{
	out->access = ACCESS_NONE;
}
