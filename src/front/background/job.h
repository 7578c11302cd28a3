/* job.h - one background session, as its supervisor sees it: what it is, the process that runs it, and how that goes.
 *
 * The process is awl itself in print mode, which speaks the protocol of hosts over its standard input and output. A job
 * reads each line to know the state, passes it on, and keeps the open questions until somebody answers them. When nobody has
 * wanted anything for a while, the process is ended; the next prompt starts it again with the same
 * conversation. */
#ifndef AWL_FRONT_BACKGROUND_JOB_H
#define AWL_FRONT_BACKGROUND_JOB_H

#include "base/mem.h"
#include "base/str_list.h"
#include "base/vec.h"
#include "proto/background.h"
#include "proto/event_read.h"
#include "sys/op.h"

struct job;

struct job_callbacks {
	/* Something that job_info() says has changed. */
	void (*changed)(void *arg, struct job *job);
	/* A line of its protocol. */
	void (*line)(void *arg, struct job *job, struct sv line);
	/* The process has ended, or could not be started. May come twice. */
	void (*ended)(void *arg, struct job *job);
};

/* A question that nobody has answered. */
struct job_question {
	struct str id, line, what;
};

struct job {
	struct loop *loop; /* borrowed, and so are the next two */
	const struct job_callbacks *callbacks;
	void *arg;
	struct str id, session, name, model, mode, cwd, prompt, text, error;
	str_list flags;
	VEC(struct sv) flag_views; /* of `flags`, for job_info() */
	enum job_state state;
	int64_t started_ms, updated_ms;
	double cost_usd;
	VEC(struct job_question) questions; /* the oldest first */
	/* Of the process. */
	struct op *child;     /* NULL: there is none */
	struct op *patience;  /* until it is ended for being idle; NULL: it is not idle */
	int64_t idle_ms;      /* how long that is */
	size_t nfollowers;    /* clients that are attached */
	size_t ntasks;        /* commands and agents in the background of the session */
	bool is_stopping;     /* by the user */
	bool has_begun;       /* it takes prompts */
	bool has_worked;      /* it has had a prompt */
	bool has_ever_begun;  /* some process of it has */
	bool has_failed;      /* the last turn has */
	bool is_removed;      /* to be forgotten when the process has ended */
	struct str rest;      /* the beginning of a line */
	struct str complaint; /* the end of what it wrote on standard error */
	struct event_reader reader;
};

/* What a process is started with. */
struct job_start {
	const char *program;
	const struct sv *env; /* "NAME=value" */
	size_t nenv;
	const struct sv *once; /* flags that choose the conversation of a new job */
	size_t nonce;
};

/* A job without a process. */
struct job *job_new(struct loop *loop, const struct job_info *info,
		    const struct job_callbacks *callbacks, void *arg);
/* There must be no process, no `patience` and no followers. */
void job_free(struct job *job);

/* Starts the process. If that fails, `ended` is called. */
void job_start(struct job *job, const struct job_start *how);
/* Sends a line to the process. False: there is none, or the line answers a question that is not open. */
must_use bool job_send(struct job *job, struct sv line, struct err *err);
/* Sends a prompt. */
must_use bool job_prompt(struct job *job, struct sv text, struct err *err);
/* Ends the process, if there is one. */
void job_stop(struct job *job);
/* One client more or less is attached. */
void job_follow(struct job *job, bool begins);

bool job_is_live(const struct job *job);
/* Borrows from the job until it changes. */
struct job_info job_info(struct job *job);

#endif
