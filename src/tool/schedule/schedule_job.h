/* schedule_job.h - private to src/tool/schedule: what its tools have in common. */
#ifndef AWL_TOOL_SCHEDULE_SCHEDULE_JOB_H
#define AWL_TOOL_SCHEDULE_SCHEDULE_JOB_H

#include "tool/tool.h"

/* Whether the session plans prompts, and this can be one. */
bool schedule_job_check(const struct tool_call *call, struct sv prompt, struct err *err);
/* Nothing outside of the session is touched. */
void schedule_job_perm_request(const struct tool_call *call, struct arena *arena,
			       struct perm_request *out);

#endif
