/* job.h - private to src/hook: one handler at work. */
#ifndef AWL_HOOK_JOB_H
#define AWL_HOOK_JOB_H

#include "base/uuid.h"
#include "hook/hook.h"

/* What the handlers of one event are told. Counted: a handler in the background outlives the run. */
struct hook_payload {
	size_t users;
	enum hook_event event;
	struct str json, name, cwd, tool_use_id;
};

struct hook_job {
	struct hook_job *next; /* of the session, in any order */
	struct hooks *hooks;
	struct op *run; /* who waits for it; NULL: nobody */
	struct hook_set *set;
	const struct hook_handler *handler; /* of `set` */
	struct hook_payload *payload;
	struct uuid id;
	int64_t started_ms, reported_ms, timeout_ms;

	struct op *work, *timer; /* it has ended when both are NULL */
	bool is_timed_out, is_cancelled;

	/* What the handler has said. */
	struct str out, err;
	bool is_cut;
	bool has_code;
	int code;
	struct err failure; /* ERR_NONE: it ran to its end */
	struct arena arena; /* of the kind of handler */
	void *own;          /* likewise */

	/* What follows from it, once it has ended. */
	struct hook_answer answer;
	enum hook_outcome outcome;
	struct str problem;
};

/* How a type of handler works. */
struct hook_kind {
	/* Starts the work; `out`, `err` and the exit code are filled in as it goes. Returns NULL,
	 * with `failure` set, when it cannot be started. */
	struct op *(*start)(struct hook_job *job, struct then then);
	/* Inside `done`, with `failure` set if the op failed. Returns whether to start again. May
	 * be NULL. */
	bool (*end)(struct hook_job *job, const struct op *op);
};

extern const struct hook_kind hook_kind_command;
extern const struct hook_kind hook_kind_callback;
extern const struct hook_kind hook_kind_http;
extern const struct hook_kind hook_kind_mcp_tool;
extern const struct hook_kind hook_kind_prompt;
extern const struct hook_kind hook_kind_agent;

/* The parts of struct hooks that a job needs (hook.c). */
struct loop *hooks_loop(const struct hooks *hooks);
const struct hooks_opts *hooks_opts(const struct hooks *hooks);
/* The job goes on in the background: nobody waits for it any more. */
void hooks_detach(struct hooks *hooks, struct hook_job *job);
/* The job has ended, and its conclusion is drawn. */
void hooks_on_job(struct hooks *hooks, struct hook_job *job);

/* Starts a handler. `run` may be NULL. Never calls back immediately. */
struct hook_job *hook_job_start(struct hooks *hooks, struct op *run, struct hook_set *set,
				const struct hook_handler *handler, struct hook_payload *payload);
void hook_job_cancel(struct hook_job *job);
/* Only when it has ended. */
void hook_job_free(struct hook_job *job);

/* Bytes that the handler printed. */
void hook_job_take(struct hook_job *job, bool is_error, struct sv bytes);

struct hook_payload *hook_payload_new(const struct hook_input *input);
void hook_payload_unref(struct hook_payload *payload);

#endif
