/* hook_points.h - where others take part in the work of an agent: hooks around prompts, calls and
 * the end of a turn, and whatever makes a conversation shorter.
 *
 * A point is a function that starts an op; the machine that reached the point waits for the op.
 * NULL, as the function or as the op it returns, means that nobody takes part: the machine moves
 * on at once. A participant leaves its decision in the structure it is given. An op that fails
 * counts as a participant without an opinion, except where the point says otherwise. Cancelling
 * the turn cancels the op. */
#ifndef AWL_CORE_AGENT_HOOK_POINTS_H
#define AWL_CORE_AGENT_HOOK_POINTS_H

#include "proto/verdict.h"
#include "sys/op.h"
#include "tool/tool.h"

struct agent;
struct call;
struct executor;

/* Before prompts reach the model, and before a command becomes a prompt. */
struct prompt_point {
	size_t count;       /* prompts */
	bool is_expansion;  /* it is a command that is about to become a prompt */
	struct str content; /* their content blocks, joined by commas */
	struct str context; /* for the model, after the prompts */
	struct str refusal; /* for the user; not empty: the prompts are dropped */
};

/* Why a turn prepares a request, and so what a participant may do to the history. */
enum prepare_reason {
	PREPARE_REQUEST, /* the next request is due: make it fit */
	PREPARE_DRAIN,   /* the service found it too long: omit what is cheap to omit */
	PREPARE_COMPACT, /* ... and that was not enough: summarise */
};

/* Before a call. An allow counts like mode bypassPermissions: it answers the question that the mode
 * would ask, and neither a rule nor a protected path. */
struct pre_tool_point {
	bool decided;
	enum behavior behavior; /* if decided */
	bool defer;             /* the call is not run and the turn ends; if decided */
	struct str reason;      /* of the decision, for the model or the user; may be empty */
	struct str input;       /* a JSON object that replaces the input; empty: no change */
	struct str context;     /* for the model, after the results */
	bool stop;              /* the turn ends after the results */
};

/* Before a task is added to the task list or marked as completed. */
struct task_point {
	struct str refusal; /* for the model; not empty: the list stays as it is */
	bool stop;          /* the turn ends after the results */
};

/* Before the user is asked whether a call may run, also when nobody can be asked. */
struct permission_point {
	bool decided;
	bool allow;         /* if decided, like all below */
	bool interrupt;     /* a deny also ends the turn */
	struct str message; /* of a deny, for the model; may be empty */
	struct str input;   /* as in pre_tool_point */
};

/* After a call that ran. The participant may change `result`; `is_error` in it says whether the
 * tool failed. */
struct post_tool_point {
	struct tool_result *result;
	int64_t duration_ms;
	struct str context;
	bool stop;
	bool is_of_server; /* the call is one of an MCP server */
};

/* After all calls of a response. */
struct batch_point {
	struct str context;
	bool stop;
};

/* A model has denied a call, in mode auto. */
struct denied_point {
	bool retry; /* the model may try the call again */
};

/* Before a turn ends by itself. */
struct stop_point {
	bool is_again;       /* feedback has sent this turn on before */
	struct sv text;      /* of the last response */
	bool prevent;        /* the turn ends here, whatever else is left to do */
	struct str feedback; /* not empty: the turn continues with this text */
	bool is_for_goal; /* ... which is about the goal of the session, and has a cap of its own */
};

struct hook_points {
	void *arg;
	struct op *(*prompt)(void *arg, struct prompt_point *point, struct then then);
	/* For PREPARE_DRAIN and PREPARE_COMPACT, failing means that nothing could be omitted. */
	struct op *(*prepare)(void *arg, struct agent *agent, enum prepare_reason why,
			      struct then then);
	/* The money is spent: the participant may raise the limit. If it is not raised, the turn ends. */
	struct op *(*spent)(void *arg, struct agent *agent, struct then then);
	struct op *(*pre_tool)(void *arg, const struct call *call, struct pre_tool_point *point,
			       struct then then);
	struct op *(*permission)(void *arg, const struct call *call, struct permission_point *point,
				 struct then then);
	struct op *(*denied)(void *arg, const struct call *call, struct denied_point *point,
			     struct then then);
	/* Reached by all allowed calls of tools that keep the task list. */
	struct op *(*task)(void *arg, const struct call *call, struct task_point *point,
			   struct then then);
	/* An allowed call is about to change something; call->perm_request says what. For saving what is
	 * there now. Never reached by calls that only read. */
	struct op *(*before_change)(void *arg, const struct call *call, struct then then);
	struct op *(*post_tool)(void *arg, const struct call *call, struct post_tool_point *point,
				struct then then);
	/* The user has interrupted a tool at work. Nobody waits for the participant. */
	void (*interrupted)(void *arg, const struct call *call, int64_t duration_ms);
	/* Several agents are about to start, all by these calls of one response. */
	void (*fan_out)(void *arg, struct agent *agent, const struct executor *calls);
	/* The results are in the history; the calls are still there to look at. */
	struct op *(*batch)(void *arg, const struct executor *calls, struct batch_point *point,
			    struct then then);
	struct op *(*stop)(void *arg, struct agent *agent, struct stop_point *point,
			   struct then then);
};

#endif
