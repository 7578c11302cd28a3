#include "tool/shell/jobs.h"

#include "base/limits.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "sys/loop.h"
#include "sys/temp_dir.h"
#include "test.h"

struct world {
	struct loop *loop;
	struct tool_session session;
	struct tool_context ctx;
	struct jobs *jobs;
	struct str dir;
	int ended;   /* by themselves */
	bool waited; /* an op of ours is done */
};

static void on_end(void *arg, __attribute__((unused)) const struct job *job)
{
	((struct world *)arg)->ended++;
}

static void on_waited(__attribute__((unused)) struct op *op, void *owner,
		      __attribute__((unused)) const struct err *why)
{
	struct world *w = owner;

	w->waited = true;
	loop_stop(w->loop);
}

static void on_quiet(void *arg)
{
	loop_stop(((struct world *)arg)->loop);
}

static void world_init(struct world *w)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	struct err err = ERR_INIT;

	*w = (struct world){ .loop = loop_new() };
	CHECK_OK(fs_temp_dir(&w->dir, &err), err);
	w->session.env = env;
	w->ctx.session = &w->session;
	str_adds(&w->ctx.cwd, "/");
	w->jobs = jobs_new(
		w->loop, &(struct jobs_opts){ .dir = str_c(&w->dir), .on_end = on_end, .arg = w });
}

static void world_clear(struct world *w)
{
	jobs_stop_all(w->jobs);
	jobs_when_quiet(w->jobs, on_quiet, w);
	if (!jobs_are_quiet(w->jobs))
		loop_run(w->loop);
	jobs_free(w->jobs);
	str_clear(&w->ctx.cwd);
	temp_dir_remove(&w->dir);
	loop_free(w->loop);
}

#define WORLD(name)                           \
	defer(world_clear) struct world name; \
	world_init(&name)

static const struct job *start(struct world *w, const char *command)
{
	struct err err = ERR_INIT;
	const struct job *job = jobs_start(
		w->jobs, &(struct job_start){ .command = sv_cstr(command), .ctx = &w->ctx }, &err);

	CHECK_OK(job != NULL, err);
	return job;
}

static void wait_for(struct world *w, const struct job *job, int64_t ms)
{
	w->waited = false;
	jobs_wait(w->jobs, job, ms, THEN(on_waited, w));
	while (!w->waited)
		loop_run(w->loop);
}

static void check_read(struct world *w, const struct job *job, size_t max, struct sv expected)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(jobs_read(w->jobs, job, max, &out, &err), err);
	CHECK_SV_EQ(sv_of(&out), expected);
}

TEST(what_a_job_prints_is_handed_out_once_and_in_order)
{
	WORLD(w);
	const struct job *job = start(&w, "printf 'one\\ntwo\\nthree'");

	wait_for(&w, job, 60000);
	CHECK_INT(job->state, JOB_EXITED);
	check_read(&w, job, 5, SV("one\nt"));
	check_read(&w, job, 100, SV("wo\nthree"));
	check_read(&w, job, 100, SV_EMPTY);
	CHECK_INT(w.ended, 1);
}

TEST(a_character_is_never_handed_out_in_halves)
{
	WORLD(w);
	const struct job *job = start(&w, "printf 'a\\303\\244b'");

	wait_for(&w, job, 60000);
	check_read(&w, job, 2, SV("a"));
	check_read(&w, job, 2, SV("\xc3\xa4"));
	check_read(&w, job, 2, SV("b"));
}

TEST(the_exit_code_is_that_of_the_command)
{
	WORLD(w);
	const struct job *job = start(&w, "exit 7");

	wait_for(&w, job, 60000);
	CHECK_INT(job->state, JOB_EXITED);
	CHECK_INT(job->code, 7);
}

TEST(waiting_ends_with_the_time_when_the_job_does_not)
{
	WORLD(w);
	const struct job *job = start(&w, "echo up; exec sleep 1000");

	wait_for(&w, job, 1);
	CHECK_INT(job->state, JOB_RUNNING);
	wait_for(&w, job, 0);
	CHECK_INT(job->state, JOB_RUNNING);
}

TEST(a_job_that_is_stopped_ends_and_is_not_told_of_as_its_own_end)
{
	WORLD(w);
	const struct job *job = start(&w, "exec sleep 1000");

	jobs_stop(w.jobs, job);
	jobs_stop(w.jobs, job);
	wait_for(&w, job, 60000);
	CHECK_INT(job->state, JOB_STOPPED);
	CHECK_INT(w.ended, 0);
}

TEST(a_wait_that_is_cancelled_leaves_the_job_alone)
{
	WORLD(w);
	const struct job *job = start(&w, "exec sleep 1000");
	struct op *op = jobs_wait(w.jobs, job, 60000, THEN(on_waited, &w));

	op_cancel(op);
	while (!w.waited)
		loop_run(w.loop);
	CHECK_INT(job->state, JOB_RUNNING);
}

TEST(no_more_than_the_limit_run_at_a_time)
{
	WORLD(w);
	struct err err = ERR_INIT;

	for (int i = 0; i < LIMIT_JOBS; i++)
		start(&w, "exec sleep 1000");
	CHECK(!jobs_start(w.jobs, &(struct job_start){ .command = SV("true"), .ctx = &w.ctx },
			  &err));
	CHECK_ERR(err, ERR_FULL, "stop one first");
	CHECK_INT(jobs_count(w.jobs), LIMIT_JOBS);
}

TEST(jobs_are_found_by_their_ids)
{
	WORLD(w);
	const struct job *job = start(&w, "true");

	CHECK(jobs_find(w.jobs, SV("bash_1")) == job);
	CHECK(!jobs_find(w.jobs, SV("bash_2")));
	CHECK(jobs_at(w.jobs, 0) == job);
}

TEST(without_a_place_for_its_output_no_job_is_started)
{
	WORLD(w);
	struct jobs *jobs = jobs_new(w.loop, &(struct jobs_opts){ .dir = "/dev/null/nowhere" });
	struct err err = ERR_INIT;

	CHECK(!jobs_start(jobs, &(struct job_start){ .command = SV("true"), .ctx = &w.ctx }, &err));
	CHECK(err.text[0]);
	CHECK(jobs_are_quiet(jobs));
	jobs_free(jobs);
}
