/* Asks the host, which registered the hook. */
#include "hook/job.h"

static struct op *callback_start(struct hook_job *job, struct then then)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;

	return services->ask_host(
		services->arg,
		&(struct hook_question){ .handler = job->handler,
					 .input = sv_of(&job->payload->json),
					 .tool_use_id = sv_of(&job->payload->tool_use_id) },
		&job->out, then);
}

const struct hook_kind hook_kind_callback = { .start = callback_start };
