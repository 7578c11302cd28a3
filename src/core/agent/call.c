/* One tool use, from the finished tool_use block to its result. Each state may end the call with
 * an error that the model can act on; whatever happens, there is exactly one result.
 *
 *   QUEUED     waits for its turn in the executor
 *   PRE_HOOK   the input is valid; a hook may change it, decide, or stop the turn
 *   DECIDING   rules, hook and mode say allow, ask or deny; in mode auto a small model may
 *   ASKING     a question to the user is open
 *   SAVING     allowed; somebody saves what the call is about to change, or refuses a task
 *   RUNNING    the tool works
 *   POST_HOOK  a hook may change the result
 *   DONE       the result is final
 *
 * call_enter() is the only place where the state changes. States are left out when nobody takes
 * part in them.
 *
 * Permission is decided on a perm_request: what the call would touch, with every link resolved.
 * Time passes while the user or a model thinks about it, so before the tool runs the request is
 * computed again. If it leads elsewhere, the call fails; if a rule has come to deny it, the rule wins. The
 * answer is for the question that was asked, never for what the path means later. An input that
 * the user or a hook has rewritten passes the schema and the rules like any other.
 *
 * Cancelling sets `cancel` and cancels the step in flight; the `done` of that step finds it and
 * ends the call. A call that is still queued ends at once. */
#include "base/log.h"
#include "base/utf8.h"
#include "core/agent/call_internal.h"
#include "text/json/json_span.h"
#include "tool/coerce.h"
#include "tool/result_cap.h"

/* --- init and free -------------------------------------------------------- */

static void call_take_string(struct str *out, struct sv block, const char *key)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	doc = json_parse(block, 0, &err);
	str_add(out, json_str_or(json_get(json_root(doc), key), SV_EMPTY));
}

static void call_take_input(struct str *out, struct sv block)
{
	struct json_span span;
	struct err err = ERR_INIT;

	if (json_span_find(block, JSON_STEPS(SV("input")), &span, &err))
		str_add(out, json_span_sv(block, span));
	else
		str_adds(out, "{}");
}

static bool call_read_input(struct call *call)
{
	struct err err = ERR_INIT;

	json_doc_free(call->doc);
	call->doc = json_parse(sv_of(&call->input), 0, &err);
	call->run.input = json_root(call->doc);
	return json_is(call->run.input, JSON_OBJECT);
}

static bool call_fits(struct call *call, struct str *report)
{
	return toolset_check(call->entry, call->run.input, report);
}

/* Check the input, mending small slips of the model ("42" for 42) first. */
static bool call_fits_when_mended(struct call *call, struct str *report)
{
	defer(str_clear) struct str mended = STR_INIT;

	if (call_fits(call, report))
		return true;
	if (!tool_coerce(toolset_schema(call->entry), sv_of(&call->input), &mended))
		return false;
	str_clear(&call->input);
	call->input = mended;
	mended = (struct str)STR_INIT;
	str_truncate(report, 0);
	return call_read_input(call) && call_fits(call, report);
}

/* Analyses the command that the tool runs; files may change whenever the call waits, so then it
 * is done again. */
static void call_analyse(struct call *call)
{
	const struct tool *tool = call->entry->tool;
	struct perm_request request = { .access = ACCESS_RUN };

	if (!tool->command || call->is_analysed)
		return;
	request.command = tool->command(call->run.input);
	request.cwd = tool_real_path(&call->agent->ctx, SV("."), &call->arena);
	command_analysis_clear(&call->analysis);
	perm_analyse(&call->analysis, call->agent->policy, &request);
	call->run.analysis = &call->analysis;
	call->is_analysed = true;
}

/* The input of a queued call has not been checked yet. */
static bool call_find_order(struct call *call)
{
	defer(str_clear) struct str report = STR_INIT;

	if (!call->entry || !call->entry->tool->is_concurrent || call->malformed.len)
		return false;
	if (call->state == CALL_QUEUED &&
	    !(call_read_input(call) && call_fits_when_mended(call, &report)))
		return false;
	call_analyse(call);
	return tool_is_concurrent(&call->run);
}

bool call_is_concurrent(struct call *call)
{
	if (call->order == CALL_ORDER_UNKNOWN)
		call->order = call_find_order(call) ? CALL_IS_CONCURRENT : CALL_RUNS_ALONE;
	return call->order == CALL_IS_CONCURRENT;
}

struct call *call_new(struct agent *agent, struct sv block, struct sv malformed)
{
	defer(str_clear) struct str named = STR_INIT;
	struct call *call = xnew(struct call);

	call->agent = agent;
	call_take_string(&call->id, block, "id");
	call_take_string(&named, block, "name");
	str_add(&call->name, toolset_resolve(&agent->tools, sv_of(&named)));
	call_take_input(&call->input, block);
	str_add(&call->malformed, malformed);
	toolset_load_called(&agent->tools, sv_of(&call->name));
	call->entry = toolset_find(&agent->tools, sv_of(&call->name));
	if (call->entry)
		toolset_entry_ref(call->entry);
	call->run = (struct tool_call){
		.tool = call->entry ? call->entry->tool : NULL,
		.ctx = &agent->ctx,
		.id = sv_of(&call->id),
	};
	return call;
}

void call_free(struct call *call)
{
	if (!call)
		return;
	BUG_ON(call->step || call->early.op);
	toolset_entry_unref(call->entry);
	tool_result_clear(&call->run.result);
	call_preview_clear(call);
	json_doc_free(call->doc);
	command_analysis_clear(&call->analysis);
	arena_clear(&call->arena);
	str_clear(&call->id);
	str_clear(&call->name);
	str_clear(&call->input);
	str_clear(&call->shown.input);
	str_clear(&call->malformed);
	str_clear(&call->answer.input);
	str_clear(&call->answer.remark);
	str_clear(&call->model_verdict);
	str_clear(&call->early.reason);
	str_clear(&call->early.text);
	str_clear(&call->pre.reason);
	str_clear(&call->pre.input);
	str_clear(&call->pre.context);
	str_clear(&call->permission.message);
	str_clear(&call->permission.input);
	str_clear(&call->task.refusal);
	str_clear(&call->post.context);
	free(call);
}

/* --- its end --------------------------------------------------------------- */

/* Turn the result into an error that says why the call was cancelled. */
static void call_report_cancelled(struct call *call)
{
	static const char *const words[] = {
		[CALL_INTERRUPTED] = "The user interrupted this call.",
		[CALL_SIBLING] = "Cancelled: another command of the same response failed.",
		[CALL_OVER_BUDGET] = "The budget of this session is used up.",
		[CALL_VOID] = "",
	};
	struct tool_result *result = &call->run.result;

	result->is_error = true;
	result->stops_siblings = false;
	str_clear(&result->blocks); /* an error may only be text */
	if (result->text.len)
		str_addc(&result->text, '\n');
	str_adds(&result->text, words[call->cancel]);
	if ((call->cancel == CALL_INTERRUPTED || call->cancel == CALL_OVER_BUDGET) &&
	    call->state == CALL_QUEUED)
		str_adds(&result->text, " It was not run.");
}

static int64_t call_count(const struct call *call)
{
	const struct agent_listener *listener = &call->agent->listener;
	const struct tool_result *result = &call->run.result;
	int64_t ms = loop_now(call->agent->loop) - call->times.ran_ms;

	if (listener->called)
		listener->called(listener->arg, ms,
				 result->is_error ? SV_EMPTY : sv_of(&result->data));
	return ms;
}

void call_finish(struct call *call)
{
	const struct hook_points *hooks = call->agent->hooks;

	if (call->early.op) {
		call->is_finishing = true;
		op_cancel(call->early.op);
		return;
	}
	if (call->cancel != CALL_NOT_CANCELLED)
		call_report_cancelled(call);
	if (call->cancel == CALL_INTERRUPTED && call->state == CALL_RUNNING) {
		int64_t ms = call_count(call);

		if (hooks->interrupted)
			hooks->interrupted(hooks->arg, call, ms);
	}
	if (!call->run.result.text.len && !call->run.result.blocks.len)
		str_addf(&call->run.result.text, "(%.*s completed with no output)",
			 SV_ARG(sv_of(&call->name)));
	if (call->entry)
		result_cap(&call->run);
	call_enter(call, CALL_DONE);
}

void call_fail(struct call *call, const char *fmt, ...)
{
	va_list args;

	call->run.result.is_error = true;
	va_start(args, fmt);
	str_vaddf(&call->run.result.text, fmt, args);
	va_end(args);
	call_finish(call);
}

bool call_ends_here(struct call *call)
{
	call->step = NULL;
	call->is_analysed = false;
	if (call->cancel == CALL_NOT_CANCELLED)
		return false;
	call_finish(call);
	return true;
}

/* --- post-hook --------------------------------------------------------------- */

static void call_on_post_hook(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct call *call = owner;

	if (call_ends_here(call))
		return;
	call->wants_stop |= call->post.stop;
	call_finish(call);
}

static void call_run_post_hook(struct call *call)
{
	const struct hook_points *hooks = call->agent->hooks;

	call->post.result = &call->run.result;
	call->post.duration_ms = call_count(call);
	if (hooks->post_tool)
		call->step = hooks->post_tool(hooks->arg, call, &call->post,
					      THEN(call_on_post_hook, call));
	if (!call->step)
		call_finish(call);
}

/* --- the tool ------------------------------------------------------------------ */

static void call_on_progress(void *arg, struct sv text)
{
	struct call *call = arg;

	agent_emit(call->agent, &(struct event){ .kind = EVENT_TOOL_OUTPUT,
						 .tool = { .tool = sv_of(&call->name),
							   .id = sv_of(&call->id),
							   .text = text } });
}

static void call_report_touched(const struct call *call)
{
	agent_touch(call->agent, call->perm_request.path);
	for (size_t i = 0; i < call->perm_request.n_more; i++)
		agent_touch(call->agent, call->perm_request.more_paths[i]);
}

static void call_on_ran(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct call *call = owner;

	if (call_ends_here(call))
		return;
	if (why) {
		call->run.result.is_error = true;
		str_adds(&call->run.result.text, why->text);
	}
	if (call->perm_request.path.len && !call->run.result.is_error)
		call_report_touched(call);
	call_enter(call, CALL_POST_HOOK);
}

static void call_start_tool(struct call *call)
{
	call->run.on_progress = call->agent->wants_stream ? call_on_progress : NULL;
	call->run.progress_arg = call;
	call->run.decided = &call->perm_request;
	call->times.ran_ms = loop_now(call->agent->loop);
	if (call->on_running)
		call->on_running(call->on_running_arg);
	call->run.change = &call->shown.change;
	call->step = call->run.tool->start(&call->run, THEN(call_on_ran, call));
}

static void call_on_saved(__attribute__((unused)) struct op *op, void *owner,
			  __attribute__((unused)) const struct err *why)
{
	struct call *call = owner;

	if (!call_ends_here(call))
		call_enter(call, CALL_RUNNING);
}

static void call_on_task_hook(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct call *call = owner;

	if (call_ends_here(call))
		return;
	call->wants_stop |= call->task.stop;
	if (call->task.refusal.len)
		call_fail(call, "%s", str_c(&call->task.refusal));
	else
		call_enter(call, CALL_RUNNING);
}

static bool call_changes_something(const struct call *call)
{
	enum access access = call->perm_request.access;

	return !tool_is_read_only(&call->run) &&
	       (access == ACCESS_WRITE || access == ACCESS_RUN || access == ACCESS_OTHER);
}

/* Let others save what the call is about to change, or refuse a task. */
static void call_save(struct call *call)
{
	const struct hook_points *hooks = call->agent->hooks;

	if (hooks->before_change && call_changes_something(call))
		call->step = hooks->before_change(hooks->arg, call, THEN(call_on_saved, call));
	else if (hooks->task && call->run.tool->keeps_tasks)
		call->step =
			hooks->task(hooks->arg, call, &call->task, THEN(call_on_task_hook, call));
	if (!call->step)
		call_enter(call, CALL_RUNNING);
}

/* --- a changed input ---------------------------------------------------------- */

static bool call_passes_check(struct call *call, struct str *report)
{
	struct err err = ERR_INIT;

	if (!call->run.tool->check || call->run.tool->check(&call->run, &err))
		return true;
	str_adds(report, err.text);
	return false;
}

bool call_take_new_input(struct call *call, struct sv input)
{
	defer(str_clear) struct str report = STR_INIT;

	if (!input.len)
		return true;
	str_set(&call->input, input);
	call_preview_clear(call);
	call_drop_early(call);
	call->run.is_changed = true;
	call->is_analysed = false;
	if (call_read_input(call) && call_fits(call, &report) && call_passes_check(call, &report))
		return true;
	call_fail(call, "The input was changed to one that %s does not accept: %s", call->name.ptr,
		  str_c(&report));
	return false;
}

void call_compute_request(struct call *call)
{
	call_analyse(call);
	tool_perm_request(&call->run, &call->arena, &call->perm_request);
}

/* --- pre-hook ------------------------------------------------------------------ */

static void call_on_pre_hook(__attribute__((unused)) struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct call *call = owner;

	if (call_ends_here(call))
		return;
	call->wants_stop |= call->pre.stop;
	if (call_take_new_input(call, sv_of(&call->pre.input)))
		call_enter(call, CALL_DECIDING);
}

static void call_run_pre_hook(struct call *call)
{
	const struct hook_points *hooks = call->agent->hooks;

	if (hooks->pre_tool)
		call->step =
			hooks->pre_tool(hooks->arg, call, &call->pre, THEN(call_on_pre_hook, call));
	if (call->step)
		call_ask_model_early(call);
	else
		call_enter(call, CALL_DECIDING);
}

/* --- the beginning ------------------------------------------------------------- */

static void call_fail_malformed(struct call *call)
{
	struct sv came = sv_slice(sv_of(&call->malformed), 0, 200);

	call_fail(call,
		  "The input of this call was not a complete JSON object, so nothing was run. It "
		  "began: %.*s\nSend the call again; if it was cut off because of its length, do "
		  "the work in smaller pieces.",
		  SV_ARG(came));
}

/* Check the input, and start if it is valid. */
static void call_begin(struct call *call)
{
	defer(str_clear) struct str report = STR_INIT;
	struct err err = ERR_INIT;

	if (!call->entry) {
		toolset_explain_missing(&report, &call->agent->tools, sv_of(&call->name));
		call_fail(call, "%s", report.ptr);
	} else if (call->malformed.len || !call_read_input(call)) {
		call_fail_malformed(call);
	} else if (!call_fits_when_mended(call, &report)) {
		call_fail(call,
			  "InputValidationError: the input of %s does not match its schema:\n%s",
			  call->run.tool->name, report.ptr);
	} else if (call->run.tool->check && !call->run.tool->check(&call->run, &err)) {
		call_fail(call, "%s", err.text);
	} else {
		call_enter(call, CALL_PRE_HOOK);
	}
}

/* --- the machine --------------------------------------------------------------- */

/* Write to the debug log why the call failed. Of a tool that ran only the first line: the rest may be the output of a
 * command. */
static void call_log_failure(const struct call *call)
{
	enum { SHOWN = 300 };
	struct sv text = sv_of(&call->run.result.text), rest = text;

	if (!call->run.result.is_error)
		return;
	if (call->times.ran_ms)
		(void)sv_cut_line(&rest, &text);
	log_debug("call %s %s failed: %.*s", str_c(&call->id), str_c(&call->name),
		  SV_ARG(utf8_prefix(text, SHOWN)));
}

/* The result is final. A call that was never started has no op to finish. */
static void call_report(struct call *call)
{
	call_log_failure(call);
	if (call->op.type)
		op_finish(&call->op, NULL);
	else
		call->is_over = true;
}

void call_enter(struct call *call, enum call_state next)
{
	static const char names[][10] = { "queued", "pre-hook", "deciding",  "asking",
					  "saving", "running",  "post-hook", "done" };

	log_debug("call %s %s: %s > %s", str_c(&call->id), str_c(&call->name), names[call->state],
		  names[next]);
	call->state = next;
	switch (next) {
	case CALL_QUEUED: BUG("a call cannot go back into the queue");
	case CALL_PRE_HOOK: call_run_pre_hook(call); break;
	case CALL_DECIDING: call_decide(call); break;
	case CALL_ASKING: call_ask(call); break;
	case CALL_SAVING: call_save(call); break;
	case CALL_RUNNING: call_start_tool(call); break;
	case CALL_POST_HOOK: call_run_post_hook(call); break;
	case CALL_DONE: call_report(call); break;
	}
}

static void call_cancel_step(struct op *op)
{
	struct call *call = container_of(op, struct call, op);

	op_cancel(call->step);
}

/* The executor frees the call, perhaps already in `done`. */
static void call_keep(__attribute__((unused)) struct op *op)
{
}

static const struct op_type call_type = {
	.name = "tool call",
	.cancel = call_cancel_step,
	.free = call_keep,
};

void call_allow(struct call *call, struct sv input)
{
	call->answer.is_early = true;
	str_set(&call->answer.input, input);
}

void call_start(struct call *call, struct then then)
{
	BUG_ON(call->state != CALL_QUEUED);
	op_init(&call->op, &call_type, call->agent->loop, then);
	call->times.started_ms = loop_now(call->agent->loop);
	call_begin(call);
}

void call_cancel(struct call *call, enum call_cancel why)
{
	if (call->state == CALL_DONE || call->cancel != CALL_NOT_CANCELLED)
		return;
	call->cancel = why;
	if (call->state != CALL_QUEUED) {
		op_cancel(&call->op);
		return;
	}
	call_report_cancelled(call);
	call_enter(call, CALL_DONE);
}
