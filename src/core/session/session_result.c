/* The event that ends a turn. */
#include "core/session/session_result.h"

#include "core/agent/structured.h"
#include "core/agent/turn.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/session/session_prompts.h"
#include "core/session/session_status.h"
#include "proto/message.h"

/* The result of each way to end. A failure of the service is a success that is an error: its
 * text is the reply. */
static const struct ending {
	enum result_kind outcome;
	bool is_error;
} endings[END_REASONS] = {
	[END_COMPLETED] = { RESULT_SUCCESS, false },
	[END_BLOCKING_LIMIT] = { RESULT_SUCCESS, true },
	[END_ABORTED_STREAMING] = { RESULT_ERROR, true },
	[END_ABORTED_TOOLS] = { RESULT_ERROR, true },
	[END_PROMPT_TOO_LONG] = { RESULT_SUCCESS, true },
	[END_IMAGE_ERROR] = { RESULT_SUCCESS, true },
	[END_API_ERROR] = { RESULT_SUCCESS, true },
	[END_MODEL_ERROR] = { RESULT_SUCCESS, true },
	[END_STOP_HOOK_PREVENTED] = { RESULT_SUCCESS, false },
	[END_HOOK_STOPPED] = { RESULT_SUCCESS, false },
	[END_MAX_TURNS] = { RESULT_MAX_TURNS, true },
	[END_BUDGET_EXHAUSTED] = { RESULT_MAX_BUDGET, true },
	[END_TIME_EXHAUSTED] = { RESULT_ERROR, true },
	[END_STRUCTURED_OUTPUT_RETRIES] = { RESULT_MAX_STRUCTURED_RETRIES, true },
	[END_TOOL_DEFERRED] = { RESULT_SUCCESS, false },
};

static void session_result_describe_error(struct str *out, const struct session *s,
					  enum end_reason reason)
{
	const struct agent_limits *limits = agent_limits(s->agent);

	if (reason == END_MAX_TURNS)
		str_addf(out, "Reached maximum number of turns (%d)", limits->max_turns);
	else if (reason == END_BUDGET_EXHAUSTED && agent_has_spent_budget(s->agent))
		budget_describe(s, out);
	else if (reason == END_BUDGET_EXHAUSTED)
		str_addf(out, "Reached maximum number of tokens (%lld)",
			 (long long)limits->max_tokens);
	else if (reason == END_TIME_EXHAUSTED)
		str_addf(out, "Reached maximum time (%lld s)", (long long)limits->max_ms / 1000);
	else if (reason == END_STRUCTURED_OUTPUT_RETRIES)
		str_addf(out, "Failed to provide valid structured output after %d attempts",
			 STRUCTURED_TRIES);
	else
		str_adds(out, "Interrupted");
}

static void session_result_put_denials(struct event_result *r, const struct turn_outcome *out,
				       struct event_denial *denials)
{
	for (size_t i = 0; i < out->denials.n; i++)
		denials[i] = (struct event_denial){ .tool = sv_of(&out->denials.at[i].tool),
						    .id = sv_of(&out->denials.at[i].id),
						    .input = sv_of(&out->denials.at[i].input) };
	r->denials = denials;
	r->ndenials = out->denials.n;
}

/* Add what every result has, and emit it. */
static void session_result_emit(struct session *s, struct event_result *r,
				const struct usage *usage)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	r->usage = usage_to_counts(usage);
	r->nmodels = costs_models(&r->models, &arena, &s->costs, session_service(s));
	r->nrecent_models =
		costs_recent_models(&r->recent_models, &arena, &s->costs, session_service(s));
	costs_note_result(&s->costs);
	r->duration_api_ms = s->costs.api_ms;
	r->cost_usd = costs_usd(&s->costs);
	r->cost_known = s->costs.total.known;
	r->forked_from = sv_cstr(s->conversation.forked_from.text);
	r->nqueued = session_count_waiting(s);
	r->fast = session_fast_mode(s);
	r->index = s->prompts.answering.nresults++;
	if (r->local_command.len) { /* perhaps while a turn runs, whose result says the rest */
		session_emit(s, &(struct event){ .kind = EVENT_RESULT, .result = *r });
		return;
	}
	r->not_saved = sv_of(&s->conversation.unsaved);
	r->is_notice = s->prompts.answering.is_notice;
	r->channel = sv_of(&s->prompts.answering.channel);
	session_emit(s, &(struct event){ .kind = EVENT_RESULT, .result = *r });
	if (s->conversation.transcript)
		str_truncate(&s->conversation.unsaved, 0); /* the next turn may be saved */
}

void session_emit_result(struct session *s, const struct turn_outcome *out)
{
	defer(str_clear) struct str error = STR_INIT;
	defer(mem_freep) struct event_denial *denials =
		xcalloc(out->denials.n + 1, sizeof(*denials));
	struct event_result r = {
		.reason = out->reason,
		.has_reason = true,
		.is_error = endings[out->reason].is_error || out->is_error,
		.outcome = endings[out->reason].outcome,
		.text = sv_of(&out->text),
		.duration_ms = out->duration_ms,
		.ttft_ms = out->ttft_ms,
		.num_turns = out->num_turns,
		.stop_reason = sv_of(&out->stop_name),
		.api_error_status = out->api_status,
	};

	session_result_describe_error(&error, s, out->reason);
	r.error = sv_of(&error);
	if (out->reason == END_COMPLETED)
		r.structured_output = agent_structured_output(s->agent);
	session_result_put_denials(&r, out, denials);
	r.deferred = (struct event_denial){ .tool = sv_of(&out->deferred.tool),
					    .id = sv_of(&out->deferred.id),
					    .input = sv_of(&out->deferred.input) };
	session_result_emit(s, &r, &out->usage);
}

void session_emit_local_result(struct session *s, struct sv command, struct sv text)
{
	struct usage none = { .known = true };
	struct event_result r = {
		.outcome = RESULT_SUCCESS, .text = text, .ttft_ms = -1, .local_command = command
	};

	session_result_emit(s, &r, &none);
}

void session_refuse_locally(struct session *s, struct sv command, struct sv why)
{
	struct usage none = { .known = true };
	struct event_result r = { .outcome = RESULT_ERROR,
				  .is_error = true,
				  .error = why,
				  .ttft_ms = -1,
				  .local_command = command };

	session_result_emit(s, &r, &none);
}

void session_emit_failure(struct session *s, struct sv why)
{
	struct usage none = { .known = true };
	struct event_result r = {
		.outcome = RESULT_ERROR, .is_error = true, .error = why, .ttft_ms = -1
	};

	session_result_emit(s, &r, &none);
}

void session_answer_locally(struct session *s, struct sv command, struct sv text)
{
	defer(str_clear) struct str message = STR_INIT;
	struct uuid uuid = uuid_v4(loop_rng(s->engine->loop));

	session_emit_announcements(s);
	message_synthetic(&message, text, sv_cstr(uuid.text), false);
	session_emit(s, &(struct event){ .kind = EVENT_ASSISTANT,
					 .message = { .json = sv_of(&message) } });
	session_emit_local_result(s, command, text);
}
