/* The event that ends a turn. */
#include "core/session.h"
#include "core/turn.h"
#include "proto/message.h"
#include "text/json/json_write.h"

/* How an end is called on the wire, and what is said of it when it is an error. */
static const struct ending {
	const char *subtype;
	bool is_error;
} endings[END_REASONS] = {
	[END_COMPLETED] = { "success", false },
	[END_BLOCKING_LIMIT] = { "success", true },
	[END_ABORTED_STREAMING] = { "error_during_execution", true },
	[END_ABORTED_TOOLS] = { "error_during_execution", true },
	[END_PROMPT_TOO_LONG] = { "success", true },
	[END_IMAGE_ERROR] = { "success", true },
	[END_API_ERROR] = { "success", true },
	[END_MODEL_ERROR] = { "success", true },
	[END_STOP_HOOK_PREVENTED] = { "success", false },
	[END_HOOK_STOPPED] = { "success", false },
	[END_MAX_TURNS] = { "error_max_turns", true },
	[END_BUDGET_EXHAUSTED] = { "error_max_budget_usd", true },
	[END_TIME_EXHAUSTED] = { "error_during_execution", true },
	[END_STRUCTURED_OUTPUT_RETRIES] = { "error_max_structured_output_retries", true },
};

static void session_result_say_error(struct str *out, const struct session *s,
				     enum end_reason reason)
{
	const struct agent_limits *limits = &s->agent.limits;

	if (reason == END_MAX_TURNS)
		str_addf(out, "Reached maximum number of turns (%d)", limits->max_turns);
	else if (reason == END_BUDGET_EXHAUSTED && limits->max_budget_usd > 0 &&
		 costs_usd(&s->costs) >= limits->max_budget_usd)
		str_addf(out, "Reached maximum budget ($%g)", limits->max_budget_usd);
	else if (reason == END_BUDGET_EXHAUSTED)
		str_addf(out, "Reached maximum number of tokens (%lld)",
			 (long long)limits->max_tokens);
	else if (reason == END_TIME_EXHAUSTED)
		str_addf(out, "Reached maximum time (%lld s)", (long long)limits->max_ms / 1000);
	else if (reason == END_STRUCTURED_OUTPUT_RETRIES)
		str_addf(out, "Failed to provide valid structured output after %d attempts",
			 STRUCTURED_TRIES);
	else
		str_adds(out, "Interrupted by the user");
}

static void session_result_write_usage(struct str *out, const struct usage *usage)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	usage_write(&w, usage);
	jw_done(&w);
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

/* What every result has. */
static void session_result_tell(struct session *s, struct event_result *r,
				const struct usage *usage)
{
	defer(str_clear) struct str used = STR_INIT;
	defer(str_clear) struct str models = STR_INIT;

	session_result_write_usage(&used, usage);
	costs_models(&models, &s->costs, s->engine->table);
	r->usage = sv_of(&used);
	r->model_usage = sv_of(&models);
	r->duration_api_ms = s->costs.api_ms;
	r->cost_usd = costs_usd(&s->costs);
	r->cost_known = s->costs.total.known;
	session_tell(s, &(struct event){ .kind = EVENT_RESULT, .result = *r });
}

void session_tell_result(struct session *s, const struct turn_outcome *out)
{
	defer(str_clear) struct str error = STR_INIT;
	defer(mem_freep) struct event_denial *denials =
		xcalloc(out->denials.n + 1, sizeof(*denials));
	struct event_result r = {
		.reason = out->reason,
		.has_reason = true,
		.is_error = endings[out->reason].is_error || out->is_error,
		.subtype = sv_cstr(endings[out->reason].subtype),
		.text = sv_of(&out->text),
		.duration_ms = out->duration_ms,
		.ttft_ms = out->ttft_ms,
		.num_turns = out->num_turns,
		.stop_reason = sv_of(&out->stop_name),
		.api_error_status = out->api_status,
	};

	session_result_say_error(&error, s, out->reason);
	r.error = sv_of(&error);
	if (s->agent.structured && out->reason == END_COMPLETED)
		r.structured_output = sv_of(&s->agent.structured->value);
	session_result_put_denials(&r, out, denials);
	session_result_tell(s, &r, &out->usage);
}

void session_tell_local_result(struct session *s, const char *command, struct sv text)
{
	struct usage none = { .known = true };
	struct event_result r = { .subtype = SV("success"),
				  .text = text,
				  .ttft_ms = -1,
				  .local_command = sv_cstr(command) };

	session_result_tell(s, &r, &none);
}

void session_tell_failure(struct session *s, struct sv why)
{
	struct usage none = { .known = true };
	struct event_result r = { .subtype = SV("error_during_execution"),
				  .is_error = true,
				  .error = why,
				  .ttft_ms = -1 };

	session_result_tell(s, &r, &none);
}

void session_answer_locally(struct session *s, const char *command, struct sv text)
{
	defer(str_clear) struct str message = STR_INIT;
	struct uuid uuid = uuid_v4(loop_rng(s->engine->loop));

	session_announce(s);
	message_synthetic(&message, text, sv_cstr(uuid.text));
	session_tell(s, &(struct event){ .kind = EVENT_ASSISTANT,
					 .message = { .json = sv_of(&message) } });
	session_tell_local_result(s, command, text);
}
