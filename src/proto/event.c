#include "proto/event.h"

#include <string.h>

#include "text/json/json_write.h"

static void event_put_if(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void event_put_or_null(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
	else
		jw_put_null(w, key);
}

/* The bytes of an event of our own, or the value of one that was read. */
static void event_put_json(struct jw *w, const char *key, struct sv json, struct json value)
{
	if (json.len)
		jw_put_raw(w, key, json);
	else
		jw_put_value(w, key, value);
}

static void event_put_json_if(struct jw *w, const char *key, struct sv json, struct json value)
{
	if (json.len || json_exists(value))
		event_put_json(w, key, json, value);
}

static void event_put_list(struct jw *w, const char *key, const struct sv *items, size_t n)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		jw_str(w, items[i]);
	jw_end(w);
}

static void event_write_init(struct jw *w, const struct event *e)
{
	event_init_write(w, &e->init);
}

static struct sv event_decision_source(const struct event_decision *d)
{
	if (d->why == REASON_USER)
		return !d->accepted      ? SV("user_reject")
		       : d->is_permanent ? SV("user_permanent")
					 : SV("user_temporary");
	return d->why == REASON_HOOK ? SV("hook") : SV("config");
}

static void event_write_decision(struct jw *w, const struct event_message *m)
{
	const struct event_decision *d = &m->decision;

	if (!d->id.len)
		return;
	jw_put_array(w, "tool_result_meta");
	jw_object(w);
	jw_put_str(w, "id", d->id);
	jw_put_object(w, "permission_decision");
	jw_put_str(w, "decision", d->accepted ? SV("accept") : SV("reject"));
	jw_put_str(w, "source", event_decision_source(d));
	jw_put_str(w, "reason_type", sv_cstr(verdict_reason_name(d->why)));
	jw_end(w);
	if (!d->accepted)
		jw_put_str(w, "non_execution_kind",
			   d->why == REASON_USER ? SV("user-rejected") : SV("permission-rule"));
	event_put_if(w, "awl_reason", d->text);
	jw_end(w);
	jw_end(w);
}

static void event_put_error(struct jw *w, struct sv class)
{
	struct sv word = api_error_word(class);

	jw_put_str(w, "error", word);
	if (!sv_eq(word, class))
		jw_put_str(w, "awl_error", class);
}

static void event_put_agent(struct jw *w, const struct event_agent *agent)
{
	event_put_if(w, "agent_id", agent->id);
	event_put_if(w, "subagent_type", agent->type);
	event_put_if(w, "task_description", agent->description);
}

static void event_write_message(struct jw *w, const struct event *e)
{
	const struct event_message *m = &e->message;
	enum { AROUND = 1024 }; /* about what is written besides the message */

	str_reserve(w->out,
		    m->json.len + m->tool_use_result.len + AROUND); /* rather than by half */
	event_put_json(w, "message", m->json, m->value);
	event_put_or_null(w, "parent_tool_use_id", e->parent_tool_use_id);
	event_put_agent(w, &e->agent);
	event_put_if(w, "timestamp", m->timestamp);
	event_put_if(w, "request_id", m->request_id);
	if (m->error.len)
		event_put_error(w, m->error);
	if (m->status)
		jw_put_int(w, "api_error_status", m->status);
	if (m->error.len)
		jw_put_bool(w, "is_api_error_message", true);
	event_put_json_if(w, "tool_use_result", m->tool_use_result, m->tool_use_result_value);
	event_write_decision(w, m);
	if (m->is_synthetic)
		jw_put_bool(w, "isSynthetic", true);
	if (m->is_replay)
		jw_put_bool(w, "isReplay", true);
	if (m->is_aborted)
		jw_put_bool(w, "aborted", true);
}

static void event_write_stream(struct jw *w, const struct event *e)
{
	event_put_json(w, "event", e->stream.json, e->stream.value);
	event_put_or_null(w, "parent_tool_use_id", e->parent_tool_use_id);
	if (e->stream.ttft_ms >= 0)
		jw_put_int(w, "ttft_ms", e->stream.ttft_ms);
}

static void event_write_denial(struct jw *w, const struct event_denial *denial)
{
	jw_object(w);
	jw_put_str(w, "tool_name", denial->tool);
	jw_put_str(w, "tool_use_id", denial->id);
	event_put_json(w, "tool_input", denial->input, denial->input_value);
	jw_end(w);
}

static void event_write_denials(struct jw *w, const struct event_result *r)
{
	jw_put_array(w, "permission_denials");
	for (size_t i = 0; i < r->ndenials; i++)
		event_write_denial(w, &r->denials[i]);
	jw_end(w);
}

static void event_write_deferred(struct jw *w, const struct event_denial *deferred)
{
	if (!deferred->id.len)
		return;
	jw_put_object(w, "deferred_tool_use");
	jw_put_str(w, "id", deferred->id);
	jw_put_str(w, "name", deferred->tool);
	event_put_json(w, "input", deferred->input, deferred->input_value);
	jw_end(w);
}

static void event_write_outcome(struct jw *w, const struct event_result *r)
{
	if (r->outcome == RESULT_SUCCESS) {
		jw_put_str(w, "result", r->text);
	} else {
		jw_put_array(w, "errors");
		jw_str(w, r->error);
		jw_end(w);
	}
	event_put_or_null(w, "stop_reason", r->stop_reason);
	if (r->outcome == RESULT_SUCCESS && r->api_error_status)
		jw_put_int(w, "api_error_status", r->api_error_status);
	else if (r->outcome == RESULT_SUCCESS)
		jw_put_null(w, "api_error_status");
}

static void event_write_result(struct jw *w, const struct event *e)
{
	const struct event_result *r = &e->result;
	enum { AROUND = 4096 }; /* about what is written besides the answer */

	str_reserve(w->out, r->text.len + AROUND);
	jw_put_bool(w, "is_error", r->is_error);
	jw_put_int(w, "duration_ms", r->duration_ms);
	jw_put_int(w, "duration_api_ms", r->duration_api_ms);
	if (r->ttft_ms >= 0 && r->outcome == RESULT_SUCCESS)
		jw_put_int(w, "ttft_ms", r->ttft_ms);
	jw_put_int(w, "num_turns", r->num_turns);
	event_write_outcome(w, r);
	jw_put_real(w, "total_cost_usd", r->cost_usd);
	if (!r->cost_known)
		jw_put_bool(w, "awl_cost_incomplete", true);
	jw_key(w, SV("usage"));
	usage_counts_write(w, &r->usage);
	jw_key(w, SV("modelUsage"));
	usage_models_write(w, r->models, r->nmodels);
	event_write_denials(w, r);
	if (r->has_reason)
		jw_put_str(w, "terminal_reason", sv_cstr(end_reason_name(r->reason)));
	event_put_json_if(w, "structured_output", r->structured_output, r->structured_output_value);
	event_write_deferred(w, &r->deferred);
	event_put_if(w, "startup_failure_reason", r->startup_failure);
	event_put_if(w, "local_command", r->local_command);
	fast_mode_put(w, &r->fast);
	if (r->is_notice || r->channel.len) {
		jw_put_object(w, "origin");
		jw_put_str(w, "kind", r->channel.len ? SV("channel") : SV("task-notification"));
		event_put_if(w, "server", r->channel);
		jw_end(w);
	}
	jw_put_int(w, "queued_turn_count", r->nqueued);
	jw_put_int(w, "result_index", r->index);
	jw_key(w, SV("model_usage_since_last_result"));
	usage_models_write(w, r->recent_models, r->nrecent_models);
	event_put_if(w, "awl_not_saved", r->not_saved);
	event_put_if(w, "awl_forked_from", r->forked_from);
}

static void event_write_status(struct jw *w, const struct event *e)
{
	event_put_or_null(w, "status", e->status.status);
	event_put_if(w, "permissionMode", e->status.permission_mode);
	event_put_if(w, "compact_result", e->status.compact_result);
	event_put_if(w, "compact_error", e->status.compact_error);
}

static void event_write_compacted(struct jw *w, const struct event *e)
{
	jw_put_object(w, "compact_metadata");
	jw_put_str(w, "trigger", e->compacted.is_manual ? SV("manual") : SV("auto"));
	jw_put_int(w, "pre_tokens", e->compacted.before);
	jw_put_int(w, "post_tokens", e->compacted.after);
	jw_put_int(w, "duration_ms", e->compacted.duration_ms);
	jw_end(w);
}

static void event_write_state(struct jw *w, const struct event *e)
{
	jw_put_str(w, "state", sv_cstr(session_activity_name(e->state.state)));
	if (e->state.host_only)
		jw_put_bool(w, "sdk_host_only", true);
}

static void event_put_retry(struct jw *w, const struct event_retry *retry)
{
	jw_put_int(w, "attempt", retry->attempt);
	jw_put_int(w, "max_retries", retry->max);
	jw_put_int(w, "retry_delay_ms", retry->delay_ms);
	if (retry->status)
		jw_put_int(w, "error_status", retry->status);
	else
		jw_put_null(w, "error_status");
}

static void event_write_retry(struct jw *w, const struct event *e)
{
	event_put_retry(w, &e->retry);
	event_put_error(w, e->retry.error);
	jw_put_str(w, "awl_text", e->retry.text);
}

static void event_write_stall(struct jw *w, const struct event *e)
{
	jw_put_int(w, "silent_ms", e->stall.silent_ms);
	jw_put_int(w, "limit_ms", e->stall.limit_ms);
}

static void event_write_discard(struct jw *w, const struct event *e)
{
	event_put_list(w, "message_uuids", e->discard.uuids, e->discard.n);
}

static void event_write_denied(struct jw *w, const struct event *e)
{
	jw_put_str(w, "tool_name", e->denied.tool);
	jw_put_str(w, "tool_use_id", e->denied.id);
	event_put_if(w, "decision_reason_type", e->denied.reason_type);
	event_put_if(w, "decision_reason", e->denied.reason);
	jw_put_str(w, "message", e->denied.message);
	if (e->denied.nobody_to_ask)
		jw_put_bool(w, "awl_nobody_to_ask", true);
	if (e->denied.input.len || json_exists(e->denied.input_value))
		event_put_json(w, "awl_tool_input", e->denied.input, e->denied.input_value);
	if (e->denied.nrules)
		event_put_list(w, "awl_rules", e->denied.rules, e->denied.nrules);
}

static void event_write_fallback(struct jw *w, const struct event *e)
{
	jw_put_str(w, "trigger", SV("overloaded"));
	jw_put_str(w, "original_model", e->fallback.from);
	jw_put_str(w, "fallback_model", e->fallback.to);
	jw_put_str(w, "content", e->fallback.text);
}

static const char *notice_level_name(enum notice_level level);

static void event_write_refused(struct jw *w, const struct event *e)
{
	jw_put_str(w, "original_model", e->refused.model);
	event_put_or_null(w, "request_id", e->refused.request_id);
	event_put_or_null(w, "api_refusal_category", e->refused.category);
	event_put_or_null(w, "api_refusal_explanation", e->refused.why);
	event_put_or_null(w, "refused_user_message_uuid", e->refused.prompt);
	jw_put_str(w, "content", e->refused.text);
}

static void event_write_info(struct jw *w, const struct event *e)
{
	jw_put_str(w, "content", e->info.text);
	jw_put_str(w, "level", sv_cstr(notice_level_name(e->info.level)));
	event_put_if(w, "tool_use_id", e->info.id);
	event_put_if(w, "tag", e->info.tag);
	if (e->info.prevents)
		jw_put_bool(w, "prevent_continuation", true);
}

static void event_write_transition(struct jw *w, const struct event *e)
{
	jw_put_str(w, "reason", sv_cstr(go_reason_name(e->transition.reason)));
}

static void event_write_tool(struct jw *w, const struct event *e)
{
	if (e->kind == EVENT_TOOL_PROGRESS) {
		jw_put_strf(w, "tool_use_id", "%.*s-heartbeat-0", SV_ARG(e->tool.id));
		jw_put_str(w, "tool_name", e->tool.tool);
		jw_put_str(w, "parent_tool_use_id", e->tool.id);
		jw_put_int(w, "elapsed_time_seconds", e->tool.elapsed_ms / 1000);
		jw_put_bool(w, "heartbeat", true);
	} else {
		jw_put_str(w, "tool_name", e->tool.tool);
		jw_put_str(w, "tool_use_id", e->tool.id);
		jw_put_str(w, "text", e->tool.text);
	}
}

static void event_write_hook(struct jw *w, const struct event *e)
{
	const struct event_hook *hook = &e->hook;

	jw_put_str(w, "hook_id", hook->id);
	jw_put_str(w, "hook_name", hook->name);
	jw_put_str(w, "hook_event", hook->event);
	if (e->kind == EVENT_HOOK_STARTED) {
		event_put_if(w, "awl_status_message", hook->status);
		return;
	}
	jw_put_str(w, "stdout", hook->out);
	jw_put_str(w, "stderr", hook->err);
	jw_put_str(w, "output", hook->out.len ? hook->out : hook->err);
	if (e->kind == EVENT_HOOK_PROGRESS)
		return;
	if (hook->has_code)
		jw_put_int(w, "exit_code", hook->code);
	jw_put_str(w, "outcome", hook->outcome);
}

static void event_write_prompt(struct jw *w, const struct event *e)
{
	jw_put_str(w, "command_uuid", e->prompt.uuid);
	jw_put_str(w, "state", sv_cstr(prompt_state_name(e->prompt.state)));
}

static void event_write_progress(struct jw *w, const struct event *e)
{
	jw_put_str(w, "request_id", e->progress.request_id);
	jw_put_str(w, "status", e->progress.retry.attempt ? SV("api_retry") : SV("started"));
	if (e->progress.retry.attempt)
		event_put_retry(w, &e->progress.retry);
}

static void event_write_mirror(struct jw *w, const struct event *e)
{
	jw_put_str(w, "filePath", e->mirror.path);
	event_put_json(w, "entries", e->mirror.entries, e->mirror.entries_value);
}

static void event_put_task(struct jw *w, const struct event_task *task)
{
	jw_put_str(w, "task_id", task->id);
	jw_put_str(w, "task_type", task->type);
	jw_put_str(w, "description", task->description);
}

static void event_write_tasks(struct jw *w, const struct event *e)
{
	jw_put_array(w, "tasks");
	for (size_t i = 0; i < e->tasks.n; i++) {
		jw_object(w);
		event_put_task(w, &e->tasks.at[i]);
		event_put_if(w, "subagent_type", e->tasks.at[i].agent_type);
		event_put_if(w, "parent_task_id", e->tasks.at[i].parent);
		jw_end(w);
	}
	jw_end(w);
}

static void event_write_task_started(struct jw *w, const struct event *e)
{
	event_put_task(w, &e->task);
	event_put_if(w, "tool_use_id", e->task.call);
	jw_put_bool(w, "is_backgrounded", !e->task.is_awaited);
	event_put_if(w, "subagent_type", e->task.agent_type);
	event_put_if(w, "prompt", e->task.prompt);
	if (e->task.depth)
		jw_put_int(w, "spawn_depth", e->task.depth);
	event_put_if(w, "parent_task_id", e->task.parent);
}

static void event_put_task_usage(struct jw *w, const struct event_task *task)
{
	if (!task->agent_type.len)
		return;
	jw_put_object(w, "usage");
	jw_put_int(w, "total_tokens", task->total_tokens);
	jw_put_int(w, "tool_uses", task->tool_uses);
	jw_put_int(w, "duration_ms", task->duration_ms);
	jw_end(w);
}

static void event_write_task_progress(struct jw *w, const struct event *e)
{
	jw_put_str(w, "task_id", e->task.id);
	event_put_if(w, "tool_use_id", e->task.call);
	jw_put_str(w, "description", e->task.description);
	event_put_if(w, "subagent_type", e->task.agent_type);
	event_put_task_usage(w, &e->task);
	event_put_if(w, "last_tool_name", e->task.last_tool);
	event_put_if(w, "summary", e->task.summary);
}

static void event_write_task_updated(struct jw *w, const struct event *e)
{
	bool killed = e->task.status == COMMAND_STOPPED;

	jw_put_str(w, "task_id", e->task.id);
	jw_put_object(w, "patch");
	jw_put_str(w, "status",
		   killed ? SV("killed") : sv_cstr(command_status_name(e->task.status)));
	jw_put_int(w, "end_time", e->task.end_ms);
	jw_end(w);
}

static void event_write_task_ended(struct jw *w, const struct event *e)
{
	jw_put_str(w, "task_id", e->task.id);
	event_put_if(w, "tool_use_id", e->task.call);
	jw_put_str(w, "status", sv_cstr(command_status_name(e->task.status)));
	jw_put_str(w, "output_file", e->task.output_file);
	jw_put_str(w, "summary", e->task.summary);
	event_put_task_usage(w, &e->task);
}

static void event_write_reset(struct jw *w, const struct event *e)
{
	jw_put_str(w, "new_conversation_id", e->reset.id);
	jw_put_str(w, "trigger", SV("clear"));
	event_put_if(w, "user_message_uuid", e->reset.prompt);
}

static void event_write_ending(struct jw *w, __attribute__((unused)) const struct event *e)
{
	jw_put_str(w, "reason", SV("host_exit"));
}

static void event_write_commands(struct jw *w, const struct event *e)
{
	jw_put_array(w, "commands");
	for (size_t i = 0; i < e->commands.n; i++)
		reply_write_command(w, &e->commands.at[i]);
	jw_end(w);
}

static void event_write_thinking(struct jw *w, const struct event *e)
{
	jw_put_int(w, "estimated_tokens", e->thinking.tokens);
	jw_put_int(w, "estimated_tokens_delta", e->thinking.more);
}

static void event_write_rate_limit(struct jw *w, const struct event *e)
{
	jw_put_object(w, "rate_limit_info");
	rate_limit_write(w, &e->rate_limit);
	jw_end(w);
}

static void event_write_terminal(struct jw *w, const struct event *e)
{
	jw_put_str(w, "sequence", e->terminal.sequence);
}

static void event_write_suggestion(struct jw *w, const struct event *e)
{
	jw_put_str(w, "suggestion", e->suggestion.text);
}

static void event_write_page(struct jw *w, const struct event *e)
{
	jw_put_str(w, "mcp_server_name", e->page.server);
	jw_put_str(w, "elicitation_id", e->page.id);
}

static void event_write_tool_summary(struct jw *w, const struct event *e)
{
	jw_put_str(w, "summary", e->tool_summary.text);
	jw_put_array(w, "preceding_tool_use_ids");
	for (size_t i = 0; i < e->tool_summary.nids; i++)
		jw_str(w, e->tool_summary.ids[i]);
	jw_end(w);
}

static void event_write_notification(struct jw *w, const struct event *e)
{
	jw_put_str(w, "key", SV("push_notification"));
	jw_put_str(w, "text", e->notification.text);
	jw_put_str(w, "priority", SV("high"));
}

static void event_write_goal(struct jw *w, const struct event *e)
{
	if (!e->goal.condition.len) {
		jw_put_null(w, "value");
		return;
	}
	jw_put_object(w, "value");
	jw_put_str(w, "condition", e->goal.condition);
	jw_put_int(w, "iterations", e->goal.rounds);
	jw_put_int(w, "set_at", e->goal.set_at_ms);
	jw_put_int(w, "tokens_at_start", e->goal.tokens_at_start);
	if (e->goal.reason.len)
		jw_put_str(w, "last_reason", e->goal.reason);
	jw_end(w);
}

static void event_write_host_request(struct jw *w, const struct event *e)
{
	struct host_request request = e->request;

	if (e->parent_tool_use_id.len)
		request.parent_tool_use_id = e->parent_tool_use_id;
	host_request_write(w, &request);
}

static void event_write_host_cancel(struct jw *w, const struct event *e)
{
	jw_put_str(w, "request_id", e->cancel.request_id);
}

static void event_write_reply(struct jw *w, const struct event *e)
{
	control_reply_write(w, &e->reply);
}

static const struct form {
	char type[24];
	char subtype[26]; /* empty: none, or, of a result, its kind */
	void (*write)(struct jw *w, const struct event *e);
	bool control;    /* no uuid, no session */
	bool has_parent; /* the SDK has parent_tool_use_id here */
} forms[EVENT_KINDS] = {
	[EVENT_INIT] = { "system", "init", event_write_init },
	[EVENT_ASSISTANT] = { "assistant", "", event_write_message, false, true },
	[EVENT_USER] = { "user", "", event_write_message, false, true },
	[EVENT_STREAM] = { "stream_event", "", event_write_stream, false, true },
	[EVENT_RESULT] = { "result", "", event_write_result },
	[EVENT_STATUS] = { "system", "status", event_write_status },
	[EVENT_STATE] = { "system", "session_state_changed", event_write_state },
	[EVENT_RETRY] = { "system", "api_retry", event_write_retry },
	[EVENT_STALL] = { "system", "awl_stall", event_write_stall },
	[EVENT_DISCARD] = { "system", "awl_discard", event_write_discard },
	[EVENT_DENIED] = { "system", "permission_denied", event_write_denied },
	[EVENT_FALLBACK] = { "system", "model_fallback", event_write_fallback },
	[EVENT_REFUSED] = { "system", "model_refusal_no_fallback", event_write_refused },
	[EVENT_INFORMATIONAL] = { "system", "informational", event_write_info },
	[EVENT_TRANSITION] = { "system", "awl_transition", event_write_transition },
	[EVENT_TOOL_PROGRESS] = { "tool_progress", "", event_write_tool },
	[EVENT_TOOL_OUTPUT] = { "system", "awl_tool_output", event_write_tool },
	[EVENT_PROMPT] = { "command_lifecycle", "", event_write_prompt },
	[EVENT_PROGRESS] = { "system", "control_request_progress", event_write_progress },
	[EVENT_MIRROR] = { "transcript_mirror", "", event_write_mirror, true },
	[EVENT_TASKS] = { "system", "background_tasks_changed", event_write_tasks },
	[EVENT_TASK_STARTED] = { "system", "task_started", event_write_task_started },
	[EVENT_TASK_PROGRESS] = { "system", "task_progress", event_write_task_progress },
	[EVENT_TASK_UPDATED] = { "system", "task_updated", event_write_task_updated },
	[EVENT_TASK_ENDED] = { "system", "task_notification", event_write_task_ended },
	[EVENT_COMPACTED] = { "system", "compact_boundary", event_write_compacted },
	[EVENT_RESET] = { "conversation_reset", "", event_write_reset },
	[EVENT_ENDING] = { "system", "worker_shutting_down", event_write_ending },
	[EVENT_HOST_REQUEST] = { "control_request", "", event_write_host_request, true },
	[EVENT_HOST_CANCEL] = { "control_cancel_request", "", event_write_host_cancel, true },
	[EVENT_REPLY] = { "control_response", "", event_write_reply, true },
	[EVENT_COMMANDS] = { "system", "commands_changed", event_write_commands },
	[EVENT_THINKING] = { "system", "thinking_tokens", event_write_thinking },
	[EVENT_SUGGESTION] = { "prompt_suggestion", "", event_write_suggestion },
	[EVENT_PAGE_DONE] = { "system", "elicitation_complete", event_write_page },
	[EVENT_TOOL_SUMMARY] = { "tool_use_summary", "", event_write_tool_summary },
	[EVENT_NOTIFICATION] = { "system", "notification", event_write_notification },
	[EVENT_GOAL] = { "active_goal", "", event_write_goal },
	[EVENT_RATE_LIMIT] = { "rate_limit_event", "", event_write_rate_limit },
	[EVENT_TERMINAL] = { "system", "terminal_sequence", event_write_terminal },
	[EVENT_HOOK_STARTED] = { "system", "hook_started", event_write_hook },
	[EVENT_HOOK_PROGRESS] = { "system", "hook_progress", event_write_hook },
	[EVENT_HOOK_RESPONSE] = { "system", "hook_response", event_write_hook },
};

const char *event_type(enum event_kind kind)
{
	return forms[kind].type;
}

const char *result_kind_name(enum result_kind kind)
{
	static const char *const names[RESULT_KINDS] = {
		[RESULT_SUCCESS] = "success",
		[RESULT_ERROR] = "error_during_execution",
		[RESULT_MAX_TURNS] = "error_max_turns",
		[RESULT_MAX_BUDGET] = "error_max_budget_usd",
		[RESULT_MAX_STRUCTURED_RETRIES] = "error_max_structured_output_retries",
	};

	return names[kind];
}

static const char *notice_level_name(enum notice_level level)
{
	static const char *const names[NOTICE_LEVELS] = {
		[NOTICE_INFO] = "info",
		[NOTICE_NOTICE] = "notice",
		[NOTICE_WARNING] = "warning",
	};

	return names[level];
}

enum notice_level notice_level_read(struct sv name)
{
	for (int i = 0; i < NOTICE_LEVELS; i++)
		if (sv_is(name, notice_level_name((enum notice_level)i)))
			return (enum notice_level)i;
	return NOTICE_INFO;
}

const char *prompt_state_name(enum prompt_state state)
{
	static const char *const names[PROMPT_STATES] = {
		[PROMPT_QUEUED] = "queued",
		[PROMPT_STARTED] = "started",
		[PROMPT_COMPLETED] = "completed",
		[PROMPT_CANCELLED] = "cancelled",
	};

	return names[state];
}

const char *command_status_name(enum command_status status)
{
	static const char *const names[COMMAND_STATUSES] = {
		[COMMAND_RUNNING] = "running",
		[COMMAND_COMPLETED] = "completed",
		[COMMAND_FAILED] = "failed",
		[COMMAND_STOPPED] = "stopped",
	};

	return names[status];
}

const char *session_activity_name(enum session_activity state)
{
	static const char *const names[ACTIVITIES] = {
		[ACTIVITY_RUNNING] = "running",
		[ACTIVITY_REQUIRES_ACTION] = "requires_action",
		[ACTIVITY_IDLE] = "idle",
	};

	return names[state];
}

const char *event_subtype(const struct event *event)
{
	return event->kind == EVENT_RESULT ? result_kind_name(event->result.outcome)
					   : forms[event->kind].subtype;
}

enum event_kind event_kind_of(struct sv type, struct sv subtype)
{
	for (size_t i = 0; i < EVENT_KINDS; i++) {
		const struct form *form = &forms[i];

		/* A subtype that is not part of the form does not change the kind. */
		if (sv_is(type, form->type) && (!form->subtype[0] || sv_is(subtype, form->subtype)))
			return (enum event_kind)i;
	}
	return EVENT_UNKNOWN;
}

static void event_put_prompts(struct jw *w, const struct event *e)
{
	if (!e->nprompts)
		return;
	jw_put_str(w, "user_message_uuid", e->prompts[e->nprompts - 1]);
	if (e->kind != EVENT_THINKING)
		event_put_list(w, "user_message_uuids", e->prompts, e->nprompts);
}

/* Write an ordinary piece of a response. There are tens of thousands of them in a long one, so all
 * that is the same in each of them is written at once; the ids are our own and need no escapes. */
static void event_write_piece(struct str *out, const struct event *e, struct sv uuid,
			      struct sv session_id)
{
	enum { AROUND = 128 }; /* more than the constant text below */

	str_reserve(out, e->stream.json.len + session_id.len + uuid.len + AROUND);
	str_add(out, SV("{\"type\":\"stream_event\",\"event\":"));
	str_add(out, e->stream.json);
	str_add(out, SV(",\"parent_tool_use_id\":null,\"session_id\":\""));
	str_add(out, session_id);
	str_add(out, SV("\",\"uuid\":\""));
	str_add(out, uuid);
	str_add(out, SV("\"}"));
}

static bool event_is_piece(const struct event *e)
{
	return e->kind == EVENT_STREAM && e->stream.json.len && e->stream.ttft_ms < 0 &&
	       !e->parent_tool_use_id.len && !e->nprompts;
}

void event_write(struct str *out, const struct event *event, struct sv uuid, struct sv session_id)
{
	const struct form *form = &forms[event->kind];
	struct jw w;

	BUG_ON(event->kind == EVENT_UNKNOWN);
	if (event_is_piece(event)) {
		event_write_piece(out, event, uuid, session_id);
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(form->type));
	event_put_if(&w, "subtype", sv_cstr(event_subtype(event)));
	form->write(&w, event);
	if (!form->control) {
		event_put_prompts(&w, event);
		if (!form->has_parent)
			event_put_if(&w, "awl_parent_tool_use_id", event->parent_tool_use_id);
		jw_put_str(&w, "session_id", session_id);
		jw_put_str(&w, "uuid", uuid);
	}
	jw_end(&w);
	jw_done(&w);
}
