#include "tool/job.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "tool_rig.h"

/* What a job of the tests does is told by its call's progress_arg. */
struct script {
	pthread_t loop_thread;
	sem_t *begun, *gate;
	int prepared, ran, finished, cleared;
	bool fails, saw_stop, on_worker;
};

static struct script *script_of(struct tool_job *job)
{
	return job->call->progress_arg;
}

static void prepare(struct tool_job *job)
{
	script_of(job)->prepared++;
}

static bool run(struct tool_job *job, struct err *err)
{
	struct script *s = script_of(job);

	s->ran++;
	s->on_worker = !pthread_equal(s->loop_thread, pthread_self());
	if (s->begun)
		sem_post(s->begun);
	if (s->gate)
		sem_wait(s->gate);
	s->saw_stop = tool_job_stopped(job);
	return !s->fails || err_set(err, ERR_IO, "it broke");
}

static void finish(struct tool_job *job)
{
	struct script *s = script_of(job);

	CHECK(s->ran == 1 && pthread_equal(s->loop_thread, pthread_self()));
	s->finished++;
}

static void clear(struct tool_job *job)
{
	script_of(job)->cleared++;
}

static const struct tool_job_type full = { .size = sizeof(struct tool_job),
					   .prepare = prepare,
					   .run = run,
					   .finish = finish,
					   .clear = clear };
static const struct tool_job_type bare = { .size = sizeof(struct tool_job), .run = run };

static struct op *begin(struct tool_rig *r, const struct tool_job_type *type, struct script *s,
			struct outcome *outcome)
{
	s->loop_thread = pthread_self();
	r->call.ctx = &r->ctx;
	r->call.progress_arg = s;
	return tool_job_start(&r->call, type, THEN(outcome_done, outcome));
}

TEST(a_job_is_prepared_and_finished_on_the_loop_and_runs_on_a_worker)
{
	static const struct tool_job_type *const types[] = { &full, &bare };

	for (int i = 0; i < 4; i++) {
		TOOL_RIG(r);
		struct script s = { .fails = i >= 2 };
		struct outcome outcome = { .done = 0 };

		begin(&r, types[i % 2], &s, &outcome);
		RUN_UNTIL(r.loop, outcome.done);
		CHECK_INT(outcome.why.kind, s.fails ? ERR_IO : ERR_NONE);
		CHECK(s.ran == 1 && s.on_worker && !s.saw_stop);
		CHECK_INT(s.prepared + s.finished + s.cleared, types[i % 2] == &full ? 3 : 0);
	}
}

TEST(a_cancelled_job_is_told_to_stop_and_still_finishes_what_it_did)
{
	TOOL_RIG(r);
	sem_t begun, gate;
	struct script s = { .begun = &begun, .gate = &gate };
	struct outcome outcome = { .done = 0 };
	struct op *op;

	sem_init(&begun, 0, 0);
	sem_init(&gate, 0, 0);
	op = begin(&r, &full, &s, &outcome);
	sem_wait(&begun);
	op_cancel(op);
	sem_post(&gate);
	RUN_UNTIL(r.loop, outcome.done);
	CHECK_INT(outcome.why.kind, ERR_CANCELLED);
	CHECK(s.saw_stop);
	CHECK(s.finished == 1 && s.cleared == 1);
	sem_destroy(&begun);
	sem_destroy(&gate);
}

TEST(a_job_cancelled_before_it_ran_has_nothing_to_finish)
{
	enum { MANY = 64 }; /* more than there are threads */
	TOOL_RIG(r);
	struct script scripts[MANY] = { { .prepared = 0 } };
	struct outcome outcomes[MANY] = { { .done = 0 } };
	struct tool_call calls[MANY] = { { .ctx = &r.ctx } };
	sem_t gate;
	int never = 0;

	sem_init(&gate, 0, 0);
	for (int i = 0; i < MANY; i++) {
		scripts[i] = (struct script){ .gate = &gate, .loop_thread = pthread_self() };
		calls[i] = (struct tool_call){ .ctx = &r.ctx, .progress_arg = &scripts[i] };
		op_cancel(tool_job_start(&calls[i], &full, THEN(outcome_done, &outcomes[i])));
	}
	for (int i = 0; i < MANY; i++)
		sem_post(&gate);
	for (int i = 0; i < MANY; i++) {
		RUN_UNTIL(r.loop, outcomes[i].done);
		CHECK_INT(outcomes[i].why.kind, ERR_CANCELLED);
		CHECK_INT(scripts[i].finished, scripts[i].ran);
		CHECK_INT(scripts[i].cleared, 1);
		never += !scripts[i].ran;
	}
	CHECK(never > 0);
	sem_destroy(&gate);
}

/* --- deadline and helpers -------------------------------------------------------- */

/* Goes on until it is late, however long that takes. */
static bool run_until_late(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	while (!tool_job_late(job) && !tool_job_stopped(job))
		sched_yield();
	script_of(job)->saw_stop = tool_job_stopped(job);
	return true;
}

static void prepare_short(struct tool_job *job)
{
	job->deadline_ms = 1;
}

static void prepare_long(struct tool_job *job)
{
	job->deadline_ms = 1000000;
}

TEST(a_job_is_told_when_its_time_is_up)
{
	static const struct tool_job_type late = { .size = sizeof(struct tool_job),
						   .prepare = prepare_short,
						   .run = run_until_late,
						   .clear = clear };
	TOOL_RIG(r);
	struct script s = { .saw_stop = true };
	struct outcome outcome = { .done = 0 };

	begin(&r, &late, &s, &outcome);
	RUN_UNTIL(r.loop, outcome.done);
	CHECK_INT(outcome.why.kind, ERR_NONE);
	CHECK(!s.saw_stop);
	CHECK_INT(s.cleared, 1);
	CHECK_INT(loop_live_ops(r.loop), 0);
}

TEST(a_deadline_that_is_not_reached_does_not_matter)
{
	static const struct tool_job_type quick = { .size = sizeof(struct tool_job),
						    .prepare = prepare_long,
						    .run = run,
						    .finish = finish,
						    .clear = clear };

	for (int i = 0; i < 4; i++) {
		TOOL_RIG(r);
		struct script s = { .fails = i % 2 };
		struct outcome outcome = { .done = 0 };
		struct op *op = begin(&r, &quick, &s, &outcome);

		if (i >= 2)
			op_cancel(op);
		RUN_UNTIL(r.loop, outcome.done);
		CHECK_INT(outcome.done, 1);
		CHECK_INT(outcome.why.kind, i >= 2 ? ERR_CANCELLED : s.fails ? ERR_IO : ERR_NONE);
		CHECK_INT(s.cleared, 1);
		CHECK_INT(loop_live_ops(r.loop), 0);
	}
}

struct team {
	struct tool_job job;
	atomic_int helped[TOOL_HELPERS];
};

static bool run_team(struct tool_job *job, struct err *err)
{
	job->wants_helpers = true;
	return run(job, err);
}

/* With `gate`, only the first mate fails, and all wait until the job is stopped. */
static bool help(struct tool_job *job, size_t mate, struct err *err)
{
	struct team *t = (struct team *)job;

	atomic_fetch_add(&t->helped[mate], 1);
	if (script_of(job)->begun)
		sem_post(script_of(job)->begun);
	while (script_of(job)->begun && !tool_job_stopped(job))
		sched_yield();
	return mate != 1 || !script_of(job)->on_worker || !job->call->is_changed ||
	       err_set(err, ERR_STALE, "a mate failed");
}

static void finish_team(struct tool_job *job)
{
	struct team *t = (struct team *)job;

	finish(job);
	for (size_t i = 0; i < TOOL_HELPERS; i++)
		script_of(job)->prepared += atomic_load(&t->helped[i]);
}

static const struct tool_job_type team = { .size = sizeof(struct team),
					   .run = run_team,
					   .help = help,
					   .finish = finish_team,
					   .clear = clear };

TEST(a_crew_helps_once_each_before_the_job_is_finished)
{
	for (int fails = 0; fails < 3; fails++) {
		TOOL_RIG(r);
		struct script s = { .fails = fails == 1 };
		struct outcome outcome = { .done = 0 };

		r.call.is_changed = fails == 2;
		begin(&r, &team, &s, &outcome);
		RUN_UNTIL(r.loop, outcome.done);
		CHECK_INT(outcome.why.kind, fails == 2 ? ERR_STALE : fails ? ERR_IO : ERR_NONE);
		CHECK_INT(s.prepared, fails == 1 ? 0 : TOOL_HELPERS);
		CHECK_INT(s.finished, 1);
		CHECK_INT(s.cleared, 1);
	}
}

TEST(a_crew_can_be_cancelled_while_it_works)
{
	TOOL_RIG(r);
	sem_t begun;
	struct script s = { .begun = NULL };
	struct outcome outcome = { .done = 0 };
	struct op *op;

	sem_init(&begun, 0, 0);
	s.begun = &begun;
	op = begin(&r, &team, &s, &outcome);
	while (sem_trywait(&begun) != 0) /* run() */
		loop_turn(r.loop);
	for (int i = 0; i < TOOL_HELPERS; i++)
		while (sem_trywait(&begun) != 0)
			loop_turn(r.loop);
	op_cancel(op);
	RUN_UNTIL(r.loop, outcome.done);
	CHECK_INT(outcome.why.kind, ERR_CANCELLED);
	CHECK_INT(s.finished, 1);
	CHECK_INT(s.cleared, 1);
	sem_destroy(&begun);
}
