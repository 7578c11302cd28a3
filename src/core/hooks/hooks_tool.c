/* Hooks around calls: PreToolUse, PermissionRequest, PermissionDenied, TaskCreated, TaskCompleted,
 * PostToolUse, PostToolUseFailure and PostToolBatch. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/agent/agent_internal.h"
#include "core/agent/executor.h"
#include "core/agent/turn_output.h"
#include "core/hooks/session_hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/perm_update.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/subagents/team.h"
#include "perm/decide/offer.h"
#include "proto/permission.h"
#include "text/json/json_write.h"
#include "tool/task/task_job.h"

/* --- what they are told ----------------------------------------------------------------------- */

/* What the hooks of a call are told; `input` gets the JSON of the call's input. */
static struct hook_input hooks_tool_input(const struct session *s, const struct call *call,
					  enum hook_event event, struct str *input)
{
	struct hook_input in = session_hooks_input(s, call->agent, event);

	call_write_input(call, input);
	in.tool_name = sv_of(&call->name);
	in.tool_use_id = sv_of(&call->id);
	in.tool_input = sv_of(input);
	in.mcp_server = session_mcp_provenance(call->run.tool);
	return in;
}

static bool hooks_tool_has(const struct session *s, enum hook_event event)
{
	return hooks_has(s->handlers->engine, event);
}

/* --- PreToolUse ------------------------------------------------------------------------------- */

static void hooks_tool_apply_pre(struct session *s, const struct hook_answer *answer, void *arg)
{
	static const enum behavior behaviors[] = { [HOOK_ALLOW] = BEHAVIOR_ALLOW,
						   [HOOK_ASK] = BEHAVIOR_ASK,
						   [HOOK_DEFER] = BEHAVIOR_ASK,
						   [HOOK_DENY] = BEHAVIOR_DENY };
	struct pre_tool_point *point = arg;

	point->decided = answer->decision != HOOK_NO_DECISION;
	if (point->decided)
		point->behavior = behaviors[answer->decision];
	point->defer = answer->decision == HOOK_DEFER;
	if (point->defer && session_is_at_terminal(s)) { /* where somebody can be asked at once */
		point->decided = point->defer = false;
		session_inform(s, NOTICE_WARNING,
			       SV("A PreToolUse hook deferred this call. That has no effect at a "
				  "terminal."));
	}
	point->stop = answer->stops;
	str_set(&point->reason, answer->reason);
	str_set(&point->input, answer->updated_input);
	hook_answer_context(answer, &point->context);
}

static struct op *hooks_tool_pre(void *arg, const struct call *call, struct pre_tool_point *point,
				 struct then then)
{
	struct session *s = arg;
	defer(str_clear) struct str json = STR_INIT;
	struct hook_input in;

	if (!hooks_tool_has(s, HOOK_PRE_TOOL_USE))
		return NULL;
	in = hooks_tool_input(s, call, HOOK_PRE_TOOL_USE, &json);
	return session_hooks_start(s, &in, hooks_tool_apply_pre, point, then);
}

/* --- PermissionRequest ------------------------------------------------------------------------ */

static void hooks_tool_change_permissions(struct session *s, const struct hook_answer *answer)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(str_clear) struct str json = STR_INIT, notes = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	if (!answer->permissions.n)
		return;
	jw_init(&w, &json, JW_COMPACT);
	permission_changes_write(&w, answer->permissions.at, answer->permissions.n);
	jw_done(&w);
	doc = json_parse(sv_of(&json), 0, &err);
	perm_updates_apply(s, json_root(doc), &notes);
	if (notes.len)
		session_inform(s, NOTICE_WARNING, sv_of(&notes));
}

static void hooks_tool_apply_permission(struct session *s, const struct hook_answer *answer,
					void *arg)
{
	struct permission_point *point = arg;

	point->decided = answer->decision == HOOK_ALLOW || answer->decision == HOOK_DENY;
	point->allow = answer->decision == HOOK_ALLOW;
	point->interrupt = answer->interrupts || answer->stops;
	str_set(&point->message, answer->reason);
	str_set(&point->input, answer->updated_input);
	if (point->allow)
		hooks_tool_change_permissions(s, answer);
}

static void hooks_tool_write_suggestions(struct str *out, const struct call *call)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct permission_change suggestion;
	struct jw w;
	bool has_one = !call->perm_request.needs_user &&
		       perm_offer(&suggestion, &arena, call->agent->policy, &call->perm_request);

	jw_init(&w, out, JW_COMPACT);
	permission_changes_write(&w, &suggestion, has_one ? 1 : 0);
	jw_done(&w);
}

static struct op *hooks_tool_permission(void *arg, const struct call *call,
					struct permission_point *point, struct then then)
{
	struct session *s = arg;
	defer(str_clear) struct str json = STR_INIT, suggestions = STR_INIT;
	struct hook_input in;

	if (!hooks_tool_has(s, HOOK_PERMISSION_REQUEST))
		return NULL;
	in = hooks_tool_input(s, call, HOOK_PERMISSION_REQUEST, &json);
	hooks_tool_write_suggestions(&suggestions, call);
	in.permission_suggestions = sv_of(&suggestions);
	return session_hooks_start(s, &in, hooks_tool_apply_permission, point, then);
}

/* --- PermissionDenied ------------------------------------------------------------------------- */

static void hooks_tool_apply_denied(__attribute__((unused)) struct session *s,
				    const struct hook_answer *answer, void *arg)
{
	struct denied_point *point = arg;

	point->retry = answer->retries;
}

static struct op *hooks_tool_denied(void *arg, const struct call *call, struct denied_point *point,
				    struct then then)
{
	struct session *s = arg;
	defer(str_clear) struct str json = STR_INIT;
	struct hook_input in;

	if (!hooks_tool_has(s, HOOK_PERMISSION_DENIED))
		return NULL;
	in = hooks_tool_input(s, call, HOOK_PERMISSION_DENIED, &json);
	in.reason = sv_cstr(call->verdict.text);
	return session_hooks_start(s, &in, hooks_tool_apply_denied, point, then);
}

/* --- TaskCreated and TaskCompleted ------------------------------------------------------------ */

static void hooks_tool_apply_task(__attribute__((unused)) struct session *s,
				  const struct hook_answer *answer, void *arg)
{
	struct task_point *point = arg;
	struct sv why = answer->decision == HOOK_DENY ? answer->reason : answer->stop_reason;

	point->stop = answer->stops;
	if (answer->decision == HOOK_DENY || answer->stops)
		str_addf(&point->refusal, "A hook refused this; the task list is unchanged: %.*s",
			 SV_ARG(why.len ? why : SV("it gave no reason.")));
}

static struct op *hooks_tool_task(void *arg, const struct call *call, struct task_point *point,
				  struct then then)
{
	struct session *s = arg;
	defer(task_event_clear) struct task_event event = { .is_completed = false };
	defer(str_clear) struct str id = STR_INIT;
	struct hook_input in;

	if ((!hooks_tool_has(s, HOOK_TASK_CREATED) && !hooks_tool_has(s, HOOK_TASK_COMPLETED)) ||
	    !task_event_of(&call->run, &event))
		return NULL;
	in = session_hooks_input(s, call->agent,
				 event.is_completed ? HOOK_TASK_COMPLETED : HOOK_TASK_CREATED);
	str_addf(&id, "%lld", (long long)event.id);
	team_fill_hook(s, call->agent, &in);
	in.task_id = sv_of(&id);
	in.task_subject = sv_of(&event.subject);
	in.task_description = sv_of(&event.description);
	return session_hooks_start(s, &in, hooks_tool_apply_task, point, then);
}

/* --- PostToolUse and PostToolUseFailure ------------------------------------------------------- */

/* The text of an output that a hook has written: a string, or the printed output of a command. */
static void hooks_tool_output_text(struct str *out, struct json output, struct sv json)
{
	struct sv printed = json_str_or(json_get(output, "stdout"), SV_EMPTY);
	struct sv errors = json_str_or(json_get(output, "stderr"), SV_EMPTY);

	if (json_is(output, JSON_STRING))
		str_add(out, json_str_or(output, SV_EMPTY));
	else if (json_is(json_get(output, "stdout"), JSON_STRING))
		str_addf(out, "%.*s%s%.*s", SV_ARG(printed), printed.len && errors.len ? "\n" : "",
			 SV_ARG(errors));
	else
		str_add(out, json);
}

static void hooks_tool_replace_output(struct tool_result *result, struct sv json)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &err);

	str_truncate(&result->text, 0);
	str_clear(&result->blocks);
	hooks_tool_output_text(&result->text, json_root(doc), json);
	str_set(&result->data, json);
}

static void hooks_tool_apply_post(struct session *s, const struct hook_answer *answer, void *arg)
{
	struct post_tool_point *point = arg;

	if (answer->classifier_context.len)
		str_set(&s->agent->auto_mode.notes,
			utf8_prefix(answer->classifier_context, LIMIT_HOOK_TEXT));
	point->stop = answer->stops;
	if (answer->updated_output.len && !point->result->is_error)
		hooks_tool_replace_output(point->result, answer->updated_output);
	else if (answer->updated_mcp_output.len && point->is_of_server && !point->result->is_error)
		hooks_tool_replace_output(point->result, answer->updated_mcp_output);
	if (answer->decision == HOOK_DENY && answer->reason.len)
		str_addf(&point->context, "A hook that ran after this call reports:\n%.*s\n",
			 SV_ARG(answer->reason));
	hook_answer_context(answer, &point->context);
}

static struct op *hooks_tool_post(void *arg, const struct call *call, struct post_tool_point *point,
				  struct then then)
{
	struct session *s = arg;
	defer(str_clear) struct str json = STR_INIT, response = STR_INIT;
	enum hook_event event =
		point->result->is_error ? HOOK_POST_TOOL_USE_FAILURE : HOOK_POST_TOOL_USE;
	struct hook_input in;

	if (!hooks_tool_has(s, event))
		return NULL;
	in = hooks_tool_input(s, call, event, &json);
	point->is_of_server = in.mcp_server.len > 0;
	in.duration_ms = point->duration_ms;
	if (point->result->is_error) {
		in.error = sv_of(&point->result->text);
	} else {
		turn_result_data(&response, point->result);
		in.tool_response = sv_of(&response);
	}
	return session_hooks_start(s, &in, hooks_tool_apply_post, point, then);
}

/* What they say reaches the model with the next prompt. */
static void hooks_tool_apply_interrupted(struct session *s, const struct hook_answer *answer,
					 __attribute__((unused)) void *point)
{
	hook_answer_context(answer, &s->handlers->context);
}

static void hooks_tool_interrupted(void *arg, const struct call *call, int64_t duration_ms)
{
	struct session *s = arg;
	defer(str_clear) struct str json = STR_INIT;
	struct hook_input in;

	if (!hooks_tool_has(s, HOOK_POST_TOOL_USE_FAILURE))
		return;
	in = hooks_tool_input(s, call, HOOK_POST_TOOL_USE_FAILURE, &json);
	in.error = sv_of(&call->run.result.text);
	in.is_interrupt = true;
	in.duration_ms = duration_ms;
	session_hooks_fire(s, &in, hooks_tool_apply_interrupted);
}

/* --- PostToolBatch ---------------------------------------------------------------------------- */

static void hooks_tool_apply_batch(__attribute__((unused)) struct session *s,
				   const struct hook_answer *answer, void *arg)
{
	struct batch_point *point = arg;

	point->stop = answer->stops || answer->decision == HOOK_DENY;
	if (answer->decision == HOOK_DENY)
		str_addf(&point->context, "%.*s\n", SV_ARG(answer->reason));
	hook_answer_context(answer, &point->context);
}

static void hooks_tool_write_call(struct jw *w, const struct call *call)
{
	defer(str_clear) struct str json = STR_INIT, response = STR_INIT;

	call_write_input(call, &json);
	turn_result_data(&response, &call->run.result);
	hook_input_write_call(w, &(struct hook_input){ .tool_name = sv_of(&call->name),
						       .tool_use_id = sv_of(&call->id),
						       .tool_input = sv_of(&json),
						       .tool_response = sv_of(&response) });
}

struct op *hooks_tool_start_batch(struct session *s, const struct executor *calls,
				  struct batch_point *point, struct then then)
{
	defer(str_clear) struct str json = STR_INIT;
	struct hook_input in;
	struct jw w;

	session_tool_summary_update(s, calls);
	if (!hooks_tool_has(s, HOOK_POST_TOOL_BATCH))
		return NULL;
	jw_init(&w, &json, JW_COMPACT);
	jw_array(&w);
	for (size_t i = 0; i < calls->calls.n; i++)
		hooks_tool_write_call(&w, calls->calls.at[i]);
	jw_end(&w);
	jw_done(&w);
	in = session_hooks_input(s, calls->agent, HOOK_POST_TOOL_BATCH);
	in.tool_calls = sv_of(&json);
	return session_hooks_start(s, &in, hooks_tool_apply_batch, point, then);
}

void hooks_tool_install(struct hook_points *points)
{
	points->pre_tool = hooks_tool_pre;
	points->permission = hooks_tool_permission;
	points->denied = hooks_tool_denied;
	points->task = hooks_tool_task;
	points->post_tool = hooks_tool_post;
	points->interrupted = hooks_tool_interrupted;
}
