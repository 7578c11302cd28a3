/* reason.h - why a turn ended, and why it went on: every transition of the turn
 * machine carries one of these, and the words are those of the wire protocol. */
#ifndef AWL_PROTO_REASON_H
#define AWL_PROTO_REASON_H

enum end_reason {
	END_COMPLETED,
	END_BLOCKING_LIMIT, /* the conversation cannot fit the window: not even asked */
	END_ABORTED_STREAMING,
	END_ABORTED_TOOLS,
	END_PROMPT_TOO_LONG,
	END_IMAGE_ERROR,
	END_API_ERROR,   /* the service said no, or could not be reached */
	END_MODEL_ERROR, /* what it said made no sense */
	END_STOP_HOOK_PREVENTED,
	END_HOOK_STOPPED,
	END_MAX_TURNS,
	END_BUDGET_EXHAUSTED,
	END_TIME_EXHAUSTED,
	END_STRUCTURED_OUTPUT_RETRIES,
	END_REASONS,
};

enum go_reason {
	GO_NEXT_TURN,            /* tool results are there */
	GO_COLLAPSE_DRAIN_RETRY, /* the prompt was too long: smaller now */
	GO_REACTIVE_COMPACT_RETRY,
	GO_MAX_OUTPUT_ESCALATE, /* the answer was cut: again with more room */
	GO_MAX_OUTPUT_RECOVERY, /* ... cut again: go on where it stopped */
	GO_STOP_HOOK_BLOCKING,
	GO_TOKEN_BUDGET_CONTINUATION,
	GO_STRUCTURED_OUTPUT_REMINDER,
	GO_REFUSAL_CONTINUATION,
	GO_PAUSED, /* a server tool needs another request */
	GO_REASONS,
};

const char *end_reason_name(enum end_reason reason); /* "completed" */
const char *go_reason_name(enum go_reason reason);   /* "next_turn" */

#endif
