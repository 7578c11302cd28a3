/* What the tools about scheduled prompts do: CronCreate, CronDelete, CronList, ScheduleWakeup. */
#include <inttypes.h>

#include "base/limits.h"
#include "core/session/session_internal.h"
#include "proto/schedule_result.h"
#include "text/cron.h"

/* --- for the model ---------------------------------------------------------------------------------- */

/* Why nothing will ever start: said where a job is made. */
static void schedule_tools_add_doubt(const struct session *s, struct str *out)
{
	if (!session_schedule_lives(s))
		str_adds(out,
			 " It will not start: this session ends with its answer. Tell the user "
			 "to start awl at a terminal for that.");
}

static void schedule_tools_add_end(const struct schedule_job *job, struct str *out)
{
	str_adds(out, " It starts when the session is idle, after ");
	schedule_add_time(out, job->next_ms);
	if (job->is_recurring)
		str_adds(out, " and then at its interval. It ends after 7 days; CronDelete ends it "
			      "earlier");
	str_adds(out, job->is_durable ? ". It belongs to the project, so any session of this "
					"directory can start it, also a later one."
				      : ". It ends with the session, and comes back when that is "
					"resumed.");
}

static struct schedule_result schedule_tools_describe(const struct schedule_job *job,
						      struct str *human)
{
	if (job->cron.len)
		cron_describe(human, sv_of(&job->cron));
	else
		str_adds(human, "wake-up");
	return (struct schedule_result){ .id = sv_cstr(job->id),
					 .cron = sv_of(&job->cron),
					 .human = sv_of(human),
					 .prompt = sv_of(&job->prompt),
					 .is_recurring = job->is_recurring,
					 .is_durable = job->is_durable,
					 .next_ms = job->next_ms };
}

/* --- CronCreate --------------------------------------------------------------------------------------- */

static bool schedule_tools_check(void *arg, struct sv cron_text, bool is_durable, struct err *err)
{
	struct session *s = arg;
	struct cron cron;

	if (!cron_parse(&cron, cron_text, err))
		return false;
	if (cron_next(&cron, loop_wall(s->engine->loop)) < 0)
		return err_set(err, ERR_INVALID,
			       "The schedule \"%.*s\" does not occur within the next few years.",
			       (int)min_of(cron_text.len, (size_t)80), cron_text.ptr);
	if (is_durable && !s->schedule.project.len)
		return err_set(err, ERR_UNSUPPORTED,
			       "This session is not saved, so it cannot keep durable jobs.");
	if (s->schedule.jobs.n >= LIMIT_SCHEDULE)
		return err_set(err, ERR_TOO_BIG,
			       "There are %d scheduled prompts already; CronDelete removes one.",
			       LIMIT_SCHEDULE);
	return true;
}

static void schedule_tools_create(void *arg, struct tool_call *call,
				  const struct schedule_request *request)
{
	struct session *s = arg;
	defer(str_clear) struct str human = STR_INIT;
	int64_t now = loop_wall(s->engine->loop);
	struct err err = ERR_INIT;
	struct schedule_job *job;
	struct schedule_result result;

	if (request->is_durable)
		session_schedule_refresh(s);
	job = schedule_jobs_add(&s->schedule.jobs, request->cron, request->prompt,
				loop_rng(s->engine->loop));
	job->created_ms = now;
	job->is_recurring = request->is_recurring;
	job->is_durable = request->is_durable;
	job->next_ms = schedule_next(job, now);
	if (!session_schedule_save(s, request->is_durable, &err)) {
		schedule_jobs_remove(&s->schedule.jobs, s->schedule.jobs.n - 1);
		tool_fail(&call->result, "The job is not scheduled: %s", err.text);
		return;
	}
	result = schedule_tools_describe(job, &human);
	str_addf(&call->result.text, "Scheduled %s: %s.", job->id, str_c(&human));
	schedule_tools_add_end(job, &call->result.text);
	schedule_tools_add_doubt(s, &call->result.text);
	schedule_result_write_created(&call->result.data, &result);
}

/* --- CronList, CronDelete ------------------------------------------------------------------------------- */

typedef VEC(struct schedule_result) schedule_results;

/* Describe all jobs, in `arena`. */
static void schedule_tools_collect(const struct session *s, schedule_results *out,
				   struct arena *arena)
{
	for (size_t i = 0; i < s->schedule.jobs.n; i++) {
		defer(str_clear) struct str human = STR_INIT;
		struct schedule_result result =
			schedule_tools_describe(&s->schedule.jobs.at[i], &human);

		result.human = arena_dup(arena, sv_of(&human));
		vec_push(out, result);
	}
}

void session_schedule_write(const struct session *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	schedule_results results = VEC_INIT;

	schedule_tools_collect(s, &results, &arena);
	schedule_result_write_jobs(out, results.at, results.n);
	vec_clear(&results);
}

static void schedule_tools_list(void *arg, struct tool_call *call)
{
	struct session *s = arg;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct str *out = &call->result.text;
	schedule_results results = VEC_INIT;

	session_schedule_refresh(s);
	schedule_tools_collect(s, &results, &arena);
	for (size_t i = 0; i < results.n; i++) {
		const struct schedule_result *r = &results.at[i];

		str_addf(out, "%s%.*s (%.*s%s%s, next after ", i ? "\n" : "", SV_ARG(r->id),
			 SV_ARG(r->human), r->is_recurring || !r->cron.len ? "" : ", once",
			 r->is_durable ? ", durable" : "");
		schedule_add_time(out, r->next_ms);
		str_addf(out, "): %.*s", SV_ARG(r->prompt));
	}
	if (!results.n)
		str_adds(out, "Nothing is scheduled.");
	schedule_result_write_list(&call->result.data, results.at, results.n);
	vec_clear(&results);
}

static void schedule_tools_remove(void *arg, struct tool_call *call, struct sv id)
{
	struct session *s = arg;
	struct schedule_job *job;
	bool is_durable, is_wakeup;
	struct err err = ERR_INIT;

	session_schedule_refresh(s);
	job = schedule_jobs_find(&s->schedule.jobs, id);
	if (!job) {
		tool_fail(&call->result,
			  "There is no scheduled prompt \"%.*s\"; CronList lists them.",
			  (int)min_of(id.len, (size_t)40), id.ptr);
		return;
	}
	is_durable = job->is_durable;
	is_wakeup = !job->cron.len;
	str_addf(&call->result.text, "Removed %s.", job->id);
	schedule_result_write_removed(&call->result.data, sv_cstr(job->id), is_wakeup);
	schedule_jobs_remove(&s->schedule.jobs, (size_t)(job - s->schedule.jobs.at));
	if (!session_schedule_save(s, is_durable, &err))
		str_addf(&call->result.text, " It may come back: %s", err.text);
}

/* --- ScheduleWakeup --------------------------------------------------------------------------------------- */

/* There is one wake-up at most; a new one replaces it. */
static int64_t schedule_tools_cancel_wakeups(struct session *s)
{
	schedule_jobs *jobs = &s->schedule.jobs;
	int64_t n = 0;

	for (size_t i = jobs->n; i-- > 0;)
		if (!jobs->at[i].cron.len) {
			schedule_jobs_remove(jobs, i);
			n++;
		}
	return n;
}

static void schedule_tools_wake(void *arg, struct tool_call *call,
				const struct wakeup_request *request)
{
	enum { LEAST_S = 60, MOST_S = 3600 };
	struct session *s = arg;
	struct wakeup_result result = { .stopped = request->stop,
					.cancelled = schedule_tools_cancel_wakeups(s) };
	int64_t seconds = max_of(min_of(request->seconds, (int64_t)MOST_S), (int64_t)LEAST_S);
	int64_t now = loop_wall(s->engine->loop);
	struct err err = ERR_INIT;

	if (!request->stop) {
		struct schedule_job *job = schedule_jobs_add(
			&s->schedule.jobs, SV_EMPTY, request->prompt, loop_rng(s->engine->loop));

		job->created_ms = now;
		job->next_ms = now + seconds * 1000;
		result.at_ms = job->next_ms;
		result.seconds = seconds;
		result.was_clamped = seconds != request->seconds;
		str_addf(&call->result.text, "The next wake-up is in %" PRId64 " seconds.",
			 seconds);
		schedule_tools_add_doubt(s, &call->result.text);
	} else {
		str_adds(&call->result.text, "The wake-up is cancelled.");
	}
	if (!session_schedule_save(s, false, &err))
		str_addf(&call->result.text, " It is lost if awl ends: %s", err.text);
	schedule_result_write_wakeup(&call->result.data, &result);
}

const struct tool_schedule schedule_tools = {
	.check = schedule_tools_check,
	.create = schedule_tools_create,
	.list = schedule_tools_list,
	.remove = schedule_tools_remove,
	.wake = schedule_tools_wake,
};
