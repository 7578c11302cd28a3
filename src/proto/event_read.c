/* The reader of events.
 *
 * Front ends get every event as one line of JSON, whether the engine runs in the same process or
 * at the other end of a pipe. They used to look into that JSON themselves, each in its own way,
 * and a word that changed in one place went unnoticed in the others. This file is the one place
 * that turns a line back into the struct it was written from; event.c has the other direction.
 *
 * Three rules keep the two in step:
 *
 *  - The kind of an event follows from the table in event.c, which is also what the writer uses,
 *    so a word of the wire stands in one place only. The switch in event_read_body() has no
 *    default: a new kind does not compile until it can be read.
 *  - The input may come from another version or from somebody hostile. An unknown kind is an
 *    event like any other (EVENT_UNKNOWN); a member that is missing or of the wrong type has the
 *    value it would have had if nobody had set it. Only a line that is not an event at all fails.
 *  - A line is parsed once. Values that have no type of their own (a message, the input of a
 *    tool) stay in the document as `struct json`; lists go into the reader's arena. Both live
 *    until the next line is read, and neither costs an allocation in the long run.
 *
 * What was written is read back equal, with one exception: tool progress travels in whole
 * seconds. tests/unit/proto/event_read.c checks this for every kind, and tests/fuzz/event.c for
 * whatever a fuzzer makes of them. */
#include "proto/event_read.h"

#include "base/limits.h"
#include "text/json/json_span.h"

void event_reader_clear(struct event_reader *reader)
{
	json_pool_clear(&reader->pool);
	arena_clear(&reader->arena);
}

static struct sv event_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* The class of an API error: our own word for it, if there is one. */
static struct sv event_error(struct json object)
{
	struct sv own = event_text(object, "awl_error");

	return own.len ? own : event_text(object, "error");
}

static bool event_flag(struct json object, const char *key)
{
	return json_bool_or(json_get(object, key), false);
}

/* A number that is never negative: a count, a duration, an HTTP status. */
static int64_t event_number(struct json object, const char *key)
{
	return max_of(json_int_or(json_get(object, key), 0), (int64_t)0);
}

static int event_small_number(struct json object, const char *key)
{
	return (int)min_of(event_number(object, key), (int64_t)INT32_MAX);
}

/* A duration that may be absent: -1. */
static int64_t event_duration(struct json object, const char *key)
{
	return max_of(json_int_or(json_get(object, key), -1), (int64_t)-1);
}

/* The texts of an array; an element that is not a text is skipped. */
static const struct sv *event_list(struct event_reader *r, struct json object, const char *key,
				   size_t *n)
{
	struct json list = json_get(object, key), item;
	struct sv *items = arena_calloc(&r->arena, json_len(list) + 1, sizeof(*items));
	struct json_iter it = json_each(list);

	*n = 0;
	while (!it.keyed && json_next(&it, NULL, &item))
		*n += json_str(item, &items[*n]);
	return items;
}

/* --- kinds ------------------------------------------------------------------------ */

static void event_read_commands(struct event_reader *r, struct event_init *out, struct json json)
{
	const struct sv *names = event_list(r, json, "slash_commands", &out->ncommands);
	struct reply_command *commands =
		arena_calloc(&r->arena, out->ncommands + 1, sizeof(*commands));

	for (size_t i = 0; i < out->ncommands; i++)
		commands[i].name = names[i];
	out->commands = commands;
}

/* Texts, joined by spaces. */
static struct sv event_words(struct event_reader *r, struct json list)
{
	defer(str_clear) struct str words = STR_INIT;
	struct json_iter it = json_each(list);
	struct json item;

	while (json_next(&it, NULL, &item))
		str_addf(&words, "%s%.*s", words.len ? " " : "",
			 SV_ARG(json_str_or(item, SV_EMPTY)));
	return arena_dup(&r->arena, sv_of(&words));
}

static void event_read_all_commands(struct event_reader *r, struct event *out, struct json list)
{
	struct reply_command *commands =
		arena_calloc(&r->arena, json_len(list) + 1, sizeof(*commands));
	struct json_iter it = json_each(list);
	struct json item;

	out->commands.at = commands;
	while (json_next(&it, NULL, &item))
		commands[out->commands.n++] = (struct reply_command){
			.name = event_text(item, "name"),
			.description = event_text(item, "description"),
			.argument_hint = event_text(item, "argumentHint"),
			.aliases = event_words(r, json_get(item, "aliases")),
			.is_builtin = event_flag(item, "builtin"),
		};
}

static void event_read_init(struct event_reader *r, struct event_init *out, struct json json)
{
	*out = (struct event_init){
		.cwd = event_text(json, "cwd"),
		.model = event_text(json, "model"),
		.permission_mode = event_text(json, "permissionMode"),
		.api_key_source = event_text(json, "apiKeySource"),
		.version = event_text(json, "claude_code_version"),
		.output_style = event_text(json, "output_style"),
		.effort = event_text(json, "effort"),
	};
	fast_mode_read(&out->fast, json);
	out->tools = event_list(r, json, "tools", &out->ntools);
	out->dirs = event_list(r, json, "additional_directories", &out->ndirs);
	out->agents = event_list(r, json, "agents", &out->nagents);
	event_read_commands(r, out, json);
}

static void event_read_decision(struct event_decision *out, struct json meta)
{
	struct json decision = json_get(meta, "permission_decision");
	struct sv source = event_text(decision, "source");

	*out = (struct event_decision){
		.id = event_text(meta, "id"),
		.accepted = sv_is(event_text(decision, "decision"), "accept"),
		.why = verdict_reason_read(event_text(decision, "reason_type")),
		.is_permanent = sv_is(source, "user_permanent"),
		.text = event_text(meta, "awl_reason"),
	};
}

static void event_read_message(struct event_message *out, struct json json)
{
	*out = (struct event_message){
		.value = json_get(json, "message"),
		.request_id = event_text(json, "request_id"),
		.timestamp = event_text(json, "timestamp"),
		.tool_use_result_value = json_get(json, "tool_use_result"),
		.error = event_error(json),
		.status = event_small_number(json, "api_error_status"),
		.is_synthetic = event_flag(json, "isSynthetic"),
		.is_replay = event_flag(json, "isReplay"),
		.is_aborted = event_flag(json, "aborted"),
	};
	event_read_decision(&out->decision, json_at(json_get(json, "tool_result_meta"), 0));
}

static void event_read_denials(struct event_reader *r, struct event_result *out, struct json list)
{
	struct event_denial *denials =
		arena_calloc(&r->arena, json_len(list) + 1, sizeof(*denials));
	struct json_iter it = json_each(list);
	struct json item;

	while (!it.keyed && json_next(&it, NULL, &item))
		denials[out->ndenials++] = (struct event_denial){
			.tool = event_text(item, "tool_name"),
			.id = event_text(item, "tool_use_id"),
			.input_value = json_get(item, "tool_input"),
		};
	out->denials = denials;
}

/* A kind of failure that we do not know is still a failure. */
static enum result_kind event_result_kind(struct sv subtype)
{
	for (size_t i = 0; i < RESULT_KINDS; i++)
		if (sv_is(subtype, result_kind_name((enum result_kind)i)))
			return (enum result_kind)i;
	return RESULT_ERROR;
}

static void event_read_reason(struct event_result *out, struct sv name)
{
	for (size_t i = 0; i < END_REASONS && !out->has_reason; i++) {
		out->reason = (enum end_reason)i;
		out->has_reason = sv_is(name, end_reason_name(out->reason));
	}
	if (!out->has_reason)
		out->reason = END_COMPLETED;
}

static void event_read_reset(struct event *out, struct json json)
{
	out->reset.id = event_text(json, "new_conversation_id");
	out->reset.prompt = event_text(json, "user_message_uuid");
}

static void event_read_result(struct event_reader *r, struct event_result *out, struct json json)
{
	enum result_kind outcome = event_result_kind(event_text(json, "subtype"));

	*out = (struct event_result){
		.outcome = outcome,
		.is_error = json_bool_or(json_get(json, "is_error"), true),
		.text = event_text(json, "result"),
		.error = json_str_or(json_path(json, "errors[0]"), SV_EMPTY),
		.duration_ms = event_number(json, "duration_ms"),
		.duration_api_ms = event_number(json, "duration_api_ms"),
		.ttft_ms = event_duration(json, "ttft_ms"),
		.num_turns = event_number(json, "num_turns"),
		.stop_reason = event_text(json, "stop_reason"),
		.api_error_status = event_small_number(json, "api_error_status"),
		.cost_usd = json_real_or(json_get(json, "total_cost_usd"), 0),
		.cost_known = !event_flag(json, "awl_cost_incomplete"),
		.structured_output_value = json_get(json, "structured_output"),
		.startup_failure = event_text(json, "startup_failure_reason"),
		.local_command = event_text(json, "local_command"),
		.not_saved = event_text(json, "awl_not_saved"),
		.forked_from = event_text(json, "awl_forked_from"),
		.is_notice =
			sv_is(event_text(json_get(json, "origin"), "kind"), "task-notification"),
		.channel = event_text(json_get(json, "origin"), "server"),
		.nqueued = event_number(json, "queued_turn_count"),
		.index = event_number(json, "result_index"),
	};
	fast_mode_read(&out->fast, json);
	event_read_reason(out, event_text(json, "terminal_reason"));
	usage_counts_read(&out->usage, json_get(json, "usage"));
	out->nmodels = usage_models_read(&out->models, json_get(json, "modelUsage"),
					 LIMIT_COST_MODELS, &r->arena);
	out->nrecent_models = usage_models_read(&out->recent_models,
						json_get(json, "model_usage_since_last_result"),
						LIMIT_COST_MODELS, &r->arena);
	event_read_denials(r, out, json_get(json, "permission_denials"));
	out->deferred = (struct event_denial){
		.tool = json_str_or(json_path(json, "deferred_tool_use.name"), SV_EMPTY),
		.id = json_str_or(json_path(json, "deferred_tool_use.id"), SV_EMPTY),
		.input_value = json_path(json, "deferred_tool_use.input"),
	};
}

static void event_read_state(struct event *out, struct json json)
{
	struct sv name = event_text(json, "state");
	size_t i = 0;

	while (i < ACTIVITIES && !sv_is(name, session_activity_name((enum session_activity)i)))
		i++;
	if (i == ACTIVITIES)
		out->kind = EVENT_UNKNOWN;
	out->state.state = (enum session_activity)i;
	out->state.host_only = event_flag(json, "sdk_host_only");
}

static void event_read_prompt(struct event *out, struct json json)
{
	struct sv name = event_text(json, "state");
	size_t i = 0;

	while (i < PROMPT_STATES && !sv_is(name, prompt_state_name((enum prompt_state)i)))
		i++;
	if (i == PROMPT_STATES)
		out->kind = EVENT_UNKNOWN;
	out->prompt.state = (enum prompt_state)i;
	out->prompt.uuid = event_text(json, "command_uuid");
}

static void event_read_task(struct event_task *out, struct json json)
{
	struct json patch = json_get(json, "patch"), usage = json_get(json, "usage");
	struct sv status =
		json_exists(patch) ? event_text(patch, "status") : event_text(json, "status");
	size_t i = 0;

	while (i < COMMAND_STATUSES && !sv_is(status, command_status_name((enum command_status)i)))
		i++;
	*out = (struct event_task){
		.id = event_text(json, "task_id"),
		.call = event_text(json, "tool_use_id"),
		.type = event_text(json, "task_type"),
		.is_awaited = !json_bool_or(json_get(json, "is_backgrounded"), true),
		.description = event_text(json, "description"),
		.status = sv_is(status, "killed") ? COMMAND_STOPPED
			  : i < COMMAND_STATUSES  ? (enum command_status)i
						  : COMMAND_RUNNING,
		.end_ms = event_number(patch, "end_time"),
		.output_file = event_text(json, "output_file"),
		.summary = event_text(json, "summary"),
		.agent_type = event_text(json, "subagent_type"),
		.parent = event_text(json, "parent_task_id"),
		.prompt = event_text(json, "prompt"),
		.last_tool = event_text(json, "last_tool_name"),
		.depth = event_number(json, "spawn_depth"),
		.total_tokens = event_number(usage, "total_tokens"),
		.tool_uses = event_number(usage, "tool_uses"),
		.duration_ms = event_number(usage, "duration_ms"),
	};
}

static void event_read_tasks(struct event_reader *r, struct event *out, struct json list)
{
	struct event_task *tasks = arena_calloc(&r->arena, json_len(list) + 1, sizeof(*tasks));
	struct json_iter it = json_each(list);
	struct json item;

	while (!it.keyed && json_next(&it, NULL, &item))
		event_read_task(&tasks[out->tasks.n++], item);
	out->tasks.at = tasks;
}

static void event_read_transition(struct event *out, struct json json)
{
	struct sv name = event_text(json, "reason");
	size_t i = 0;

	while (i < GO_REASONS && !sv_is(name, go_reason_name((enum go_reason)i)))
		i++;
	if (i == GO_REASONS)
		out->kind = EVENT_UNKNOWN;
	out->transition.reason = (enum go_reason)i;
}

static void event_read_retry(struct event_retry *out, struct json json)
{
	*out = (struct event_retry){
		.attempt = event_small_number(json, "attempt"),
		.max = event_small_number(json, "max_retries"),
		.delay_ms = event_number(json, "retry_delay_ms"),
		.status = event_small_number(json, "error_status"),
		.error = event_error(json),
		.text = event_text(json, "awl_text"),
	};
}

static void event_read_waiting(struct event *out, struct json json)
{
	out->progress.request_id = event_text(json, "request_id");
	event_read_retry(&out->progress.retry, json);
}

static void event_read_denied(struct event_reader *r, struct event *out, struct json json)
{
	out->denied.tool = event_text(json, "tool_name");
	out->denied.id = event_text(json, "tool_use_id");
	out->denied.reason_type = event_text(json, "decision_reason_type");
	out->denied.reason = event_text(json, "decision_reason");
	out->denied.message = event_text(json, "message");
	out->denied.nobody_to_ask = event_flag(json, "awl_nobody_to_ask");
	out->denied.input_value = json_get(json, "awl_tool_input");
	out->denied.rules = event_list(r, json, "awl_rules", &out->denied.nrules);
}

static void event_read_progress(struct event *out, struct json json)
{
	int64_t seconds = min_of(event_number(json, "elapsed_time_seconds"), INT64_MAX / 1000);

	out->tool.tool = event_text(json, "tool_name");
	out->tool.id = event_text(json, "parent_tool_use_id");
	out->tool.elapsed_ms = seconds * 1000;
}

static void event_read_hook(struct event_hook *out, struct json json)
{
	*out = (struct event_hook){
		.id = event_text(json, "hook_id"),
		.name = event_text(json, "hook_name"),
		.event = event_text(json, "hook_event"),
		.status = event_text(json, "awl_status_message"),
		.out = event_text(json, "stdout"),
		.err = event_text(json, "stderr"),
		.has_code = json_exists(json_get(json, "exit_code")),
		.code = event_small_number(json, "exit_code"),
		.outcome = event_text(json, "outcome"),
	};
}

/* --- all -------------------------------------------------------------------------- */

static void event_read_info(struct event *out, struct json json)
{
	out->info.text = event_text(json, "content");
	out->info.level = notice_level_read(event_text(json, "level"));
	out->info.id = event_text(json, "tool_use_id");
	out->info.tag = event_text(json, "tag");
	out->info.prevents = event_flag(json, "prevent_continuation");
}

static void event_read_status(struct event *out, struct json json)
{
	out->status.status = event_text(json, "status");
	out->status.permission_mode = event_text(json, "permissionMode");
	out->status.is_compacting = sv_is(out->status.status, "compacting");
	out->status.compact_result = event_text(json, "compact_result");
	out->status.compact_error = event_text(json, "compact_error");
}

static void event_read_page(struct event *out, struct json json)
{
	out->page.server = event_text(json, "mcp_server_name");
	out->page.id = event_text(json, "elicitation_id");
}

static void event_read_compacted(struct event *out, struct json metadata)
{
	out->compacted.is_manual = sv_is(event_text(metadata, "trigger"), "manual");
	out->compacted.before = event_number(metadata, "pre_tokens");
	out->compacted.after = event_number(metadata, "post_tokens");
	out->compacted.duration_ms = event_number(metadata, "duration_ms");
}

static void event_read_tool_summary(struct event_reader *r, struct event *out, struct json json)
{
	out->tool_summary.text = event_text(json, "summary");
	out->tool_summary.ids =
		event_list(r, json, "preceding_tool_use_ids", &out->tool_summary.nids);
}

static void event_read_goal(struct event *out, struct json value)
{
	out->goal.condition = event_text(value, "condition");
	out->goal.reason = event_text(value, "last_reason");
	out->goal.rounds = event_number(value, "iterations");
	out->goal.set_at_ms = event_number(value, "set_at");
	out->goal.tokens_at_start = event_number(value, "tokens_at_start");
}

static void event_read_fallback(struct event *out, struct json json)
{
	out->fallback.from = event_text(json, "original_model");
	out->fallback.to = event_text(json, "fallback_model");
	out->fallback.text = event_text(json, "content");
}

static void event_read_refused(struct event *out, struct json json)
{
	out->refused.model = event_text(json, "original_model");
	out->refused.request_id = event_text(json, "request_id");
	out->refused.category = event_text(json, "api_refusal_category");
	out->refused.why = event_text(json, "api_refusal_explanation");
	out->refused.prompt = event_text(json, "refused_user_message_uuid");
	out->refused.text = event_text(json, "content");
}

static void event_read_body(struct event_reader *r, struct event *out, struct json json)
{
	switch (out->kind) {
	case EVENT_INIT: event_read_init(r, &out->init, json); break;
	case EVENT_ASSISTANT:
	case EVENT_USER: event_read_message(&out->message, json); break;
	case EVENT_STREAM:
		out->stream.value = json_get(json, "event");
		out->stream.ttft_ms = event_duration(json, "ttft_ms");
		break;
	case EVENT_RESULT: event_read_result(r, &out->result, json); break;
	case EVENT_STATUS: event_read_status(out, json); break;
	case EVENT_STATE: event_read_state(out, json); break;
	case EVENT_RETRY: event_read_retry(&out->retry, json); break;
	case EVENT_STALL:
		out->stall.silent_ms = event_number(json, "silent_ms");
		out->stall.limit_ms = event_number(json, "limit_ms");
		break;
	case EVENT_DISCARD:
		out->discard.uuids = event_list(r, json, "message_uuids", &out->discard.n);
		break;
	case EVENT_DENIED: event_read_denied(r, out, json); break;
	case EVENT_FALLBACK: event_read_fallback(out, json); break;
	case EVENT_REFUSED: event_read_refused(out, json); break;
	case EVENT_INFORMATIONAL: event_read_info(out, json); break;
	case EVENT_TRANSITION: event_read_transition(out, json); break;
	case EVENT_TOOL_PROGRESS: event_read_progress(out, json); break;
	case EVENT_TOOL_OUTPUT:
		out->tool.tool = event_text(json, "tool_name");
		out->tool.id = event_text(json, "tool_use_id");
		out->tool.text = event_text(json, "text");
		break;
	case EVENT_PROMPT: event_read_prompt(out, json); break;
	case EVENT_PROGRESS: event_read_waiting(out, json); break;
	case EVENT_MIRROR:
		out->mirror.path = event_text(json, "filePath");
		out->mirror.entries_value = json_get(json, "entries");
		break;
	case EVENT_TASKS: event_read_tasks(r, out, json_get(json, "tasks")); break;
	case EVENT_TASK_STARTED:
	case EVENT_TASK_PROGRESS:
	case EVENT_TASK_UPDATED:
	case EVENT_TASK_ENDED: event_read_task(&out->task, json); break;
	case EVENT_COMPACTED: event_read_compacted(out, json_get(json, "compact_metadata")); break;
	case EVENT_RESET: event_read_reset(out, json); break;
	case EVENT_ENDING: break;
	case EVENT_HOST_REQUEST: host_request_read(&out->request, json, &r->arena); break;
	case EVENT_HOST_CANCEL: out->cancel.request_id = event_text(json, "request_id"); break;
	case EVENT_REPLY: control_reply_read(&out->reply, json); break;
	case EVENT_COMMANDS: event_read_all_commands(r, out, json_get(json, "commands")); break;
	case EVENT_THINKING:
		out->thinking.tokens = json_int_or(json_get(json, "estimated_tokens"), 0);
		out->thinking.more = json_int_or(json_get(json, "estimated_tokens_delta"), 0);
		break;
	case EVENT_SUGGESTION: out->suggestion.text = event_text(json, "suggestion"); break;
	case EVENT_PAGE_DONE: event_read_page(out, json); break;
	case EVENT_TOOL_SUMMARY: event_read_tool_summary(r, out, json); break;
	case EVENT_NOTIFICATION: out->notification.text = event_text(json, "text"); break;
	case EVENT_GOAL: event_read_goal(out, json_get(json, "value")); break;
	case EVENT_RATE_LIMIT:
		rate_limit_read(&out->rate_limit, json_get(json, "rate_limit_info"));
		break;
	case EVENT_TERMINAL: out->terminal.sequence = event_text(json, "sequence"); break;
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_PROGRESS:
	case EVENT_HOOK_RESPONSE: event_read_hook(&out->hook, json); break;
	case EVENT_UNKNOWN: break;
	}
}

/* The SDK names the parent call of messages and stream events; the rest is awl's own. */
static struct sv event_parent(const struct event *event, struct json json)
{
	if (event->kind == EVENT_HOST_REQUEST)
		return event->request.parent_tool_use_id;
	if (event->kind == EVENT_ASSISTANT || event->kind == EVENT_USER ||
	    event->kind == EVENT_STREAM)
		return event_text(json, "parent_tool_use_id");
	return event_text(json, "awl_parent_tool_use_id");
}

bool event_read(struct event_reader *reader, struct sv line, struct event *out, struct err *err)
{
	struct event event = { .kind = EVENT_UNKNOWN };
	struct json json;
	struct sv type;

	if (!json_parse_in(&reader->pool, line, 0, &json, err))
		return false;
	if (!json_is(json, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "an event must be an object, not %s",
			       json_type_name(json_type(json)));
	if (!json_need_str(json, "type", &type, err))
		return err_context(err, "an event");
	arena_reset(&reader->arena);
	reader->uuid = event_text(json, "uuid");
	reader->session_id = event_text(json, "session_id");
	event.kind = event_kind_of(type, event_text(json, "subtype"));
	event_read_body(reader, &event, json);
	event.prompts = event_list(reader, json, "user_message_uuids", &event.nprompts);
	event.parent_tool_use_id = event_parent(&event, json);
	event.agent = (struct event_agent){ .id = event_text(json, "agent_id"),
					    .type = event_text(json, "subagent_type"),
					    .description = event_text(json, "task_description") };
	*out = event;
	return true;
}

bool event_read_verdict(struct sv line, struct event *out, struct err *err)
{
	struct json_span is_error, denials;

	if (!json_span_find(line, JSON_STEPS(SV("is_error")), &is_error, err) ||
	    !json_span_find(line, JSON_STEPS(SV("permission_denials")), &denials, err))
		return false;
	*out = (struct event){
		.kind = EVENT_RESULT,
		.result = { .is_error = sv_is(json_span_sv(line, is_error), "true"),
			    .ndenials = !sv_is(json_span_sv(line, denials), "[]") },
	};
	return true;
}
