/* background.h - what the supervisor of background sessions and its clients say to each other: one JSON object per line,
 * over a socket of the user.
 *
 * A client begins with BACKGROUND_HELLO and gets one back. Then it sends requests. Each is answered by
 * BACKGROUND_DONE or BACKGROUND_ERROR, in order; LIST by BACKGROUND_JOBS. WATCH is answered by BACKGROUND_JOBS now and
 * after every change. After BACKGROUND_DONE for an ATTACH, the connection carries the lines of that session's own
 * protocol (event.h, input.h) and nothing else.
 *
 * The same form of a session is kept in a file, so that a finished one stays listed. Everything is borrowed. */
#ifndef AWL_PROTO_BACKGROUND_H
#define AWL_PROTO_BACKGROUND_H

#include "base/arena.h"
#include "base/err.h"
#include "text/json/json_write.h"

/* Raised when an older program would misunderstand; BACKGROUND_HELLO itself never changes. */
enum { BACKGROUND_PROTOCOL = 1 };

enum job_state {
	JOB_WORKING,
	JOB_BLOCKED, /* waits for the answer to a question */
	JOB_IDLE,    /* its process waits for a prompt */
	JOB_DONE,    /* its process has ended; a prompt starts it again */
	JOB_FAILED,  /* the last turn failed, or the process did */
	JOB_STOPPED, /* by the user */
	JOB_STATES,
};

const char *job_state_name(enum job_state state); /* "blocked" */
/* What people are shown: "needs input". */
const char *job_state_title(enum job_state state);

/* A background session. Its id is the beginning of its first session id. */
struct job_info {
	struct sv id, session; /* `session`: of the conversation, to resume it */
	struct sv name;        /* a title; may be empty */
	struct sv model, mode; /* of its last turn; may be empty */
	struct sv cwd, prompt; /* the first prompt; may be empty */
	struct sv text;        /* what the model said last; may be empty */
	struct sv waiting;     /* what the question is about, in one line; usually empty */
	struct sv
		question; /* the oldest open question, as the event that asked it; usually empty */
	struct sv error;  /* why it failed; usually empty */
	enum job_state state;
	int64_t started_ms, updated_ms; /* since 1970 */
	int64_t pid;                    /* 0: no process */
	double cost_usd;
	const struct sv *flags; /* of the command line, for its next process */
	size_t nflags;
};

void job_info_write(struct jw *w, const struct job_info *info);
/* A copy in `arena`. */
struct job_info job_info_copy(struct arena *arena, const struct job_info *from) must_use;
/* The form that `awl agents list --json` prints. */
void job_info_write_public(struct jw *w, const struct job_info *info);
/* Lists go into `arena`. False: not a background session. */
must_use bool job_info_read(struct job_info *out, struct json value, struct arena *arena);

enum background_kind {
	BACKGROUND_HELLO, /* protocol, version, pid */
	BACKGROUND_START, /* job: its id if it was started before, else cwd, name, flags; text: a prompt; env, once */
	BACKGROUND_LIST,   /* all sessions */
	BACKGROUND_WATCH,  /* the same, from now on */
	BACKGROUND_SEND,   /* id, text: a line for the session */
	BACKGROUND_STOP,   /* id: end its process */
	BACKGROUND_REMOVE, /* id: end its process and forget it */
	BACKGROUND_ATTACH, /* id */
	BACKGROUND_JOBS,   /* jobs */
	BACKGROUND_DONE,   /* id */
	BACKGROUND_ERROR,  /* text */
	BACKGROUND_KINDS,
	BACKGROUND_UNKNOWN = BACKGROUND_KINDS,
};

struct background_message {
	enum background_kind kind;
	int64_t protocol, pid;
	struct sv version, id, text;
	struct job_info job;
	const struct sv *env,
		*once; /* "NAME=value"; flags that choose the conversation of a new session */
	size_t nenv, nonce;
	const struct job_info *jobs;
	size_t njobs;
};

/* Appends the message as a line, with its line end. */
void background_message_write(struct str *out, const struct background_message *message);
/* Reads a line into `doc` and `arena`. Fails when it is not JSON or not an object. */
must_use bool background_message_read(struct background_message *out, struct sv line,
				      struct json_pool *pool, struct arena *arena, struct err *err);

#endif
