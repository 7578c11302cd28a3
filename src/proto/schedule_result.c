#include "proto/schedule_result.h"

#include "text/json/json_write.h"

void schedule_result_write_created(struct str *out, const struct schedule_result *job)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "id", job->id);
	jw_put_str(&w, "humanSchedule", job->human);
	jw_put_bool(&w, "recurring", job->is_recurring);
	jw_put_bool(&w, "durable", job->is_durable);
	jw_put_int(&w, "nextFireAt", job->next_ms);
	jw_end(&w);
	jw_done(&w);
}

static void schedule_result_put_jobs(struct jw *w, const struct schedule_result *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		jw_object(w);
		jw_put_str(w, "id", jobs[i].id);
		jw_put_str(w, "cron", jobs[i].cron);
		jw_put_str(w, "humanSchedule", jobs[i].human);
		jw_put_str(w, "prompt", jobs[i].prompt);
		jw_put_bool(w, "recurring", jobs[i].is_recurring);
		jw_put_bool(w, "durable", jobs[i].is_durable);
		jw_put_int(w, "nextFireAt", jobs[i].next_ms);
		jw_end(w);
	}
}

void schedule_result_write_jobs(struct str *out, const struct schedule_result *jobs, size_t n)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_array(&w);
	schedule_result_put_jobs(&w, jobs, n);
	jw_end(&w);
	jw_done(&w);
}

void schedule_result_write_list(struct str *out, const struct schedule_result *jobs, size_t n)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "jobs");
	schedule_result_put_jobs(&w, jobs, n);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

void schedule_result_write_removed(struct str *out, struct sv id, bool is_wakeup)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "id", id);
	if (is_wakeup)
		jw_put_bool(&w, "endedLoopWakeup", true);
	jw_end(&w);
	jw_done(&w);
}

void schedule_result_write_wakeup(struct str *out, const struct wakeup_result *wakeup)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_int(&w, "scheduledFor", wakeup->at_ms);
	jw_put_int(&w, "clampedDelaySeconds", wakeup->seconds);
	jw_put_bool(&w, "wasClamped", wakeup->was_clamped);
	if (wakeup->stopped)
		jw_put_bool(&w, "stopped", true);
	if (wakeup->cancelled)
		jw_put_int(&w, "cancelledWakeups", wakeup->cancelled);
	jw_end(&w);
	jw_done(&w);
}
