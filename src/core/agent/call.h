/* call.h - one tool use: schema, check, pre-hook, permission, the tool itself, post-hook, size of
 * the result. A machine (call.c) and an op. */
#ifndef AWL_CORE_AGENT_CALL_H
#define AWL_CORE_AGENT_CALL_H

#include "core/agent/agent.h"
#include "perm/command/command_analysis.h"

enum call_state {
	CALL_QUEUED,
	CALL_PRE_HOOK,
	CALL_DECIDING,
	CALL_ASKING,
	CALL_SAVING,
	CALL_RUNNING,
	CALL_POST_HOOK,
	CALL_DONE
};

/* Why a call does not run to its own end. */
enum call_cancel {
	CALL_NOT_CANCELLED,
	CALL_INTERRUPTED, /* by the user */
	CALL_SIBLING,     /* another command of the response failed */
	CALL_OVER_BUDGET,
	CALL_VOID, /* its response was discarded: nobody will see the result */
};

/* What the user is shown with a question about the call. */
struct call_shown {
	struct str input;          /* in the form for the user; empty: as it is */
	struct tool_call preview;  /* the same call, which changes nothing */
	struct tool_change change; /* of a command: what the preview has found */
	struct str changes;        /* JSON: how files would change; usually empty */
};

/* What the user has said about it. */
struct call_answer {
	bool is_early;     /* before the call was started: it is allowed */
	struct str input;  /* ... with this input; empty: its own */
	struct str remark; /* with a yes: content blocks for the model; usually empty */
	bool is_permanent; /* calls like it are allowed, too */
	bool ends_turn;    /* at once */
};

struct call_times {
	int64_t started_ms; /* it left the queue */
	int64_t ran_ms;     /* its tool began */
	int64_t judged_ms;  /* a model was asked about it */
};

struct call {
	struct op op; /* of the run */
	struct agent *agent;
	enum call_state state;
	struct str id, name;
	struct str input;     /* the JSON, as it came or as a hook or the user changed it */
	struct str malformed; /* what came instead of a JSON object; usually empty */
	bool is_over;         /* the result is final and nothing is in flight */
	enum { CALL_ORDER_UNKNOWN, CALL_RUNS_ALONE, CALL_IS_CONCURRENT } order;
	bool denied;     /* no permission */
	bool wants_stop; /* a hook wants the turn to end after the results */
	bool deferred;   /* a hook wants it to be run later, by somebody else */
	struct call_shown shown;
	struct call_answer answer;
	struct verdict verdict;
	struct str model_verdict; /* in mode auto: what the model said */
	struct {
		struct op *op;     /* the model is asked while hooks run; NULL: it is not */
		bool is_asked;     /* ... about the call as it still is */
		bool is_awaited;   /* DECIDING waits for it */
		struct str reason; /* why no rule allows the call, as the model was told */
		struct str text;   /* what it said; empty: nothing */
	} early;
	bool is_finishing;    /* once nothing is in flight */
	struct tool_call run; /* run.result is the outcome */
	struct uuid uuid;     /* of the message with its result; empty: not emitted yet */
	char task_id[16];     /* as a task, once it has run for long; else "" */
	struct call_times times;
	struct uuid source; /* of the record that it is in */

	struct toolset_entry *entry; /* one reference; NULL: no such tool */
	struct json_doc *doc;
	struct arena arena;
	struct perm_request perm_request;
	struct command_analysis analysis; /* of the command that the tool runs, if it does */
	bool is_analysed;                 /* ... and nobody has waited since */
	struct pre_tool_point pre;
	struct permission_point permission;
	struct denied_point refused;
	struct task_point task;
	struct post_tool_point post;
	enum call_cancel cancel;
	struct op *step;               /* what the state waits for */
	void (*on_running)(void *arg); /* its tool is about to start */
	void *on_running_arg;
};

/* From a finished tool_use block; `malformed` is what came instead of its input. */
struct call *call_new(struct agent *agent, struct sv block, struct sv malformed);
/* Whether it may run beside other calls that are concurrent, too. */
bool call_is_concurrent(struct call *call);
/* Not while it runs. */
void call_free(struct call *call);

/* The user has allowed it already, perhaps with another input (JSON; empty: as it is). Before
 * call_start(). */
void call_allow(struct call *call, struct sv input);
/* Once. `then` is called when the result is final. */
void call_start(struct call *call, struct then then);
/* Appends the input with absolute names of files: whoever compares them should not have to know where the call starts.
 * The call itself keeps the words of the model. */
void call_write_input(const struct call *call, struct str *out);
/* A queued call is over at once, a running one soon. The first reason counts. */
void call_cancel(struct call *call, enum call_cancel why);

#endif
