/* seams.h - where others take part in a turn: hooks around calls and before the end,
 * and what makes a conversation shorter. Each may be NULL: nobody takes part. What
 * they decide they leave in the structure they are given; failing (but for being
 * cancelled) counts as having nothing to say. */
#ifndef AWL_CORE_SEAMS_H
#define AWL_CORE_SEAMS_H

#include "proto/verdict.h"
#include "sys/op.h"
#include "tool/tool.h"

struct agent;
struct call;

/* Before a call. */
struct pre_tool {
	bool decided; /* `verdict` stands in place of the rules' */
	struct verdict verdict;
	struct str input;   /* JSON object in place of the call's; empty: as it is */
	struct str context; /* for the model, beside the result */
	bool stop;          /* no further request after this one's results */
};

/* After a call; `result` may be changed. */
struct post_tool {
	struct tool_result *result;
	struct str context;
	bool stop;
};

/* Before a turn ends by itself. */
struct before_stop {
	bool prevent;        /* it ends here, whatever else */
	struct str feedback; /* it goes on with this */
};

enum shrink { SHRINK_DRAIN, SHRINK_COMPACT };

struct seams {
	void *arg;
	struct op *(*pre_tool)(void *arg, struct call *call, struct pre_tool *out,
			       struct then then);
	/* A call that is allowed is about to change something: call->perm_request says what. For keeping
	 * what is there now; never asked about what only reads. */
	struct op *(*before_change)(void *arg, struct call *call, struct then then);
	struct op *(*post_tool)(void *arg, struct call *call, struct post_tool *out,
				struct then then);
	struct op *(*stop)(void *arg, struct agent *agent, struct before_stop *out,
			   struct then then);
	/* Fails when nothing could be left out. */
	struct op *(*shrink)(void *arg, struct agent *agent, enum shrink how, struct then then);
};

#endif
