/* call.h - one tool call on its way: schema, semantic check, pre-hook, permission,
 * the tool itself, post-hook, size of the result. Each phase may end it with an error
 * that the model can act on; whatever happens, in the end there is one result.
 *
 *   QUEUED > PRE_HOOK > ASKING > KEEPING > RUNNING > POST_HOOK > DONE */
#ifndef AWL_CORE_CALL_H
#define AWL_CORE_CALL_H

#include "core/agent.h"
#include "perm/command/command_analysis.h"

enum call_state {
	CALL_QUEUED,
	CALL_PRE_HOOK,
	CALL_ASKING,
	CALL_KEEPING, /* what is there before it changes something */
	CALL_RUNNING,
	CALL_POST_HOOK,
	CALL_DONE
};

/* Why a call does not come to its own end. */
enum call_cancel {
	CALL_NOT_CANCELLED,
	CALL_INTERRUPTED, /* by the user */
	CALL_SIBLING,     /* a command beside it failed */
	CALL_OVER_BUDGET,
	CALL_VOID, /* the reply it stood in is void: nobody will see the result */
};

struct call {
	struct op op; /* of the run */
	struct agent *agent;
	enum call_state state;
	struct str id, name;
	struct str input;     /* the JSON, as it came or as a hook or the user changed it */
	struct str malformed; /* what came in place of a JSON object; usually empty */
	bool is_over;         /* the result is there, and nothing of it is in flight */
	enum { CALL_ORDER_UNKNOWN, CALL_RUNS_ALONE, CALL_IS_CONCURRENT } order;
	bool denied;     /* no permission */
	bool wants_stop; /* the turn is to end after the results */
	struct verdict verdict;
	struct str advice;    /* what a model said of it, in mode auto */
	struct tool_call run; /* run.result is the outcome */
	int64_t started_ms;

	struct toolset_entry *entry; /* one reference; NULL: no such tool */
	struct json_doc *doc;
	struct arena arena;
	struct perm_request perm_request;
	struct command_analysis analysis; /* of the command that the tool runs, if it does */
	bool is_analysed;                 /* ... and nobody has waited since */
	struct pre_tool pre;
	struct post_tool post;
	enum call_cancel cancel;
	struct op *step; /* a hook, a question, the tool */
};

/* From a finished tool_use block; `malformed` is what came in place of its input. */
struct call *call_new(struct agent *agent, struct sv block, struct sv malformed);
/* Whether it may run beside other calls that are concurrent, too. */
bool call_is_concurrent(struct call *call);
/* Not while it runs. */
void call_free(struct call *call);

/* Once. `then` is called when the result is there. */
void call_start(struct call *call, struct then then);
/* A call that has not begun is over at once; of one that runs the end follows. The
 * first reason counts. */
void call_cancel(struct call *call, enum call_cancel why);

#endif
