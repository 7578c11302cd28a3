#include "core/schedule/schedule.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "core/agent/agent_internal.h"
#include "core/commands/commands.h"
#include "core/extend/session_skills.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "proto/message.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "text/cron.h"

/* The clock of the machine may be set, or the machine may sleep, and a timer notices neither. */
enum { SCHEDULE_RECHECK_MS = 10 * 60 * 1000 };

bool session_schedule_lives(const struct session *s)
{
	return session_is_at_terminal(s) || s->prompts.answers_tasks;
}

static int64_t session_schedule_now(const struct session *s)
{
	return loop_wall(s->engine->loop);
}

/* --- the timer ------------------------------------------------------------------------------------- */

static void session_schedule_arm(struct session *s);

static void session_schedule_on_timer(__attribute__((unused)) struct op *op, void *owner,
				      __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->schedule.timer = NULL;
	if (session_is_closed(s)) {
		session_settle(s);
		return;
	}
	session_pump(s);
	session_schedule_arm(s);
}

/* Set the timer for the job that is due first. One that is due already waits for the session to be idle. */
static void session_schedule_arm(struct session *s)
{
	struct session_schedule *schedule = &s->schedule;
	int64_t now = session_schedule_now(s), ms = -1;

	for (size_t i = 0; i < schedule->jobs.n; i++) {
		int64_t wait = schedule->jobs.at[i].next_ms - now;

		if (wait > 0 && (ms < 0 || wait < ms))
			ms = wait;
	}
	ms = min_of(ms, (int64_t)SCHEDULE_RECHECK_MS);
	if (ms < 0 || !session_schedule_lives(s) || session_is_closed(s))
		op_cancel(schedule->timer);
	else if (schedule->timer)
		timer_restart(schedule->timer, ms);
	else
		schedule->timer =
			timer_start(s->engine->loop, ms, THEN(session_schedule_on_timer, s));
}

/* --- the files ------------------------------------------------------------------------------------- */

void session_schedule_refresh(struct session *s)
{
	struct session_schedule *schedule = &s->schedule;

	for (size_t i = schedule->jobs.n; i-- > 0;)
		if (schedule->jobs.at[i].is_durable)
			schedule_jobs_remove(&schedule->jobs, i);
	if (schedule->project.len)
		schedule_read(&schedule->jobs, schedule->project.ptr, true);
}

bool session_schedule_save(struct session *s, bool is_durable, struct err *err)
{
	struct str *path = is_durable ? &s->schedule.project : &s->schedule.path;

	session_schedule_arm(s);
	return !path->len || schedule_write(&s->schedule.jobs, path->ptr, is_durable, err);
}

/* Find where the files of the conversation are. */
static void session_schedule_place(struct session *s)
{
	struct session_schedule *schedule = &s->schedule;
	struct sv path = sv_cstr(s->conversation.path);
	struct sv dir = sv_slice(path, 0, sv_rfind_char(path, '/'));

	str_truncate(&schedule->path, 0);
	str_truncate(&schedule->project, 0);
	if (!path.len || !s->engine->config_dir)
		return;
	str_addf(&schedule->path, "%.*s/%s/schedule.json", SV_ARG(dir), s->conversation.id.text);
	str_addf(&schedule->project, "%s/awl/schedule/%.*s.json", s->engine->config_dir,
		 SV_ARG(sv_basename(dir)));
}

/* A recurring job continues with its next time. A single one that was missed is due now. */
static void session_schedule_resume(struct session *s)
{
	schedule_jobs *jobs = &s->schedule.jobs;
	int64_t now = session_schedule_now(s);

	for (size_t i = jobs->n; i-- > 0;) {
		struct schedule_job *job = &jobs->at[i];

		if (schedule_is_expired(job, now))
			schedule_jobs_remove(jobs, i);
		else if (job->is_recurring && job->next_ms < now)
			job->next_ms = schedule_next(job, now);
	}
}

void session_schedule_open(struct session *s, bool is_copy)
{
	struct session_schedule *schedule = &s->schedule;

	session_schedule_place(s);
	if (!schedule->path.len || !session_schedule_lives(s))
		return;
	if (s->kind.is_resumed && !is_copy)
		schedule_read(&schedule->jobs, schedule->path.ptr, false);
	session_schedule_refresh(s);
	session_schedule_resume(s);
}

void session_schedule_reset(struct session *s)
{
	schedule_jobs_clear(&s->schedule.jobs);
	session_schedule_place(s);
	if (session_schedule_lives(s))
		session_schedule_refresh(s);
	session_schedule_arm(s);
}

void session_schedule_clear(struct session_schedule *schedule)
{
	schedule_jobs_clear(&schedule->jobs);
	str_clear(&schedule->path);
	str_clear(&schedule->project);
	fs_unlock(schedule->owner);
}

/* A job that was missed starts as soon as the session runs. */
void session_schedule_start(struct session *s)
{
	const schedule_jobs *jobs = &s->schedule.jobs;
	bool is_due = false;

	for (size_t i = 0; i < jobs->n; i++)
		is_due |= jobs->at[i].next_ms <= session_schedule_now(s);
	if (is_due && session_schedule_lives(s))
		s->schedule.timer =
			timer_start(s->engine->loop, 0, THEN(session_schedule_on_timer, s));
	else
		session_schedule_arm(s);
}

/* --- a job is due ----------------------------------------------------------------------------------- */

/* Whether this session starts the durable jobs. The lock is kept until the session ends. */
static bool session_schedule_owns(struct session *s)
{
	struct session_schedule *schedule = &s->schedule;
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;

	if (schedule->owner)
		return true;
	str_addf(&path, "%s.lock", schedule->project.ptr);
	schedule->owner = fs_lock(path.ptr, &ignored);
	return schedule->owner;
}

/* The prompt, or the skill that it names, if the model might load that by itself. */
static void session_schedule_prompt(struct session *s, const struct schedule_job *job,
				    struct session_waiting *w)
{
	enum { LATE_MS = 15 * 60 * 1000 };
	struct sv prompt = sv_of(&job->prompt), name, rest;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;

	if (session_cut_command(prompt, &name, &rest) &&
	    session_skills_check(s, name, &ignored) == SKILL_IS_TEXT)
		str_add(&w->command, prompt);
	else if (session_schedule_now(s) - job->next_ms < LATE_MS)
		block_text(&w->blocks, prompt);
	if (w->command.len || w->blocks.len)
		return;
	str_addf(&text, "%.*s\n\n(This was due at ", SV_ARG(prompt));
	schedule_add_time(&text, job->next_ms);
	str_adds(&text, ". The session was busy or closed then.)");
	block_text(&w->blocks, sv_of(&text));
}

static void session_schedule_announce(struct session *s, const struct schedule_job *job)
{
	defer(str_clear) struct str text = STR_INIT, when = STR_INIT;

	if (job->cron.len)
		cron_describe(&when, sv_of(&job->cron));
	else
		str_adds(&when, "wake-up");
	str_addf(&text, "Scheduled prompt %s (%s): ", job->id, str_c(&when));
	str_add(&text, utf8_prefix(sv_of(&job->prompt), LIMIT_SCHEDULE_SHOWN));
	session_inform(s, NOTICE_NOTICE, sv_of(&text));
	if (s->sent.init)
		session_records_add(s, "scheduled_task_fire", sv_of(&text), SV_EMPTY);
}

/* Send the prompt of a job, and plan its next time or remove it. */
static void session_schedule_fire(struct session *s, size_t at)
{
	struct schedule_job *job = &s->schedule.jobs.at[at];
	int64_t now = session_schedule_now(s);
	bool is_durable = job->is_durable, is_last = !job->is_recurring;
	struct session_waiting *w = vec_add(&s->prompts.waiting);
	struct err err = ERR_INIT;

	*w = (struct session_waiting){ .is_notice = true };
	str_adds(&w->uuid, uuid_v4(loop_rng(s->engine->loop)).text);
	str_adds(&w->origin, "{\"kind\":\"task-notification\",\"subkind\":\"scheduled-trigger\"}");
	session_schedule_prompt(s, job, w);
	session_schedule_announce(s, job);
	if (!is_last) {
		is_last = schedule_is_expired(job, now);
		job->next_ms = schedule_next(job, now);
	}
	if (is_last || job->next_ms < 0)
		schedule_jobs_remove(&s->schedule.jobs, at);
	if (!session_schedule_save(s, is_durable, &err))
		session_inform(s, NOTICE_WARNING, sv_cstr(err.text));
}

/* Find the job that is due and has waited longest; SIZE_MAX: none is due. */
static size_t session_schedule_find_due(const struct session *s, bool is_durable)
{
	const schedule_jobs *jobs = &s->schedule.jobs;
	int64_t now = session_schedule_now(s);
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < jobs->n; i++)
		if (jobs->at[i].is_durable == is_durable && jobs->at[i].next_ms <= now &&
		    (found == SIZE_MAX || jobs->at[i].next_ms < jobs->at[found].next_ms))
			found = i;
	return found;
}

/* The owner starts a durable job. The others look for its next time, in case they own them by then. */
static size_t session_schedule_find_durable(struct session *s)
{
	schedule_jobs *jobs = &s->schedule.jobs;
	int64_t now = session_schedule_now(s);

	if (session_schedule_find_due(s, true) == SIZE_MAX)
		return SIZE_MAX;
	session_schedule_refresh(s);
	if (session_schedule_owns(s))
		return session_schedule_find_due(s, true);
	for (size_t i = jobs->n; i-- > 0;) {
		struct schedule_job *job = &jobs->at[i];

		if (!job->is_durable || job->next_ms > now)
			continue;
		job->next_ms = job->is_recurring ? schedule_next(job, now) : -1;
		if (job->next_ms < 0)
			schedule_jobs_remove(jobs, i);
	}
	session_schedule_arm(s);
	return SIZE_MAX;
}

void session_schedule_queue(struct session *s)
{
	size_t at;

	if (!s->schedule.jobs.n || s->state != SESSION_IDLE || s->prompts.waiting.n ||
	    s->is_ending || !session_schedule_lives(s))
		return;
	at = session_schedule_find_due(s, false);
	if (at == SIZE_MAX)
		at = session_schedule_find_durable(s);
	if (at != SIZE_MAX)
		session_schedule_fire(s, at);
}
