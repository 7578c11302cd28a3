#include "core/agent/turn_output.h"
#include "core/toolset/deferred.h"

#include "base/limits.h"
#include "core/agent/agent_internal.h"
#include "core/agent/result_budget.h"
#include "proto/message.h"
#include "text/json/json_write.h"

static void turn_emit_stream(struct agent *agent, struct str *json)
{
	agent_emit(agent, &(struct event){ .kind = EVENT_STREAM,
					   .stream = { .json = sv_of(json), .ttft_ms = -1 } });
	str_truncate(json, 0);
}

/* Hosts wait for the end of what has begun. */
void turn_emit_stream_end(struct agent *agent, const struct response *response)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!agent->wants_stream || response->first_ms < 0 || response->stop_name.len)
		return;
	if (response->is_open) {
		stream_write_block_stop(&json, response->nbegun - 1);
		turn_emit_stream(agent, &json);
	}
	stream_write_delta(&json, response->usage.output);
	turn_emit_stream(agent, &json);
	stream_write_stop(&json);
	turn_emit_stream(agent, &json);
}

void turn_emit_thinking(struct agent *agent, struct response *response, bool is_over)
{
	enum { STEP = 50, BYTES_PER_TOKEN = 4 };
	int64_t tokens = (int64_t)((response->thought + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN);
	int64_t more = tokens - response->thinking_reported;

	if (!agent->wants_stream || !more || (more < STEP && !is_over))
		return;
	response->thinking_reported = tokens;
	agent_emit(agent, &(struct event){ .kind = EVENT_THINKING,
					   .thinking = { .tokens = tokens, .more = more } });
}

static void turn_note_cache_drop(struct agent *agent, struct sv why)
{
	str_set(&agent->cache_drop, why);
	agent_inform(agent, NOTICE_NOTICE, "%.*s", SV_ARG(why));
}

struct event_retry turn_describe_retry(const struct model_event *e)
{
	return (struct event_retry){ .attempt = e->attempt,
				     .max = e->attempts,
				     .delay_ms = e->wait_ms,
				     .status = e->error->status,
				     .error = sv_cstr(model_failure_name(e->error->failure)),
				     .text = sv_cstr(e->error->err.text) };
}

void turn_emit_model_event(struct agent *agent, const struct model_event *e, int64_t ttft_ms)
{
	if (e->kind == MODEL_RAW)
		agent_emit(agent,
			   &(struct event){ .kind = EVENT_STREAM,
					    .stream = { .json = e->json, .ttft_ms = ttft_ms } });
	else if (e->kind == MODEL_RETRY)
		agent_emit(agent,
			   &(struct event){ .kind = EVENT_RETRY, .retry = turn_describe_retry(e) });
	else if (e->kind == MODEL_STALL)
		agent_emit(agent, &(struct event){ .kind = EVENT_STALL,
						   .stall = { .silent_ms = e->wait_ms,
							      .limit_ms = e->limit_ms } });
	else if (e->kind == MODEL_NOTE)
		agent_inform(agent, e->error ? NOTICE_WARNING : NOTICE_INFO, "%.*s",
			     SV_ARG(e->text));
	else if (e->kind == MODEL_LOGIN)
		agent_inform(agent, NOTICE_WARNING, "%.*s", SV_ARG(e->text));
	else if (e->kind == MODEL_RATE_LIMIT)
		agent_emit(agent, &(struct event){ .kind = EVENT_RATE_LIMIT,
						   .rate_limit = *e->rate_limit });
	else if (e->kind == MODEL_CACHE_DROP)
		turn_note_cache_drop(agent, e->text);
}

/* Append what the user can do about a failure. */
static void turn_output_add_remedy(struct str *out, const struct agent *agent,
				   const struct model_error *error)
{
	const char *origin = agent->client ? model_client_credential(agent->client) : NULL;

	if (error->failure == MODEL_FAILED_NOT_FOUND)
		str_addf(out, "; the model is %.*s, and --model or /model chooses another",
			 SV_ARG(agent_model(agent)));
	else if (error->failure == MODEL_FAILED_PROMPT_TOO_LONG)
		str_adds(out, "; /compact summarises the conversation, /clear starts a new one");
	else if (error->failure == MODEL_FAILED_AUTH && origin &&
		 sv_starts(sv_cstr(origin), SV("none")))
		str_adds(out, "; no key was sent, because none is configured");
	else if (error->failure == MODEL_FAILED_AUTH && origin)
		str_addf(out, "; the key comes from %s", origin);
}

void turn_report_failure(struct agent *agent, struct turn_outcome *out,
			 const struct model_error *error)
{
	defer(str_clear) struct str message = STR_INIT;
	struct uuid uuid = uuid_v4(loop_rng(agent->loop));
	struct sv name = sv_cstr(model_failure_name(error->failure));

	str_truncate(&out->text, 0);
	str_addf(&out->text, "API Error: %s", error->err.text);
	turn_output_add_remedy(&out->text, agent, error);
	str_truncate(&out->stop_name, 0);
	str_adds(&out->stop_name, "stop_sequence");
	out->is_error = true;
	out->error = model_failure_name(error->failure);
	out->api_status = error->status;
	message_synthetic(&message, sv_of(&out->text), sv_cstr(uuid.text), true);
	agent_emit_as(agent,
		      &(struct event){ .kind = EVENT_ASSISTANT,
				       .message = { .json = sv_of(&message),
						    .error = name,
						    .status = error->status } },
		      sv_cstr(uuid.text));
	(void)!agent_record(agent, &(struct transcript_record){ .type = "assistant",
								.uuid = sv_cstr(uuid.text),
								.message = sv_of(&message),
								.is_api_error = true });
}

void turn_report_refusal(struct agent *agent, const struct response *response)
{
	agent_emit(agent,
		   &(struct event){
			   .kind = EVENT_REFUSED,
			   .refused = { .model = agent_model(agent),
					.request_id = sv_of(&response->request),
					.category = sv_of(&response->refusal_category),
					.why = sv_of(&response->refusal_why),
					.text = SV("The model refused to answer. Rephrase the "
						   "request, or choose another model.") } });
}

void turn_append_text(struct agent *agent, struct turn_outcome *out, const char *text)
{
	defer(str_clear) struct str block = STR_INIT;

	block_text(&block, sv_cstr(text));
	out->num_turns++;
	(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(&block),
							    .is_meta = true,
							    .is_synthetic = true });
}

static void turn_note_denial(struct turn_outcome *out, const struct call *call)
{
	struct turn_denial *denial;

	if (!call->denied)
		return;
	denial = vec_add(&out->denials);
	str_add(&denial->tool, sv_of(&call->name));
	str_add(&denial->id, sv_of(&call->id));
	str_add(&denial->input, sv_of(&call->input));
}

void turn_result_data(struct str *out, const struct tool_result *result)
{
	struct jw w;

	if (result->data.len && !result->is_error) {
		str_add(out, sv_of(&result->data));
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_strf(&w, "%s%s", result->is_error ? "Error: " : "", str_c(&result->text));
	jw_done(&w);
}

static void turn_write_result(struct str *out, const struct call *call)
{
	const struct tool_result *result = &call->run.result;

	block_tool_result(out, &(struct block_result){ .id = sv_of(&call->id),
						       .text = sv_of(&result->text),
						       .blocks = sv_of(&result->blocks),
						       .is_error = result->is_error });
}

static struct event_decision turn_decision(const struct call *call)
{
	bool allowed = call->verdict.text[0] && call->verdict.behavior == BEHAVIOR_ALLOW;

	if (!call->denied && !allowed)
		return (struct event_decision){ .id = SV_EMPTY };
	return (struct event_decision){ .id = sv_of(&call->id),
					.accepted = !call->denied,
					.why = call->verdict.reason,
					.is_permanent = call->answer.is_permanent,
					.text = sv_cstr(call->verdict.text) };
}

/* The result of a sub-agent's call is only its text. */
static void turn_emit_result(struct agent *agent, const struct call *call)
{
	defer(str_clear) struct str block = STR_INIT, data = STR_INIT, message = STR_INIT;
	struct event event = { .kind = EVENT_USER, .message = { .decision = turn_decision(call) } };

	turn_write_result(&block, call);
	message_open(&message, "user", sv_of(&block));
	event.message.json = sv_of(&message);
	if (!agent->parent_tool_use_id.len)
		turn_result_data(&data, &call->run.result);
	event.message.tool_use_result = sv_of(&data);
	agent_emit_as(agent, &event, sv_cstr(call->uuid.text));
}

void turn_emit_results(struct agent *agent, const struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *call = ex->calls.at[i];

		if (!call->is_over || call->uuid.text[0])
			continue;
		call->uuid = uuid_v4(loop_rng(agent->loop));
		turn_emit_result(agent, call);
	}
}

static void turn_append_result(struct agent *agent, struct turn_outcome *out,
			       const struct call *call)
{
	defer(str_clear) struct str block = STR_INIT, data = STR_INIT;

	turn_write_result(&block, call);
	turn_result_data(&data, &call->run.result);
	out->num_turns++;
	(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(&block),
							    .uuid = sv_cstr(call->uuid.text),
							    .source = sv_cstr(call->source.text),
							    .tool_use_result = sv_of(&data),
							    .quiet = true });
}

static void turn_append_blocks(struct agent *agent, const struct str *blocks)
{
	if (blocks->len)
		(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(blocks),
								    .is_meta = true,
								    .quiet = true });
}

void turn_append_context(struct agent *agent, const struct str *context)
{
	defer(str_clear) struct str block = STR_INIT;

	if (context->len)
		block_text(&block, sv_of(context));
	turn_append_blocks(agent, &block);
}

/* Append what was said about a call: by the user, by hooks and by the tool. */
static void turn_append_remarks(struct agent *agent, const struct call *call)
{
	turn_append_blocks(agent, &call->answer.remark);
	turn_append_context(agent, &call->pre.context);
	turn_append_context(agent, &call->run.result.follow_up);
	turn_append_context(agent, &call->post.context);
}

/* Allow results a quarter of the window: at four bytes a token, one byte for each of its tokens. */
static size_t turn_max_results(const struct agent *agent)
{
	struct model_info info = model_info(agent->table, agent_model(agent));
	int64_t window = agent->choice.max_context ? agent->choice.max_context
			 : info.known              ? info.context
						   : 0;

	return window > 0 ? min_of((size_t)window, LIMIT_RESULTS) : LIMIT_RESULTS;
}

void turn_append_results(struct agent *agent, struct turn_outcome *out, const struct executor *ex)
{
	result_budget(ex->calls.at, ex->calls.n, turn_max_results(agent));
	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *call = ex->calls.at[i];

		turn_append_result(agent, out, call);
		turn_note_denial(out, call);
		repeats_add(&agent->repeats, sv_of(&call->name), sv_of(&call->input),
			    sv_of(&call->run.result.text));
		if (agent->structured && call->run.tool == &agent->structured->tool &&
		    call->run.result.is_error)
			agent->structured->failures++;
	}
	for (size_t i = 0; i < ex->calls.n; i++)
		turn_append_remarks(agent, ex->calls.at[i]);
}

void turn_append_rerun(struct agent *agent, struct turn_outcome *out, const struct call *call)
{
	defer(str_clear) struct str content = STR_INIT, data = STR_INIT;

	turn_note_denial(out, call);
	if (call->deferred)
		return;
	deferred_write(&content, call);
	turn_result_data(&data, &call->run.result);
	out->num_turns++;
	(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(&content),
							    .uuid = sv_cstr(call->uuid.text),
							    .tool_use_result = sv_of(&data),
							    .is_meta = true,
							    .quiet = true });
	turn_append_remarks(agent, call);
}

bool turn_is_stopped_by_user(const struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++)
		if (ex->calls.at[i]->answer.ends_turn)
			return true;
	return false;
}

bool turn_is_stopped_by_hook(const struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++)
		if (ex->calls.at[i]->wants_stop)
			return true;
	return false;
}

const struct call *turn_deferred_call(const struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++)
		if (ex->calls.at[i]->deferred)
			return ex->calls.at[i];
	return NULL;
}
