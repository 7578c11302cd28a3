/* jobs.h - commands that run on while the conversation goes on. What a job prints goes,
 * as plain text, to a file of its own, from which it is read piece by piece; none outlives
 * the session. */
#ifndef AWL_TOOL_SHELL_JOBS_H
#define AWL_TOOL_SHELL_JOBS_H

#include "tool/shell/jobs_feed.h"
#include "tool/tool.h"

enum job_state { JOB_RUNNING, JOB_EXITED, JOB_STOPPED, JOB_FAILED };

struct job {
	char id[24]; /* "bash_1", "monitor_2" */
	char *command;
	char *description; /* may be NULL */
	char *path;        /* of its output */
	enum job_state state;
	int code;       /* exit code of JOB_EXITED; 128 + signal when killed */
	struct err err; /* of JOB_FAILED: why it could not go on */
	uint64_t bytes; /* of output so far */
	uint64_t read;  /* of them handed out by jobs_read() */
};

struct jobs;

struct jobs_opts {
	const char *dir; /* for the files; made when first needed */
	/* A job has ended by itself; from the FIFO. May be NULL. */
	void (*on_end)(void *arg, const struct job *job);
	void *arg;
};

struct jobs *jobs_new(struct loop *loop, const struct jobs_opts *opts);
/* Only when they are quiet. */
void jobs_free(struct jobs *jobs);

struct job_start {
	struct sv command;
	const struct tool_context *ctx; /* where it runs; outlives it */
	const struct command_analysis *analysis;
	bool unsandboxed, must_be_sandboxed; /* as in struct shell_opts */
	int64_t deadline_ms;                 /* 0: none; then it has failed (ERR_TIMEOUT) */
	/* What it prints is told as it comes (jobs_feed.h), and the job is called
	 * "monitor_N" in place of "bash_N". NULL: it waits to be read. */
	void (*tell)(void *arg, const struct job *job, struct sv text);
	void *arg;
	struct sv description; /* for whoever it is told to; may be empty */
};
/* NULL with a reason: LIMIT_JOBS run already, or there is no place for its output. The
 * job is known by its id until jobs_free(). */
const struct job *jobs_start(struct jobs *jobs, const struct job_start *start, struct err *err);

/* The same for a command that runs already (shell.h): its owner is rid of it on success.
 * `so_far` is what it has printed, and counts as read. */
const struct job *jobs_adopt(struct jobs *jobs, struct op *shell, struct sv command,
			     struct sv so_far, struct err *err);

/* NULL when there is none. */
const struct job *jobs_find(const struct jobs *jobs, struct sv id);
size_t jobs_count(const struct jobs *jobs);
const struct job *jobs_at(const struct jobs *jobs, size_t i);

/* Appends what it has printed since the last time, at most `max` bytes; the rest comes
 * next time. */
must_use bool jobs_read(struct jobs *jobs, const struct job *job, size_t max, struct str *out,
			struct err *err);

/* Done when the job has ended, or after `ms`. */
struct op *jobs_wait(struct jobs *jobs, const struct job *job, int64_t ms, struct then then);

/* Done when any of them has ended by itself or has told something, at jobs_announce(), or
 * after `ms`. */
struct op *jobs_wait_news(struct jobs *jobs, int64_t ms, struct then then);
/* Something else has happened that nobody should sleep through. */
void jobs_announce(struct jobs *jobs);

void jobs_stop(struct jobs *jobs, const struct job *job);
void jobs_stop_all(struct jobs *jobs);
/* Whether none runs any more; `on_quiet`, if set, is called when that has become so. */
bool jobs_are_quiet(const struct jobs *jobs);
void jobs_when_quiet(struct jobs *jobs, void (*on_quiet)(void *arg), void *arg);

#endif
