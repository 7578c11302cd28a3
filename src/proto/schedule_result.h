/* schedule_result.h - what the tools about scheduled prompts report to hosts, as JSON. */
#ifndef AWL_PROTO_SCHEDULE_RESULT_H
#define AWL_PROTO_SCHEDULE_RESULT_H

#include "base/str.h"

struct schedule_result {
	struct sv id, cron, human, prompt;
	bool is_recurring, is_durable;
	int64_t next_ms;
};

struct wakeup_result {
	int64_t at_ms, seconds; /* of the new one */
	int64_t cancelled;      /* how many were planned before */
	bool was_clamped, stopped;
};

void schedule_result_write_created(struct str *out, const struct schedule_result *job);
/* An array of them, as hooks get it. */
void schedule_result_write_jobs(struct str *out, const struct schedule_result *jobs, size_t n);
void schedule_result_write_list(struct str *out, const struct schedule_result *jobs, size_t n);
void schedule_result_write_removed(struct str *out, struct sv id, bool is_wakeup);
void schedule_result_write_wakeup(struct str *out, const struct wakeup_result *wakeup);

#endif
