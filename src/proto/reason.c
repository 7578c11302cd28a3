#include "proto/reason.h"

#include "base/base.h"

const char *end_reason_name(enum end_reason reason)
{
	static const char names[END_REASONS][34] = {
		[END_COMPLETED] = "completed",
		[END_BLOCKING_LIMIT] = "blocking_limit",
		[END_ABORTED_STREAMING] = "aborted_streaming",
		[END_ABORTED_TOOLS] = "aborted_tools",
		[END_PROMPT_TOO_LONG] = "prompt_too_long",
		[END_IMAGE_ERROR] = "image_error",
		[END_API_ERROR] = "api_error",
		[END_MODEL_ERROR] = "model_error",
		[END_STOP_HOOK_PREVENTED] = "stop_hook_prevented",
		[END_HOOK_STOPPED] = "hook_stopped",
		[END_MAX_TURNS] = "max_turns",
		[END_BUDGET_EXHAUSTED] = "budget_exhausted",
		[END_TIME_EXHAUSTED] = "time_exhausted",
		[END_STRUCTURED_OUTPUT_RETRIES] = "structured_output_retry_exhausted",
		[END_TOOL_DEFERRED] = "tool_deferred",
	};

	return names[reason];
}

const char *go_reason_name(enum go_reason reason)
{
	static const char names[GO_REASONS][27] = {
		[GO_NEXT_TURN] = "next_turn",
		[GO_COLLAPSE_DRAIN_RETRY] = "collapse_drain_retry",
		[GO_REACTIVE_COMPACT_RETRY] = "reactive_compact_retry",
		[GO_MAX_OUTPUT_ESCALATE] = "max_output_tokens_escalate",
		[GO_MAX_OUTPUT_RECOVERY] = "max_output_tokens_recovery",
		[GO_STOP_HOOK_BLOCKING] = "stop_hook_blocking",
		[GO_TOKEN_BUDGET_CONTINUATION] = "token_budget_continuation",
		[GO_STRUCTURED_OUTPUT_REMINDER] = "structured_output_reminder",
		[GO_REFUSAL_CONTINUATION] = "refusal_continuation",
		[GO_PAUSED] = "paused",
	};

	return names[reason];
}

struct sv api_error_word(struct sv class)
{
	static const struct {
		char class[16], word[16];
	} undeclared[] = {
		{ "prompt_too_long", "invalid_request" },
		{ "image_error", "invalid_request" },
		{ "refused", "unknown" },
		{ "network_error", "unknown" },
		{ "protocol_error", "unknown" },
		{ "replay_mismatch", "unknown" },
		{ "cancelled", "unknown" },
	};

	for (size_t i = 0; i < countof(undeclared); i++)
		if (sv_is(class, undeclared[i].class))
			return sv_cstr(undeclared[i].word);
	return class;
}
