/* schedule.h - prompts that are sent at a later time, and the file that keeps them:
 *
 *   {"tasks":[{"id":"4f0c9a1b","cron":"0 9 * * 1-5","prompt":"...","recurring":true,
 *              "createdAt":1767225600000,"due":1767258000000}]}
 *
 * All times are milliseconds since 1970. The functions work on values and files; they know no clock. */
#ifndef AWL_STORE_SCHEDULE_H
#define AWL_STORE_SCHEDULE_H

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"

struct schedule_job {
	char id[9];      /* hexadecimal digits */
	struct str cron; /* empty: the job has a time, but no schedule (ScheduleWakeup) */
	struct str prompt;
	int64_t created_ms;
	int64_t next_ms; /* when it is due */
	bool is_recurring;
	bool is_durable; /* it belongs to the project and outlives the session */
};

typedef VEC(struct schedule_job) schedule_jobs;

void schedule_jobs_clear(schedule_jobs *jobs);
void schedule_jobs_remove(schedule_jobs *jobs, size_t at);

/* A new job with an id that no other in `jobs` has, added to them. Valid until the next change. */
struct schedule_job *schedule_jobs_add(schedule_jobs *jobs, struct sv cron, struct sv prompt,
				       struct rng *rng);
/* NULL: there is none. */
struct schedule_job *schedule_jobs_find(const schedule_jobs *jobs, struct sv id);

/* When a job is due next after `after_ms`; -1: never again. A recurring job is late by a share of its interval
 * that depends on its id: at most half of it and at most 30 minutes. So the jobs of many users do not all
 * start at the full hour, and each keeps its rhythm. */
int64_t schedule_next(const struct schedule_job *job, int64_t after_ms);

/* Appends a time as people read it, in local time: "2026-01-31 09:00:00". */
void schedule_add_time(struct str *out, int64_t ms);

/* Whether a recurring job is older than seven days: it is due once more, and then it is removed. */
bool schedule_is_expired(const struct schedule_job *job, int64_t now_ms);

/* Appends those of a file that are valid, at most LIMIT_SCHEDULE in all. Nothing if there is no such file or it
 * cannot be read. */
void schedule_read(schedule_jobs *jobs, const char *path, bool is_durable);
/* Writes those that are durable, or those that are not. Removes the file if there are none. */
must_use bool schedule_write(const schedule_jobs *jobs, const char *path, bool is_durable,
			     struct err *err);

#endif
