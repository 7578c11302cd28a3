/* reason.h - why a turn ended, and why it continued: every transition of the turn machine has
 * one of these reasons. Their names are those of the wire, and so are the words for API errors. */
#ifndef AWL_PROTO_REASON_H
#define AWL_PROTO_REASON_H

#include "base/str.h"

enum end_reason {
	END_COMPLETED,
	END_BLOCKING_LIMIT, /* the conversation does not fit the window: no request was made */
	END_ABORTED_STREAMING,
	END_ABORTED_TOOLS,
	END_PROMPT_TOO_LONG,
	END_IMAGE_ERROR,
	END_API_ERROR,   /* the service refused, or could not be reached */
	END_MODEL_ERROR, /* the response made no sense */
	END_STOP_HOOK_PREVENTED,
	END_HOOK_STOPPED,
	END_MAX_TURNS,
	END_BUDGET_EXHAUSTED,
	END_TIME_EXHAUSTED,
	END_STRUCTURED_OUTPUT_RETRIES,
	END_TOOL_DEFERRED, /* a hook wants a call to be run later */
	END_REASONS,
};

enum go_reason {
	GO_NEXT_TURN,            /* with tool results */
	GO_COLLAPSE_DRAIN_RETRY, /* the prompt was too long and is smaller now */
	GO_REACTIVE_COMPACT_RETRY,
	GO_MAX_OUTPUT_ESCALATE, /* the response was cut: try again with more room */
	GO_MAX_OUTPUT_RECOVERY, /* the response was cut again: continue where it stopped */
	GO_STOP_HOOK_BLOCKING,
	GO_TOKEN_BUDGET_CONTINUATION,
	GO_STRUCTURED_OUTPUT_REMINDER,
	GO_REFUSAL_CONTINUATION,
	GO_PAUSED, /* a server tool needs another request */
	GO_REASONS,
};

const char *end_reason_name(enum end_reason reason); /* "completed" */
const char *go_reason_name(enum go_reason reason);   /* "next_turn" */

/* The word that the declarations of the Agent SDK have for a class of API errors. Some classes of
 * ours have none; events have their own word in a member of its own. */
struct sv api_error_word(struct sv class);

#endif
