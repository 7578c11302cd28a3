/* How a turn moves on when the calls of a response are over, and when the model is done (turn.c has
 * the states). */
#include "base/limits.h"
#include "core/agent/turn_internal.h"
#include "core/agent/turn_output.h"
#include "proto/message.h"

/* --- TOOLS ---------------------------------------------------------------------- */

static void turn_note_repetition(struct turn *t)
{
	if (!repeats_step(&t->agent->repeats))
		return;
	agent_inform(t->agent, NOTICE_WARNING,
		     "The same call has returned the same result %d times in a row.",
		     t->agent->repeats.n);
	turn_append(t, "You have made this very call several times in a row and got the same "
		       "result. Another try will not help: change the approach, or say what is in "
		       "the way.");
}

/* End with a call that a hook wants somebody else to run later. */
static void turn_defer(struct turn *t, const struct call *call)
{
	struct turn_denial *deferred = &t->out.deferred;

	str_set(&deferred->tool, sv_of(&call->name));
	str_set(&deferred->id, sv_of(&call->id));
	str_set(&deferred->input, sv_of(&call->input));
	str_set(&t->out.stop_name, sv_cstr(end_reason_name(END_TOOL_DEFERRED)));
	turn_end(t, END_TOOL_DEFERRED);
}

/* Decide what the results lead to. The calls are still there to look at. */
static void turn_on_results(struct turn *t)
{
	struct executor *ex = &t->executor;
	struct structured *structured = t->agent->structured;

	if (t->cut) {
		turn_end_cut(t, t->was_streaming ? END_ABORTED_STREAMING : END_ABORTED_TOOLS);
	} else if (t->is_over_budget) {
		turn_end(t, END_BUDGET_EXHAUSTED);
	} else if (turn_is_stopped_by_user(ex)) {
		turn_append(t, MESSAGE_INTERRUPTED_TOOLS);
		turn_end(t, END_ABORTED_TOOLS);
	} else if (turn_deferred_call(ex)) {
		turn_defer(t, turn_deferred_call(ex));
	} else if (turn_is_stopped_by_hook(ex) || t->batch.stop) {
		turn_end(t, END_HOOK_STOPPED);
	} else if (structured && structured->value.len) {
		str_set(&t->out.text, sv_of(&structured->value));
		turn_end(t, END_COMPLETED);
	} else if (structured && structured->failures >= STRUCTURED_TRIES) {
		turn_end(t, END_STRUCTURED_OUTPUT_RETRIES);
	} else {
		turn_note_repetition(t);
		executor_reset(ex);
		t->out.num_turns += (int64_t)agent_append_pending(t->agent);
		turn_continue(t, GO_NEXT_TURN);
	}
}

static void turn_on_batch_hook(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	turn_append_context(t->agent, &t->batch.context);
	str_truncate(&t->batch.context, 0);
	turn_on_results(t);
}

void turn_finish_calls(struct turn *t)
{
	const struct hook_points *hooks = t->agent->hooks;

	for (size_t i = 0; t->is_rerun && i < t->executor.calls.n; i++)
		turn_append_rerun(t->agent, &t->out, t->executor.calls.at[i]);
	if (!t->is_rerun)
		turn_append_results(t->agent, &t->out, &t->executor);
	t->is_rerun = false;
	if (hooks->batch && !t->cut && !t->is_over_budget)
		t->step = hooks->batch(hooks->arg, &t->executor, &t->batch,
				       THEN(turn_on_batch_hook, t));
	if (!t->step)
		turn_on_batch_hook(NULL, t, NULL);
}

/* --- CLOSING -------------------------------------------------------------------- */

/* End, unless the answer or the token budget is still owed. A model that is reminded of the tool for
 * the answer and does not use it has answered in words. */
static void turn_complete(struct turn *t)
{
	struct agent *agent = t->agent;
	struct structured *structured = agent->structured;
	int64_t target = agent->token_target ? agent->token_target : agent->limits.token_budget;

	if (structured && !structured->is_reminded) {
		structured->is_reminded = true;
		turn_append(t, "Hand in the final answer with the StructuredOutput tool.");
		turn_continue(t, GO_STRUCTURED_OUTPUT_REMINDER);
	} else if (recovery_nudge(&t->recovery, t->out.usage.output, target)) {
		turn_append(t, "There is budget left: continue the work, and improve the parts "
			       "that are weak.");
		turn_continue(t, GO_TOKEN_BUDGET_CONTINUATION);
	} else {
		turn_end(t, END_COMPLETED);
	}
}

/* Whether the stop hooks want the turn to continue, unless they have wanted that too often. */
static bool turn_is_sent_on(struct turn *t)
{
	if (!t->stop.feedback.len)
		return false;
	if (t->stop.is_for_goal || t->stops_blocked++ < LIMIT_STOP_BLOCKS)
		return true;
	agent_inform(t->agent, NOTICE_WARNING,
		     "A Stop hook has continued the turn %d times in a row, so the turn ends now.",
		     LIMIT_STOP_BLOCKS);
	return false;
}

static void turn_on_stop_hook(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct turn *t = owner;

	t->step = NULL;
	if (t->cut) {
		turn_end(t, t->cut == TURN_TIMED_OUT ? END_TIME_EXHAUSTED : END_ABORTED_STREAMING);
	} else if (t->stop.prevent) {
		turn_end(t, END_STOP_HOOK_PREVENTED);
	} else if (turn_is_sent_on(t)) {
		turn_append(t, t->stop.feedback.ptr);
		str_truncate(&t->stop.feedback, 0);
		turn_continue(t, GO_STOP_HOOK_BLOCKING);
	} else {
		turn_complete(t);
	}
}

void turn_close(struct turn *t)
{
	const struct hook_points *hooks = t->agent->hooks;

	str_set(&t->out.text, sv_of(&t->cut_text));
	response_text(&t->out.text, &t->response);
	response_drop_blocks(&t->response);
	t->stop.is_again = t->stops_blocked > 0 || t->stop.is_for_goal;
	t->stop.text = sv_of(&t->out.text);
	if (hooks->stop)
		t->step = hooks->stop(hooks->arg, t->agent, &t->stop, THEN(turn_on_stop_hook, t));
	if (!t->step)
		turn_complete(t);
}
