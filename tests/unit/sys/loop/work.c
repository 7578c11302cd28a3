#include "sys/work.h"

#include <pthread.h>
#include <semaphore.h>

#include "sys/run.h"

struct job {
	pthread_t thread;
	sem_t *gate; /* waits for it when given */
	sem_t *begun;
	bool ran, ended, fails;
};

static bool job_run(void *arg, struct err *err)
{
	struct job *j = arg;

	j->ran = true;
	j->thread = pthread_self();
	if (j->begun)
		sem_post(j->begun);
	if (j->gate)
		sem_wait(j->gate);
	j->ended = true;
	return !j->fails || err_set(err, ERR_PARSE, "line 3 is odd");
}

TEST(work_runs_on_another_thread_and_reports_its_failure)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome good = { .done = 0 }, bad = { .done = 0 };
	struct job j = { .ran = false }, k = { .fails = true };

	work_start(loop, job_run, &j, THEN(outcome_done, &good));
	work_start(loop, job_run, &k, THEN(outcome_done, &bad));
	RUN_UNTIL(loop, good.done && bad.done);
	CHECK(j.ran && k.ran);
	CHECK(!pthread_equal(j.thread, pthread_self()));
	CHECK_INT(good.why.kind, ERR_NONE);
	CHECK_ERR(bad.why, ERR_PARSE, "line 3 is odd");
}

TEST(work_cancelled_before_it_began_never_runs_and_after_that_is_waited_for)
{
	enum { MANY = 64 }; /* more than there are threads */
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome outcomes[MANY] = { { .done = 0 } };
	struct job jobs[MANY] = { { .ran = false } };
	struct op *ops[MANY];
	sem_t gate, begun;
	int never = 0;

	sem_init(&gate, 0, 0);
	sem_init(&begun, 0, 0);
	for (int i = 0; i < MANY; i++) {
		jobs[i].gate = &gate;
		jobs[i].begun = &begun;
		ops[i] = work_start(loop, job_run, &jobs[i], THEN(outcome_done, &outcomes[i]));
	}
	sem_wait(&begun); /* the first has begun: it can only be waited for */
	for (int i = 0; i < MANY; i++)
		op_cancel(ops[i]);
	for (int i = 0; i < MANY; i++)
		sem_post(&gate);
	for (int i = 0; i < MANY; i++) {
		RUN_UNTIL(loop, outcomes[i].done);
		CHECK_INT(outcomes[i].why.kind, ERR_CANCELLED);
		CHECK_INT(jobs[i].ran, jobs[i].ended);
		never += !jobs[i].ran;
	}
	CHECK(jobs[0].ended);
	CHECK(never > 0);
	sem_destroy(&gate);
	sem_destroy(&begun);
}
