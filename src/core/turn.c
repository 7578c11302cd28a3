#include "core/turn.h"

#include "core/answer.h"
#include "core/recovery.h"
#include "core/turn_say.h"
#include "proto/message.h"
#include "sys/timer.h"

enum turn_state { TURN_PREPARE, TURN_STREAM, TURN_TOOLS, TURN_CLOSING, TURN_DONE };

struct turn {
	struct op op;
	struct agent *agent;
	enum turn_state state;
	struct op *stream;   /* the request */
	struct op *step;     /* a stop hook, or what makes the history shorter */
	struct op *deadline; /* of the whole turn */
	struct executor executor;
	struct answer answer;
	struct uuid before_answer; /* the record before its first */
	struct recovery recovery;
	struct before_stop stop;
	struct turn_outcome out;
	struct sv system; /* of the request */
	int requests;
	int64_t started_ms, asked_ms;
	struct model_error error; /* of the last request */
	enum shrink shrinking;
	bool interrupted, timed_out; /* stopped from outside */
	bool was_streaming;          /* ... while an answer came in */
	bool is_switching;           /* to the fallback model */
	bool is_over_budget;
};

static void turn_prepare(struct turn *t);
static void turn_ask(struct turn *t);
static void turn_settle(struct turn *t);

/* --- small things ------------------------------------------------------------- */

static void turn_end(struct turn *t, enum end_reason reason)
{
	t->out.reason = reason;
	t->state = TURN_DONE;
	op_cancel(t->deadline);
	turn_settle(t);
}

static bool is_over_budget(const struct turn *t)
{
	const struct agent_limits *limits = &t->agent->limits;
	int64_t tokens = usage_prompt(&t->out.usage) + t->out.usage.output;

	return (limits->max_budget_usd > 0 &&
		costs_usd(t->agent->costs) >= limits->max_budget_usd) ||
	       (limits->max_tokens > 0 && tokens >= limits->max_tokens);
}

/* On to the next request, if there may be one. */
static void turn_go_on(struct turn *t, enum go_reason reason)
{
	int max = t->agent->limits.max_turns;

	if (max && t->requests >= max) {
		turn_end(t, END_MAX_TURNS);
		return;
	}
	if (is_over_budget(t)) {
		turn_end(t, END_BUDGET_EXHAUSTED);
		return;
	}
	agent_tell(t->agent,
		   &(struct event){ .kind = EVENT_TRANSITION, .transition = { .reason = reason } });
	turn_prepare(t);
}

/* The same request in another form: it counts once. */
static void turn_ask_again(struct turn *t, enum go_reason reason)
{
	t->requests--;
	turn_go_on(t, reason);
}

static void turn_set_text(struct str *out, struct sv text)
{
	str_set(out, text);
}

static void turn_append(struct turn *t, const char *text)
{
	turn_hear(t->agent, &t->out, text);
}

static bool turn_is_stopped(const struct turn *t)
{
	return t->interrupted || t->timed_out;
}

static enum end_reason turn_stopped_reason(const struct turn *t, enum end_reason interrupted)
{
	return t->timed_out ? END_TIME_EXHAUSTED : interrupted;
}

/* --- the answer: told, recorded, remembered --------------------------------- */

static void turn_keep_block(struct turn *t, const struct answer_block *block, bool is_aborted)
{
	defer(str_clear) struct str message = STR_INIT;
	struct sv uuid = sv_cstr(block->uuid.text);
	struct agent *agent = t->agent;

	answer_message(&message, &t->answer, block);
	agent_tell_as(
		agent,
		&(struct event){ .kind = EVENT_ASSISTANT,
				 .message = { .json = sv_of(&message), .is_aborted = is_aborted } },
		uuid);
	(void)!agent_record(agent, &(struct transcript_record){ .type = "assistant",
								.uuid = uuid,
								.message = sv_of(&message) });
}

static void turn_on_block(struct turn *t, const struct model_event *e)
{
	turn_keep_block(t, vec_last(&t->answer.blocks), false);
	if (e->block == MODEL_BLOCK_TOOL_USE)
		executor_add(&t->executor, call_new(t->agent, e->json, e->text));
}

/* What this reply has shown so far is void. */
static void turn_discard_answer(struct turn *t)
{
	VEC(struct sv) uuids = VEC_INIT;

	for (size_t i = 0; i < t->answer.blocks.n; i++)
		vec_push(&uuids, sv_cstr(t->answer.blocks.at[i].uuid.text));
	executor_discard(&t->executor);
	if (uuids.n) {
		agent_tell(t->agent,
			   &(struct event){ .kind = EVENT_DISCARD,
					    .discard = { .uuids = uuids.at, .n = uuids.n } });
		agent_rewind(t->agent, &t->before_answer);
	}
	vec_clear(&uuids);
	answer_clear(&t->answer);
}

/* Only thinking is no answer, and could not be sent back. */
static bool has_said_something(const struct answer *a)
{
	for (size_t i = 0; i < a->blocks.n; i++) {
		if (a->blocks.at[i].kind != MODEL_BLOCK_THINKING &&
		    a->blocks.at[i].kind != MODEL_BLOCK_REDACTED_THINKING)
			return true;
	}
	return false;
}

static void turn_remember_answer(struct turn *t)
{
	for (size_t i = 0; has_said_something(&t->answer) && i < t->answer.blocks.n; i++)
		history_add(&t->agent->history, true, sv_of(&t->answer.blocks.at[i].json));
}

static void turn_count_usage(struct turn *t)
{
	struct agent *agent = t->agent;
	int64_t now = loop_now(agent->loop), api_ms = now - t->asked_ms;
	struct usage *usage = &t->answer.usage;

	t->asked_ms = now;

	usage_add(&t->out.usage, usage);
	if (agent->listener.used && t->answer.first_ms >= 0)
		agent->listener.used(agent->listener.arg, sv_of(&agent->model), usage, api_ms);
	if (usage->known) {
		agent->context_tokens = usage_prompt(usage) + usage->output;
		agent->context_bytes = agent->history.bytes;
	}
}

/* --- STREAM -------------------------------------------------------------------- */

/* The other model, which is one of our list, cannot read what this one has thought: it is asked
 * anew. */
static void turn_switch_model(struct turn *t, struct sv model)
{
	size_t end = (size_t)(model.ptr - t->agent->fallbacks.ptr) + model.len;
	struct event event = { .kind = EVENT_FALLBACK,
			       .fallback = {
				       .from = sv_of(&t->agent->model),
				       .to = model,
				       .text = SV("The model is overloaded; another one answers "
						  "from here on.") } };

	agent_tell(t->agent, &event);
	agent_set_model(t->agent, model);
	t->agent->fallback_at = end;
	t->is_switching = true;
	op_cancel(t->stream);
}

/* Blocks are put together by the id of their message, and some servers give every
 * answer the same one. */
static void turn_name_answer(struct turn *t)
{
	struct str *last = &t->agent->last_answer, *id = &t->answer.id;

	if (!id->len || sv_eq(sv_of(id), sv_of(last))) {
		str_truncate(id, 0);
		str_addf(id, "msg_%s", uuid_v4(loop_rng(t->agent->loop)).text);
	}
	turn_set_text(last, sv_of(id));
	if (t->out.ttft_ms < 0)
		t->out.ttft_ms = loop_now(t->agent->loop) - t->started_ms;
}

static void turn_on_model_event(void *owner, const struct model_event *e)
{
	struct turn *t = owner;

	if (turn_is_stopped(t) || t->is_switching)
		return;
	if (e->kind == MODEL_DISCARD) {
		turn_count_usage(t); /* it is charged all the same */
		turn_discard_answer(t);
	} else if (e->kind == MODEL_FALLBACK) {
		turn_switch_model(t, e->model);
	} else if (answer_take(&t->answer, e, t->agent->loop)) {
		turn_on_block(t, e);
	} else {
		turn_tell_model(t->agent, e);
	}
	if (e->kind == MODEL_START)
		turn_name_answer(t);
}

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

static void turn_on_shrunk(struct op *op, void *owner, const struct err *why);

/* Tries what is left to try; an error that can be mended is never shown. */
static void turn_recover(struct turn *t)
{
	struct seams *seams = &t->agent->seams;
	enum recovery_step step = recovery_after_failure(&t->recovery, t->error.failure);

	if (step != RECOVER_NOT && seams->shrink) {
		t->shrinking = step == RECOVER_DRAIN ? SHRINK_DRAIN : SHRINK_COMPACT;
		t->step =
			seams->shrink(seams->arg, t->agent, t->shrinking, THEN(turn_on_shrunk, t));
		return;
	}
	if (t->error.failure == MODEL_FAILED_MEDIA && history_drop_media(&t->agent->history)) {
		agent_inform(t->agent, "warning",
			     "The service refused an image or a document: %s. It is left out.",
			     t->error.err.text);
		turn_ask_again(t, GO_REACTIVE_COMPACT_RETRY);
		return;
	}
	turn_say_failed(t->agent, &t->out, &t->error);
	turn_end(t, turn_failed_reason(t->error.failure));
}

static void turn_on_shrunk(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	if (turn_is_stopped(t))
		turn_end(t, turn_stopped_reason(t, END_ABORTED_STREAMING));
	else if (why)
		turn_recover(t);
	else
		turn_ask_again(t, t->shrinking == SHRINK_DRAIN ? GO_COLLAPSE_DRAIN_RETRY
							       : GO_REACTIVE_COMPACT_RETRY);
}

static void turn_failed(struct turn *t, const struct model_error *error)
{
	t->error = *error;
	turn_discard_answer(t);
	turn_recover(t);
}

/* --- an answer that has ended ---------------------------------------------------- */

static void turn_run_tools(struct turn *t)
{
	turn_remember_answer(t);
	turn_set_text(&t->out.stop_name, sv_of(&t->answer.stop_name));
	t->is_over_budget = is_over_budget(t);
	if (t->is_over_budget)
		executor_cancel(&t->executor, CALL_OVER_BUDGET);
	t->state = TURN_TOOLS;
	turn_settle(t);
}

static void turn_fail_as(struct turn *t, enum model_failure failure, const char *text)
{
	struct model_error error = { .failure = failure };

	err_set(&error.err, ERR_UNSUPPORTED, "%s", text);
	turn_say_failed(t->agent, &t->out, &error);
	turn_end(t, END_API_ERROR);
}

static void turn_cut_off(struct turn *t)
{
	struct model_info info = model_info(t->agent->table, sv_of(&t->agent->model));
	bool has_calls = t->executor.calls.n > 0;
	enum recovery_step step = recovery_after_cut(&t->recovery, &info, has_calls);

	if (step == RECOVER_ESCALATE) {
		turn_discard_answer(t);
		turn_ask_again(t, GO_MAX_OUTPUT_ESCALATE);
	} else if (has_calls) {
		turn_run_tools(t);
	} else if (step == RECOVER_CONTINUE) {
		turn_remember_answer(t);
		turn_append(t,
			    "Your answer was cut off at the output limit. Go on exactly where it "
			    "stopped: no apology, no repetition, and the rest in smaller pieces.");
		turn_go_on(t, GO_MAX_OUTPUT_RECOVERY);
	} else {
		turn_remember_answer(t);
		turn_fail_as(
			t, MODEL_FAILED_OUTPUT_LIMIT,
			"the answer was cut off at the output limit again and again; ask for it in "
			"smaller pieces");
	}
}

static void turn_refused(struct turn *t)
{
	bool again = !t->recovery.refused && !t->executor.calls.n;

	t->recovery.refused = true;
	turn_discard_answer(t);
	if (!again) {
		turn_fail_as(t, MODEL_FAILED_REFUSED, "the model refuses to answer this");
		return;
	}
	agent_inform(t->agent, "notice", "The model refused to answer; it is asked once more.");
	turn_append(
		t,
		"The last reply was stopped by a safety filter. If the task is legitimate, go on "
		"with it; if not, say briefly what you cannot do and why.");
	turn_go_on(t, GO_REFUSAL_CONTINUATION);
}

static void turn_answered(struct turn *t)
{
	struct model_error too_long = { .failure = MODEL_FAILED_PROMPT_TOO_LONG };

	switch (t->answer.stop) {
	case MODEL_STOP_MAX_TOKENS: turn_cut_off(t); return;
	case MODEL_STOP_REFUSAL: turn_refused(t); return;
	case MODEL_STOP_CONTEXT_FULL:
		err_set(&too_long.err, ERR_TOO_BIG, "the conversation fills the model's window");
		turn_failed(t, &too_long);
		return;
	case MODEL_STOP_PAUSE_TURN:
		if (t->executor.calls.n) {
			turn_run_tools(t);
			return;
		}
		turn_remember_answer(t);
		if (recovery_pause(&t->recovery))
			turn_go_on(t, GO_PAUSED);
		else
			turn_fail_as(t, MODEL_FAILED_PROTOCOL,
				     "the model pauses again and again without an answer");
		return;
	case MODEL_STOP_END_TURN:
	case MODEL_STOP_TOOL_USE:
	case MODEL_STOP_SEQUENCE:
	case MODEL_STOP_OTHER: turn_run_tools(t); return;
	}
}

/* What was said before the interrupt stays. */
static void turn_stopped_streaming(struct turn *t)
{
	if (answer_keep_partial(&t->answer, t->agent->loop))
		turn_keep_block(t, vec_last(&t->answer.blocks), true);
	turn_remember_answer(t);
	t->was_streaming = true;
	t->state = TURN_TOOLS;
	turn_settle(t);
}

static void turn_on_streamed(struct op *op, void *owner, const struct err *why)
{
	struct turn *t = owner;

	t->stream = NULL;
	t->agent->is_asking = false;
	turn_count_usage(t);
	if (turn_is_stopped(t)) {
		turn_stopped_streaming(t);
	} else if (t->is_switching) {
		t->is_switching = false;
		turn_discard_answer(t);
		turn_ask(t);
	} else if (why) {
		turn_failed(t, model_error(op));
	} else {
		turn_answered(t);
	}
}

/* --- PREPARE ---------------------------------------------------------------------- */

/* What certainly is too much: texts that tokenise best have six bytes a token. */
static bool turn_cannot_fit(const struct agent *agent)
{
	struct model_info info = model_info(agent->table, sv_of(&agent->model));
	size_t fresh = agent->history.bytes - min_of(agent->context_bytes, agent->history.bytes);
	int64_t tokens = agent->context_tokens + (int64_t)(fresh / 6);

	if (agent->max_context)
		return tokens > agent->max_context;
	return info.known && tokens > info.context;
}

static void turn_ask(struct turn *t)
{
	struct agent *agent = t->agent;
	struct event requesting = { .kind = EVENT_STATUS };
	struct model_request request;
	struct err barred = ERR_INIT;

	requesting.status.status = SV("requesting");
	agent_settle_model(agent);
	if (!model_rules_stand(agent->rules, sv_of(&agent->model), &barred)) {
		turn_fail_as(t, MODEL_FAILED_INVALID, barred.text);
		return;
	}
	toolset_load(&agent->tools, &agent->history);
	t->system = sv_of(&agent->system);
	request = (struct model_request){
		.model = sv_of(&agent->model),
		.wire = sv_of(&agent->wire),
		.fallback = model_rules_fallback(
			agent->rules, sv_skip(sv_of(&agent->fallbacks), agent->fallback_at),
			sv_of(&agent->model)),
		.system = &t->system,
		.nsystem = t->system.len ? 1 : 0,
		.tools = toolset_views(&agent->tools),
		.ntools = agent->tools.entries.n,
		.nbuiltin = agent->tools.nbuiltin,
		.messages = history_views(&agent->history),
		.nmessages = agent->history.messages.n,
		.max_tokens = t->recovery.max_tokens,
		.thinking = agent->thinking,
		.thinking_budget = agent->thinking_budget,
		.effort = agent->effort,
		.cache = agent->cache,
		.user_id = sv_of(&agent->user_id),
		.source = agent->source,
		.raw = agent->wants_stream,
	};
	t->state = TURN_STREAM;
	t->before_answer = agent->last_record;
	t->asked_ms = loop_now(agent->loop);
	answer_clear(&t->answer);
	if (agent->wants_stream)
		agent_tell(agent, &requesting);
	agent->is_asking = true;
	t->stream = model_start(agent->client, &request, turn_on_model_event,
				THEN(turn_on_streamed, t));
}

static void turn_prepare(struct turn *t)
{
	struct model_error error = { .failure = MODEL_FAILED_PROMPT_TOO_LONG };

	t->state = TURN_PREPARE;
	if (turn_is_stopped(t)) {
		turn_end(t, turn_stopped_reason(t, END_ABORTED_STREAMING));
	} else if (is_over_budget(t)) {
		turn_end(t, END_BUDGET_EXHAUSTED);
	} else if (turn_cannot_fit(t->agent)) {
		err_set(&error.err, ERR_TOO_BIG,
			"the conversation is longer than the model's window; start a new session");
		turn_say_failed(t->agent, &t->out, &error);
		turn_end(t, END_BLOCKING_LIMIT);
	} else {
		t->requests++;
		turn_ask(t);
	}
}

/* --- TOOLS ------------------------------------------------------------------------- */

static void turn_note_repetition(struct turn *t)
{
	if (!repeats_step(&t->agent->repeats))
		return;
	agent_inform(t->agent, "warning",
		     "The same call has given the same result %d times in a row.",
		     t->agent->repeats.n);
	turn_append(
		t, "You have made this very call several times in a row and got the same result. "
		   "Doing it again will not help: change the approach, or say what is in the way.");
}

static void turn_closing(struct turn *t);

static void turn_mark_interrupt(struct turn *t)
{
	bool tools = t->executor.calls.n > 0;

	if (t->agent->is_superseded)
		return; /* another prompt has taken its place */
	if (t->timed_out)
		turn_append(t, "[Request interrupted: the time for this turn is used up]");
	else
		turn_append(t, tools ? MESSAGE_INTERRUPTED_TOOLS : MESSAGE_INTERRUPTED);
}

/* What the results lead to; the calls are still there to be looked at. */
static void turn_after_tools(struct turn *t)
{
	struct agent *agent = t->agent;
	struct executor *ex = &t->executor;
	struct structured *structured = agent->structured;

	if (turn_is_stopped(t)) {
		turn_mark_interrupt(t);
		turn_end(t, turn_stopped_reason(t, t->was_streaming ? END_ABORTED_STREAMING
								    : END_ABORTED_TOOLS));
	} else if (t->is_over_budget) {
		turn_end(t, END_BUDGET_EXHAUSTED);
	} else if (turn_is_stopped_by_user(ex)) {
		turn_append(t, MESSAGE_INTERRUPTED_TOOLS);
		turn_end(t, END_ABORTED_TOOLS);
	} else if (turn_is_stopped_by_hook(ex)) {
		turn_end(t, END_HOOK_STOPPED);
	} else if (structured && structured->value.len) {
		turn_set_text(&t->out.text, sv_of(&structured->value));
		turn_end(t, END_COMPLETED);
	} else if (structured && structured->failures >= STRUCTURED_TRIES) {
		turn_end(t, END_STRUCTURED_OUTPUT_RETRIES);
	} else if (!ex->calls.n) {
		turn_closing(t);
	} else {
		turn_note_repetition(t);
		executor_reset(ex);
		t->out.num_turns += (int64_t)agent->listener.take_waiting(agent->listener.arg);
		turn_go_on(t, GO_NEXT_TURN);
	}
}

/* --- CLOSING ---------------------------------------------------------------------- */

static int64_t turn_spent_tokens(const struct turn *t)
{
	return t->out.usage.output;
}

static void turn_close_or_go_on(struct turn *t)
{
	struct agent *agent = t->agent;
	struct structured *structured = agent->structured;

	if (structured && !structured->reminded) {
		structured->reminded = true;
		turn_append(t, "Hand in the final answer with the StructuredOutput tool.");
		turn_go_on(t, GO_STRUCTURED_OUTPUT_REMINDER);
	} else if (recovery_nudge(&t->recovery, turn_spent_tokens(t), agent->limits.token_budget)) {
		turn_append(t,
			    "There is budget left: go on with the work, and deepen what is thin.");
		turn_go_on(t, GO_TOKEN_BUDGET_CONTINUATION);
	} else {
		turn_end(t, END_COMPLETED);
	}
}

static void turn_on_stop_hook(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	if (turn_is_stopped(t)) {
		turn_end(t, turn_stopped_reason(t, END_ABORTED_STREAMING));
	} else if (t->stop.prevent) {
		turn_end(t, END_STOP_HOOK_PREVENTED);
	} else if (t->stop.feedback.len) {
		turn_append(t, t->stop.feedback.ptr);
		str_truncate(&t->stop.feedback, 0);
		turn_go_on(t, GO_STOP_HOOK_BLOCKING);
	} else {
		turn_close_or_go_on(t);
	}
}

static void turn_closing(struct turn *t)
{
	struct seams *seams = &t->agent->seams;

	t->state = TURN_CLOSING;
	str_truncate(&t->out.text, 0);
	answer_text(&t->out.text, &t->answer);
	if (seams->stop)
		t->step = seams->stop(seams->arg, t->agent, &t->stop, THEN(turn_on_stop_hook, t));
	else
		turn_close_or_go_on(t);
}

/* --- the op ----------------------------------------------------------------------- */

/* Goes on when nothing is in flight any more that has to be waited for. */
static void turn_settle(struct turn *t)
{
	if (t->state == TURN_TOOLS && !t->stream && executor_is_settled(&t->executor)) {
		turn_hear_results(t->agent, &t->out, &t->executor);
		turn_after_tools(t);
	} else if (t->state == TURN_DONE && !t->stream && !t->step && !t->deadline &&
		   executor_is_quiet(&t->executor) && !t->op.finished) {
		t->out.duration_ms = loop_now(t->agent->loop) - t->started_ms;
		op_finish(&t->op, NULL);
	}
}

static void turn_on_call_over(void *arg)
{
	turn_settle(arg);
}

static void turn_stop(struct turn *t)
{
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
	if (!why && t->state != TURN_DONE) {
		t->timed_out = true;
		turn_stop(t);
	}
	turn_settle(t);
}

static void turn_cancel(struct op *op)
{
	struct turn *t = container_of(op, struct turn, op);

	if (t->state == TURN_DONE)
		return;
	t->interrupted = true;
	turn_stop(t);
}

static void turn_free(struct op *op)
{
	struct turn *t = container_of(op, struct turn, op);

	executor_clear(&t->executor);
	answer_clear(&t->answer);
	str_clear(&t->stop.feedback);
	str_clear(&t->out.text);
	str_clear(&t->out.stop_name);
	for (size_t i = 0; i < t->out.denials.n; i++) {
		str_clear(&t->out.denials.at[i].tool);
		str_clear(&t->out.denials.at[i].id);
		str_clear(&t->out.denials.at[i].input);
	}
	vec_clear(&t->out.denials);
	free(t);
}

static const struct op_type turn_type = {
	.name = "turn",
	.cancel = turn_cancel,
	.free = turn_free,
};

struct op *turn_start(struct agent *agent, struct then then)
{
	struct turn *t = xnew(struct turn);

	op_init(&t->op, &turn_type, agent->loop, then);
	t->agent = agent;
	t->answer = (struct answer)ANSWER_INIT;
	t->out.num_turns = 1;
	t->out.ttft_ms = -1;
	t->started_ms = loop_now(agent->loop);
	executor_init(&t->executor, agent, turn_on_call_over, t);
	structured_reset(agent->structured);
	agent->repeats = (struct repeats){ .n = 0 }; /* asking again is the user's business */
	if (agent->limits.max_ms)
		t->deadline =
			timer_start(agent->loop, agent->limits.max_ms, THEN(turn_on_deadline, t));
	turn_prepare(t);
	return &t->op;
}

const struct turn_outcome *turn_outcome(const struct op *op)
{
	return &container_of(op, struct turn, op)->out;
}
