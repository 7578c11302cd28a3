#include "tool/job.h"

#include <pthread.h>
#include <semaphore.h>

#include "room.h"

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

static struct op *begin(struct room *r, const struct tool_job_type *type, struct script *s,
			struct outcome *outcome)
{
	s->loop_thread = pthread_self();
	r->call.room = &r->room;
	r->call.progress_arg = s;
	return tool_job_start(&r->call, type, THEN(outcome_done, outcome));
}

TEST(a_job_is_prepared_and_finished_on_the_loop_and_runs_on_a_worker)
{
	static const struct tool_job_type *const types[] = { &full, &bare };

	for (int i = 0; i < 4; i++) {
		ROOM(r);
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
	ROOM(r);
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
	ROOM(r);
	struct script scripts[MANY] = { { .prepared = 0 } };
	struct outcome outcomes[MANY] = { { .done = 0 } };
	struct tool_call calls[MANY] = { { .room = &r.room } };
	sem_t gate;
	int never = 0;

	sem_init(&gate, 0, 0);
	for (int i = 0; i < MANY; i++) {
		scripts[i] = (struct script){ .gate = &gate, .loop_thread = pthread_self() };
		calls[i] = (struct tool_call){ .room = &r.room, .progress_arg = &scripts[i] };
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
