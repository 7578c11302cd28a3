/* A turn is the loop everybody knows: request, run the calls of the response, append their
 * results, request again. What makes it long is everything that can happen on the way.
 *
 *             +--------------------------------------------------+
 *             v                                                  |
 *   start > PREPARE > STREAM > TOOLS (the response has calls) ---+
 *             ^  ^       |       |
 *             |  +-------+       |     (recovery: a shorter history, more output)
 *             |          v       v
 *             +------ CLOSING > DONE
 *
 *   PREPARE   waits for whoever wants to change the history first (hook_points.h: compaction), for
 *             the next request or after the service refused the last one as too long; then until
 *             what the request says is on disk.
 *   STREAM    one request. Finished blocks are emitted and recorded as they come, finished calls
 *             go to the executor while the rest still streams.
 *   TOOLS     the response is complete and has calls: waits until all of them have a result, and
 *             for the hook that looks at all of them.
 *   CLOSING   the model is done: waits for the stop hook, which may send the turn back.
 *   DONE      the end is decided: waits until nothing of the turn is in flight and everything
 *             is on disk.
 *
 * turn_enter() is the only place where the state changes. Everything that ends reports to an
 * on_x() function, which decides where to go next, or to turn_settle(), which moves on once all
 * that the state waits for is over. Nothing blocks, and a step runs to its end.
 *
 * What always holds:
 *   - At most one request or step is in flight; calls run beside a request only while it streams
 *     the response they belong to.
 *   - The history gets a response only when it is complete, or cut off by the user, and then gets
 *     one result for each of its calls, in the order of the calls. So it can be sent at any time.
 *   - A response that is discarded (the stream broke, another model takes over, the output limit
 *     is raised) takes its events, its records and its calls with it.
 *   - An interrupt, or the deadline, only sets a flag and cancels what is in flight. The `done` of
 *     that finds the flag and ends the turn; so there is one way out, not one a state.
 *   - Every error that something can be done about is retried a bounded number of times
 *     (recovery.h) before it is shown. */
#include "base/log.h"
#include "core/agent/turn_internal.h"
#include "core/agent/turn_output.h"
#include "core/toolset/deferred.h"
#include "proto/message.h"
#include "sys/timer.h"

static void turn_enter(struct turn *t, enum turn_state next);
static void turn_settle(struct turn *t);

/* --- ends and ways on --------------------------------------------------------- */

void turn_end(struct turn *t, enum end_reason reason)
{
	t->out.reason = reason;
	turn_enter(t, TURN_DONE);
}

/* Whether nothing may be spent any more. Money that somebody may still allow is asked about before the
 * next request. */
static bool turn_has_spent_all(const struct turn *t)
{
	const struct agent_limits *limits = &t->agent->limits;
	int64_t tokens = usage_prompt(&t->out.usage) + t->out.usage.output;
	bool may_ask = t->agent->hooks->spent && !t->is_money_refused;

	return (agent_has_spent_budget(t->agent) && !may_ask) ||
	       (limits->max_tokens > 0 && tokens >= limits->max_tokens);
}

void turn_continue(struct turn *t, enum go_reason reason)
{
	int max = t->agent->limits.max_turns;

	if (max && t->requests >= max) {
		turn_end(t, END_MAX_TURNS);
		return;
	}
	if (turn_has_spent_all(t)) {
		turn_end(t, END_BUDGET_EXHAUSTED);
		return;
	}
	if (reason != GO_MAX_OUTPUT_RECOVERY)
		str_truncate(&t->cut_text, 0);
	agent_emit(t->agent,
		   &(struct event){ .kind = EVENT_TRANSITION, .transition = { .reason = reason } });
	t->preparing = PREPARE_REQUEST;
	turn_enter(t, TURN_PREPARE);
}

/* Send the same request in another form; both count as one. */
static void turn_retry(struct turn *t, enum go_reason reason)
{
	t->requests--;
	turn_continue(t, reason);
}

void turn_append(struct turn *t, const char *text)
{
	turn_append_text(t->agent, &t->out, text);
}

void turn_end_cut(struct turn *t, enum end_reason interrupted)
{
	bool has_calls = t->executor.calls.n > 0;

	if (t->cut == TURN_TIMED_OUT)
		turn_append(t, "[Request interrupted: the time limit for this turn was reached]");
	else if (t->cut == TURN_INTERRUPTED)
		turn_append(t, has_calls ? MESSAGE_INTERRUPTED_TOOLS : MESSAGE_INTERRUPTED);
	turn_end(t, t->cut == TURN_TIMED_OUT ? END_TIME_EXHAUSTED : interrupted);
}

/* --- the response: emitted, recorded, appended -------------------------------- */

static void turn_emit_block(struct turn *t, const struct response_block *block, bool is_aborted)
{
	defer(str_clear) struct str message = STR_INIT;
	struct sv uuid = sv_cstr(block->uuid.text);
	struct sv request = sv_of(&t->response.request);
	struct agent *agent = t->agent;

	response_message(&message, &t->response, block);
	/* Recorded first: the record is gone when the event is written, and either may be large. */
	(void)!agent_record(agent, &(struct transcript_record){ .type = "assistant",
								.uuid = uuid,
								.request_id = request,
								.message = sv_of(&message) });
	agent_emit_as(agent,
		      &(struct event){ .kind = EVENT_ASSISTANT,
				       .message = { .json = sv_of(&message),
						    .request_id = request,
						    .is_aborted = is_aborted } },
		      uuid);
}

static void turn_on_block(struct turn *t, const struct model_event *e)
{
	struct call *call;

	turn_emit_block(t, vec_last(&t->response.blocks), false);
	if (e->block != MODEL_BLOCK_TOOL_USE)
		return;
	call = call_new(t->agent, e->json, e->text);
	call->source = vec_last(&t->response.blocks)->uuid;
	executor_add(&t->executor, call);
}

/* Take back everything this response has shown so far. */
static void turn_discard_response(struct turn *t)
{
	VEC(struct sv) uuids = VEC_INIT;

	for (size_t i = 0; i < t->response.blocks.n; i++)
		vec_push(&uuids, sv_cstr(t->response.blocks.at[i].uuid.text));
	executor_discard(&t->executor);
	if (uuids.n) {
		agent_emit(t->agent,
			   &(struct event){ .kind = EVENT_DISCARD,
					    .discard = { .uuids = uuids.at, .n = uuids.n } });
		agent_rewind(t->agent, &t->before_response);
	}
	vec_clear(&uuids);
	response_clear(&t->response);
}

/* Append the response to the history. Thinking alone is not an answer and could not be sent back. */
static void turn_append_response(struct turn *t)
{
	if (!response_has_content(&t->response))
		return;
	for (size_t i = 0; i < t->response.blocks.n; i++)
		history_add(&t->agent->history, true, sv_of(&t->response.blocks.at[i].json));
}

static void turn_count_usage(struct turn *t)
{
	struct agent *agent = t->agent;
	int64_t now = loop_now(agent->loop);
	struct api_time time = response_time(&t->response, t->requested_ms, now);
	struct usage *usage = &t->response.usage;

	t->requested_ms = now;
	usage_add(&t->out.usage, usage);
	if (t->response.first_ms >= 0)
		agent_count_usage(agent, agent_model(agent), usage, time);
	if (usage_prompt(usage) > 0) { /* no prompt is empty: a zero means that nobody counted */
		agent->measured.tokens = usage_prompt(usage) + usage->output;
		agent->measured.bytes = agent->history.bytes;
		agent->measured.usage = *usage;
	}
}

/* --- PREPARE -------------------------------------------------------------------- */

/* Whether the history is certainly too long. No text has more than six bytes a token. */
static bool turn_cannot_fit(const struct agent *agent)
{
	struct window window = agent_window(agent);
	size_t fresh = agent->history.bytes - min_of(agent->measured.bytes, agent->history.bytes);
	int64_t tokens = agent->measured.tokens + (int64_t)(fresh / 6);

	return window.block && tokens > window.block;
}

/* A conversation that cannot be saved goes on all the same; the listener reports it. */
static void turn_on_saved(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	agent_saved(t->agent, why);
	if (t->state == TURN_DONE)
		turn_settle(t);
	else if (t->cut)
		turn_end_cut(t, END_ABORTED_STREAMING);
	else
		turn_enter(t, TURN_STREAM);
}

static void turn_prepared(struct turn *t)
{
	struct model_error error = { .failure = MODEL_FAILED_PROMPT_TOO_LONG };

	if (turn_cannot_fit(t->agent)) {
		err_set(&error.err, ERR_TOO_BIG, "the conversation fills the model's window");
		turn_report_failure(t->agent, &t->out, &error);
		turn_end(t, END_BLOCKING_LIMIT);
		return;
	}
	t->requests++;
	t->step = agent_save(t->agent, false, THEN(turn_on_saved, t));
	if (!t->step)
		turn_enter(t, TURN_STREAM);
}

static void turn_recover(struct turn *t);

static void turn_on_prepared(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	if (t->cut)
		turn_end_cut(t, END_ABORTED_STREAMING);
	else if (t->preparing == PREPARE_REQUEST)
		turn_prepared(t);
	else if (why)
		turn_recover(t);
	else
		turn_retry(t, t->preparing == PREPARE_DRAIN ? GO_COLLAPSE_DRAIN_RETRY
							    : GO_REACTIVE_COMPACT_RETRY);
}

static void turn_prepare(struct turn *t);

static void turn_on_money(__attribute__((unused)) struct op *op, void *owner,
			  __attribute__((unused)) const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	t->is_money_refused = agent_has_spent_budget(t->agent);
	turn_prepare(t);
}

/* The money is spent. True: somebody is asked whether there is more. */
static bool turn_asks_for_money(struct turn *t)
{
	const struct hook_points *hooks = t->agent->hooks;

	if (t->preparing != PREPARE_REQUEST || t->is_money_refused || !hooks->spent ||
	    !agent_has_spent_budget(t->agent))
		return false;
	t->step = hooks->spent(hooks->arg, t->agent, THEN(turn_on_money, t));
	t->is_money_refused = !t->step;
	return t->step;
}

static void turn_prepare(struct turn *t)
{
	const struct hook_points *hooks = t->agent->hooks;

	if (t->cut) {
		turn_end_cut(t, END_ABORTED_STREAMING);
		return;
	}
	if (turn_asks_for_money(t))
		return;
	if (t->preparing == PREPARE_REQUEST && turn_has_spent_all(t)) {
		turn_end(t, END_BUDGET_EXHAUSTED);
		return;
	}
	if (hooks->prepare)
		t->step = hooks->prepare(hooks->arg, t->agent, t->preparing,
					 THEN(turn_on_prepared, t));
	if (t->step)
		return;
	if (t->preparing == PREPARE_REQUEST)
		turn_prepared(t);
	else
		turn_recover(t); /* nobody could omit anything */
}

/* --- STREAM --------------------------------------------------------------------- */

/* Let the fallback model `model`, a view into our list, answer instead. It cannot read what this
 * one has thought, so the request starts again. */
static void turn_switch_model(struct turn *t, struct sv model)
{
	struct agent_choice *choice = &t->agent->choice;
	size_t end = (size_t)(model.ptr - choice->fallbacks.ptr) + model.len;
	struct event event = { .kind = EVENT_FALLBACK,
			       .fallback = {
				       .from = sv_of(&choice->id),
				       .to = model,
				       .text = SV("The model is overloaded; the fallback model "
						  "answers from here on.") } };

	agent_emit(t->agent, &event);
	agent_set_model(t->agent, model);
	choice->fallback_at = end;
	t->is_switching = true;
	op_cancel(t->stream);
}

/* Give the response an id of its own. Blocks are joined by the id of their message, and some
 * servers give every response the same one. */
static void turn_name_response(struct turn *t)
{
	struct str *last = &t->agent->last_reply, *id = &t->response.id;

	if (!id->len || sv_eq(sv_of(id), sv_of(last))) {
		str_truncate(id, 0);
		str_addf(id, "msg_%s", uuid_v4(loop_rng(t->agent->loop)).text);
	}
	str_set(last, sv_of(id));
	if (t->out.ttft_ms < 0)
		t->out.ttft_ms = loop_now(t->agent->loop) - t->started_ms;
}

static void turn_on_model_event(void *owner, const struct model_event *e)
{
	struct turn *t = owner;

	if (t->cut || t->is_switching)
		return;
	if (e->kind == MODEL_DISCARD) {
		turn_count_usage(t); /* it is charged all the same */
		turn_discard_response(t);
	} else if (e->kind == MODEL_FALLBACK) {
		turn_switch_model(t, e->model);
	} else if (response_take(&t->response, e, t->agent->loop)) {
		turn_emit_thinking(t->agent, &t->response, true);
		turn_on_block(t, e);
	} else if (e->kind == MODEL_THINKING) {
		turn_emit_thinking(t->agent, &t->response, false);
	} else {
		turn_emit_model_event(t->agent, e, t->has_reported_ttft ? -1 : t->out.ttft_ms);
		t->has_reported_ttft |= e->kind == MODEL_RAW;
	}
	if (e->kind == MODEL_START)
		turn_name_response(t);
}

static void turn_fail_as(struct turn *t, enum model_failure failure, const char *text)
{
	struct model_error error = { .failure = failure };

	err_set(&error.err, ERR_UNSUPPORTED, "%s", text);
	turn_report_failure(t->agent, &t->out, &error);
	turn_end(t, END_API_ERROR);
}

static void turn_on_streamed(struct op *op, void *owner, const struct err *why);

static struct model_request turn_write_request(struct turn *t)
{
	struct agent *agent = t->agent;
	const struct agent_choice *choice = &agent->choice;

	t->system = sv_of(&agent->system);
	return (struct model_request){
		.model = sv_of(&choice->id),
		.wire = sv_of(&choice->wire),
		.fallback = model_rules_fallback(
			agent->rules, sv_skip(sv_of(&choice->fallbacks), choice->fallback_at),
			sv_of(&choice->id)),
		.system = &t->system,
		.nsystem = t->system.len ? 1 : 0,
		.tools = toolset_views(&agent->tools),
		.ntools = agent->tools.entries.n,
		.nbuiltin = agent->tools.nbuiltin,
		.messages = history_views(&agent->history),
		.nmessages = agent->history.messages.n,
		.max_tokens = t->recovery.max_tokens,
		.thinking = choice->thinking,
		.thinking_budget = choice->thinking_budget,
		.display = choice->display,
		.effort = choice->effort,
		.fast = choice->is_fast,
		.task_budget = choice->task_budget,
		.task_used = choice->task_used,
		.cache = choice->cache,
		.source = agent->parent_tool_use_id.len ? MODEL_FOR_AGENT : MODEL_FOR_MAIN,
		.raw = agent->wants_stream,
	};
}

static void turn_request(struct turn *t)
{
	struct agent *agent = t->agent;
	struct event requesting = { .kind = EVENT_STATUS,
				    .status = { .status = SV("requesting") } };
	struct model_request request;
	struct err denied = ERR_INIT;

	agent_settle_model(agent);
	if (!model_rules_stand(agent->rules, agent_model(agent), &denied)) {
		turn_fail_as(t, MODEL_FAILED_INVALID, denied.text);
		return;
	}
	toolset_load(&agent->tools, &agent->history);
	request = turn_write_request(t);
	t->before_response = agent->last_record;
	t->requested_ms = loop_now(agent->loop);
	response_clear(&t->response);
	if (agent->wants_stream)
		agent_emit(agent, &requesting);
	agent->is_requesting = true;
	t->stream = model_start(agent->client, &request, turn_on_model_event,
				THEN(turn_on_streamed, t));
}

/* --- a request that failed ------------------------------------------------------ */

static enum end_reason turn_failed_reason(enum model_failure failure)
{
	if (failure == MODEL_FAILED_PROMPT_TOO_LONG)
		return END_PROMPT_TOO_LONG;
	if (failure == MODEL_FAILED_MEDIA)
		return END_IMAGE_ERROR;
	if (failure == MODEL_FAILED_PROTOCOL || failure == MODEL_FAILED_REPLAY)
		return END_MODEL_ERROR;
	return END_API_ERROR;
}

/* Send the request again without the image or document that the service has rejected. */
static bool turn_drop_media(struct turn *t)
{
	if (t->error.failure != MODEL_FAILED_MEDIA || !history_drop_media(&t->agent->history))
		return false;
	agent_inform(t->agent, NOTICE_WARNING,
		     "The service rejected an image or a document, which is now omitted: %s",
		     t->error.err.text);
	turn_retry(t, GO_REACTIVE_COMPACT_RETRY);
	return true;
}

/* Try what is left to try. An error that can be mended is never shown. */
static void turn_recover(struct turn *t)
{
	enum recovery_step step;

	if (turn_drop_media(t))
		return;
	step = recovery_after_failure(&t->recovery, t->error.failure);
	if (step != RECOVER_NOT && t->agent->hooks->prepare) {
		t->preparing = step == RECOVER_DRAIN ? PREPARE_DRAIN : PREPARE_COMPACT;
		turn_enter(t, TURN_PREPARE);
		return;
	}
	turn_report_failure(t->agent, &t->out, &t->error);
	turn_end(t, turn_failed_reason(t->error.failure));
}

static void turn_failed(struct turn *t, const struct model_error *error)
{
	t->error = *error;
	turn_discard_response(t);
	turn_recover(t);
}

/* --- a response that is complete ------------------------------------------------ */

/* Run the calls of the response, or close if it has none. */
static void turn_accept_response(struct turn *t)
{
	turn_append_response(t);
	str_set(&t->out.stop_name, sv_of(&t->response.stop_name));
	t->is_over_budget = turn_has_spent_all(t);
	if (t->executor.calls.n) {
		if (t->is_over_budget)
			executor_cancel(&t->executor, CALL_OVER_BUDGET);
		turn_enter(t, TURN_TOOLS);
	} else if (t->is_over_budget) {
		turn_end(t, END_BUDGET_EXHAUSTED);
	} else {
		turn_enter(t, TURN_CLOSING);
	}
}

static void turn_on_output_limit(struct turn *t)
{
	struct model_info info = model_info(t->agent->table, agent_model(t->agent));
	bool has_calls = t->executor.calls.n > 0;
	enum recovery_step step = recovery_after_cut(&t->recovery, &info, has_calls);

	if (step == RECOVER_ESCALATE) {
		turn_discard_response(t);
		turn_retry(t, GO_MAX_OUTPUT_ESCALATE);
	} else if (has_calls) {
		turn_accept_response(t);
	} else if (step == RECOVER_CONTINUE) {
		turn_append_response(t);
		response_text(&t->cut_text, &t->response);
		turn_append(t,
			    "Your answer was cut off at the output limit. Continue exactly where "
			    "it stopped, without an apology or a repetition, and send the rest in "
			    "smaller pieces.");
		turn_continue(t, GO_MAX_OUTPUT_RECOVERY);
	} else {
		turn_append_response(t);
		turn_fail_as(t, MODEL_FAILED_OUTPUT_LIMIT,
			     "the answer was cut off at the output limit several times; ask for it "
			     "in smaller pieces");
	}
}

static void turn_on_refusal(struct turn *t)
{
	bool retry = !t->recovery.refused && !t->executor.calls.n;

	t->recovery.refused = true;
	if (!retry)
		turn_report_refusal(t->agent, &t->response);
	turn_discard_response(t);
	if (!retry) {
		turn_fail_as(t, MODEL_FAILED_REFUSED, "the model refuses to answer this");
		return;
	}
	agent_inform(t->agent, NOTICE_NOTICE, "The model refused to answer; trying once more.");
	turn_append(t,
		    "A safety filter stopped the last reply. If the task is legitimate, continue "
		    "with it; if not, say briefly what you cannot do and why.");
	turn_continue(t, GO_REFUSAL_CONTINUATION);
}

static void turn_on_pause(struct turn *t)
{
	if (t->executor.calls.n) {
		turn_accept_response(t);
		return;
	}
	turn_append_response(t);
	if (recovery_pause(&t->recovery))
		turn_continue(t, GO_PAUSED);
	else
		turn_fail_as(t, MODEL_FAILED_PROTOCOL,
			     "the model pauses again and again without an answer");
}

static void turn_on_response(struct turn *t)
{
	struct model_error too_long = { .failure = MODEL_FAILED_PROMPT_TOO_LONG };

	switch (t->response.stop) {
	case MODEL_STOP_MAX_TOKENS: turn_on_output_limit(t); return;
	case MODEL_STOP_REFUSAL: turn_on_refusal(t); return;
	case MODEL_STOP_PAUSE_TURN: turn_on_pause(t); return;
	case MODEL_STOP_CONTEXT_FULL:
		err_set(&too_long.err, ERR_TOO_BIG, "the conversation fills the model's window");
		turn_failed(t, &too_long);
		return;
	case MODEL_STOP_END_TURN:
	case MODEL_STOP_TOOL_USE:
	case MODEL_STOP_SEQUENCE:
	case MODEL_STOP_OTHER: turn_accept_response(t); return;
	}
}

/* Keep what the model wrote before the interrupt. */
static void turn_keep_partial(struct turn *t)
{
	if (response_keep_partial(&t->response, t->agent->loop))
		turn_emit_block(t, vec_last(&t->response.blocks), true);
	turn_emit_stream_end(t->agent, &t->response);
	turn_append_response(t);
	t->was_streaming = true;
	if (t->executor.calls.n)
		turn_enter(t, TURN_TOOLS);
	else
		turn_end_cut(t, END_ABORTED_STREAMING);
}

static void turn_on_streamed(struct op *op, void *owner, const struct err *why)
{
	struct turn *t = owner;

	t->stream = NULL;
	t->agent->is_requesting = false;
	turn_count_usage(t);
	if (t->cut) {
		turn_keep_partial(t);
	} else if (t->is_switching) {
		t->is_switching = false;
		turn_discard_response(t);
		turn_enter(t, TURN_STREAM);
	} else if (why) {
		turn_failed(t, model_error(op));
	} else {
		turn_on_response(t);
	}
}

/* --- the machine ---------------------------------------------------------------- */

static void turn_enter(struct turn *t, enum turn_state next)
{
	static const char *const names[] = { "prepare", "stream", "tools", "closing", "done" };

	log_state("turn", names[t->state], names[next]);
	t->state = next;
	switch (next) {
	case TURN_PREPARE: turn_prepare(t); break;
	case TURN_STREAM: turn_request(t); break;
	case TURN_TOOLS:
		executor_complete(&t->executor);
		turn_settle(t);
		break;
	case TURN_CLOSING: turn_close(t); break;
	case TURN_DONE:
		op_cancel(t->deadline);
		turn_settle(t);
		break;
	}
}

/* Finish once everything is on disk. */
static void turn_finish(struct turn *t)
{
	if (!t->is_saved) {
		t->is_saved = true;
		t->step = agent_save(t->agent, true, THEN(turn_on_saved, t));
	}
	if (t->step)
		return;
	t->out.duration_ms = loop_now(t->agent->loop) - t->started_ms;
	op_finish(&t->op, NULL);
}

/* Emit the results of calls that are over, unless their response still streams and could be
 * discarded; those of an interrupted turn together. Then move on once nothing is in flight that
 * the state waits for. */
static void turn_settle(struct turn *t)
{
	bool is_settled = executor_is_settled(&t->executor);

	if (t->state == TURN_TOOLS && (!t->cut || is_settled))
		turn_emit_results(t->agent, &t->executor);
	if (t->state == TURN_TOOLS && !t->stream && !t->step && is_settled)
		turn_finish_calls(t);
	else if (t->state == TURN_DONE && !t->stream && !t->step && !t->deadline &&
		 executor_is_quiet(&t->executor) && !t->op.finished)
		turn_finish(t);
}

static void turn_on_call_over(void *arg)
{
	turn_settle(arg);
}

/* Cut the turn short. The first reason counts. */
static void turn_stop(struct turn *t, enum turn_cut why)
{
	if (t->state == TURN_DONE)
		return;
	t->cut = t->cut ? t->cut : why;
	op_cancel(t->stream);
	op_cancel(t->step);
	executor_cancel(&t->executor, CALL_INTERRUPTED);
	turn_settle(t);
}

static void turn_on_deadline(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct turn *t = owner;

	t->deadline = NULL;
	if (!why)
		turn_stop(t, TURN_TIMED_OUT);
	turn_settle(t);
}

static void turn_cancel(struct op *op)
{
	turn_stop(container_of(op, struct turn, op), TURN_INTERRUPTED);
}

static void turn_denial_clear(struct turn_denial *denial)
{
	str_clear(&denial->tool);
	str_clear(&denial->id);
	str_clear(&denial->input);
}

static void turn_free(struct op *op)
{
	struct turn *t = container_of(op, struct turn, op);

	executor_clear(&t->executor);
	response_clear(&t->response);
	str_clear(&t->batch.context);
	str_clear(&t->stop.feedback);
	str_clear(&t->out.text);
	str_clear(&t->cut_text);
	str_clear(&t->out.stop_name);
	for (size_t i = 0; i < t->out.denials.n; i++)
		turn_denial_clear(&t->out.denials.at[i]);
	vec_clear(&t->out.denials);
	turn_denial_clear(&t->out.deferred);
	free(t);
}

static const struct op_type turn_type = {
	.name = "turn",
	.cancel = turn_cancel,
	.free = turn_free,
};

/* Run the calls again with which the turn before has ended. */
static bool turn_run_deferred(struct turn *t)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct agent_answer *answer = &t->agent->answer;
	struct sv *blocks;
	size_t n = deferred_find(&t->agent->history, sv_of(&answer->id), &blocks, &arena);

	t->is_rerun = n > 0;
	for (size_t i = 0; i < n; i++) {
		struct call *call = call_new(t->agent, blocks[i], SV_EMPTY);

		if (answer->id.len && sv_eq(sv_of(&call->id), sv_of(&answer->id)))
			call_allow(call, sv_of(&answer->input));
		executor_add(&t->executor, call);
	}
	str_truncate(&answer->id, 0);
	if (!n)
		return false;
	turn_enter(t, TURN_TOOLS);
	return true;
}

struct op *turn_start(struct agent *agent, struct then then)
{
	struct turn *t = xnew(struct turn);

	op_init(&t->op, &turn_type, agent->loop, then);
	t->agent = agent;
	t->response = (struct response)RESPONSE_INIT;
	t->out.num_turns = 1;
	t->out.ttft_ms = -1;
	t->started_ms = loop_now(agent->loop);
	executor_init(&t->executor, agent, turn_on_call_over, t);
	structured_reset(agent->structured);
	agent->repeats = (struct repeats){ .n = 0 }; /* the user may ask for the same again */
	if (agent->limits.max_ms)
		t->deadline =
			timer_start(agent->loop, agent->limits.max_ms, THEN(turn_on_deadline, t));
	if (!turn_run_deferred(t))
		turn_enter(t, TURN_PREPARE);
	return &t->op;
}

size_t turn_detach(struct op *op, struct sv tool_use_id)
{
	return executor_detach(&container_of(op, struct turn, op)->executor, tool_use_id);
}

void turn_supersede(struct op *op)
{
	if (!op)
		return;
	turn_stop(container_of(op, struct turn, op), TURN_SUPERSEDED);
	op_cancel(op);
}

const struct turn_outcome *turn_outcome(const struct op *op)
{
	return &container_of(op, struct turn, op)->out;
}
