#include "front/background/job.h"

#include "sys/fs.h"
#include "sys/loop.h"
#include "sys/temp_dir.h"
#include "test.h"

static void on_changed(__attribute__((unused)) void *arg, __attribute__((unused)) struct job *job)
{
}

static void on_line(__attribute__((unused)) void *arg, __attribute__((unused)) struct job *job,
		    __attribute__((unused)) struct sv line)
{
}

static void on_ended(void *arg, struct job *job)
{
	if (!job->child && !job->patience)
		loop_stop(arg);
}

static const struct job_callbacks callbacks = { .changed = on_changed,
						.line = on_line,
						.ended = on_ended };

/* Runs a session that is this shell script until its process has ended; returns how that is seen. */
static enum job_state run(struct sv script)
{
	static const struct sv env[] = { SV_INIT("PATH=/usr/bin:/bin") };
	struct loop *loop = loop_new();
	struct str dir = STR_INIT, path = STR_INIT;
	struct err err = ERR_INIT;
	struct job *job;
	enum job_state state;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	str_addf(&path, "%s/session", str_c(&dir));
	CHECK_OK(fs_write(str_c(&path), script, (struct fs_write){ .mode = 0700 }, &err), err);
	job = job_new(loop, &(struct job_info){ .cwd = SV("/") }, &callbacks, loop);
	job->idle_ms = 0;
	job_start(job, &(struct job_start){ .program = str_c(&path), .env = env, .nenv = 1 });
	loop_run(loop);
	state = job->state;
	job_free(job);
	str_clear(&path);
	temp_dir_remove(&dir);
	loop_free(loop);
	return state;
}

#define STATE(name) \
	"{\"type\":\"system\",\"subtype\":\"session_state_changed\",\"state\":\"" name "\"}\\n"

TEST(a_session_that_works_and_is_idle_again_at_once_is_ended_for_being_idle)
{
	/* The timer of the first idleness runs; one write has the work and the end of it. */
	CHECK_INT(run(SV("#!/bin/sh\nread -r first\n"
			 "printf '" STATE("running")
				 STATE("idle") "'\n"
					       "exec timeout 20 cat >/dev/null\n")),
		  JOB_DONE);
}
