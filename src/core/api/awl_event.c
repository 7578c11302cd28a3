/* awl.h: events. The JSON of an event is read when somebody asks for a part of it, and only
 * then: most programs look at few events, and most front ends write the JSON out as it is. */
#include <stdlib.h>

#include "core/api/awl_int.h"
#include "proto/message.h"
#include "text/json/json_write.h"

static const enum awl_event_kind awl_event_kinds[EVENT_KINDS] = {
	[EVENT_INIT] = AWL_EVENT_INIT,
	[EVENT_ASSISTANT] = AWL_EVENT_ASSISTANT,
	[EVENT_USER] = AWL_EVENT_USER,
	[EVENT_STREAM] = AWL_EVENT_STREAM,
	[EVENT_RESULT] = AWL_EVENT_RESULT,
	[EVENT_STATUS] = AWL_EVENT_STATUS,
	[EVENT_STATE] = AWL_EVENT_STATE,
	[EVENT_RETRY] = AWL_EVENT_RETRY,
	[EVENT_STALL] = AWL_EVENT_STALL,
	[EVENT_DISCARD] = AWL_EVENT_DISCARD,
	[EVENT_DENIED] = AWL_EVENT_DENIED,
	[EVENT_FALLBACK] = AWL_EVENT_FALLBACK,
	[EVENT_INFORMATIONAL] = AWL_EVENT_INFORMATIONAL,
	[EVENT_TRANSITION] = AWL_EVENT_TRANSITION,
	[EVENT_TOOL_PROGRESS] = AWL_EVENT_TOOL_PROGRESS,
	[EVENT_TOOL_OUTPUT] = AWL_EVENT_TOOL_OUTPUT,
	[EVENT_REFUSED] = AWL_EVENT_OTHER,
	[EVENT_PROMPT] = AWL_EVENT_OTHER,
	[EVENT_PROGRESS] = AWL_EVENT_OTHER,
	[EVENT_ENDING] = AWL_EVENT_OTHER,
	[EVENT_MIRROR] = AWL_EVENT_OTHER,
	[EVENT_TASKS] = AWL_EVENT_OTHER,
	[EVENT_TASK_STARTED] = AWL_EVENT_OTHER,
	[EVENT_TASK_PROGRESS] = AWL_EVENT_OTHER,
	[EVENT_TASK_UPDATED] = AWL_EVENT_OTHER,
	[EVENT_TASK_ENDED] = AWL_EVENT_OTHER,
	[EVENT_COMPACTED] = AWL_EVENT_COMPACTED,
	[EVENT_RESET] = AWL_EVENT_OTHER,
	[EVENT_HOST_REQUEST] = AWL_EVENT_QUESTION,
	[EVENT_HOST_CANCEL] = AWL_EVENT_QUESTION_VOID,
	[EVENT_REPLY] = AWL_EVENT_REPLY,
	[EVENT_COMMANDS] = AWL_EVENT_OTHER,
	[EVENT_THINKING] = AWL_EVENT_OTHER,
	[EVENT_SUGGESTION] = AWL_EVENT_OTHER,
	[EVENT_PAGE_DONE] = AWL_EVENT_OTHER,
	[EVENT_TOOL_SUMMARY] = AWL_EVENT_OTHER,
	[EVENT_NOTIFICATION] = AWL_EVENT_OTHER,
	[EVENT_GOAL] = AWL_EVENT_OTHER,
	[EVENT_RATE_LIMIT] = AWL_EVENT_OTHER,
	[EVENT_TERMINAL] = AWL_EVENT_OTHER,
	[EVENT_HOOK_STARTED] = AWL_EVENT_HOOK,
	[EVENT_HOOK_PROGRESS] = AWL_EVENT_HOOK,
	[EVENT_HOOK_RESPONSE] = AWL_EVENT_HOOK,
};

struct awl_event *awl_event_new(const struct event *event, struct str *json)
{
	struct awl_event *e = xnew(struct awl_event);

	e->kind = awl_event_kinds[event->kind];
	if (event->kind == EVENT_HOST_REQUEST && event->request.kind != HOST_CAN_USE_TOOL)
		e->kind = AWL_EVENT_OTHER; /* not a question of permission */
	e->type = event_type(event->kind);
	e->subtype = event_subtype(event);
	e->json = *json;
	*json = (struct str)STR_INIT;
	return e;
}

static void awl_event_parts_free(struct awl_event_parts *parts)
{
	event_reader_clear(&parts->reader);
	str_clear(&parts->text);
	str_clear(&parts->thinking);
	str_clear(&parts->input);
	str_clear(&parts->suggestions);
	str_clear(&parts->response);
	str_clear(&parts->output);
	free(parts);
}

void awl_event_free(struct awl_event *e)
{
	if (!e)
		return;
	free(e->request);
	str_clear(&e->json);
	if (e->parts)
		awl_event_parts_free(e->parts);
	free(e);
}

/* --- the JSON ------------------------------------------------------------------------ */

/* To its users an event is constant; what it keeps is made here. An event of ours that cannot be
 * read, since it is nested too deeply, says nothing. */
static struct awl_event_parts *awl_event_parts(const struct awl_event *e)
{
	struct awl_event_parts *parts = e->parts;
	struct err err = ERR_INIT;

	if (parts)
		return parts;
	parts = xnew(struct awl_event_parts);
	if (!event_read(&parts->reader, sv_of(&e->json), &parts->event, &err))
		parts->event = (struct event){ .kind = EVENT_UNKNOWN };
	((struct awl_event *)e)->parts = parts;
	return parts;
}

static const struct event *awl_event_read(const struct awl_event *e)
{
	return &awl_event_parts(e)->event;
}

/* A text of the event, NUL-terminated as JSON texts are. */
static const char *awl_event_str(struct sv text)
{
	return text.len ? text.ptr : "";
}

/* Find the first content block of this kind. */
static bool awl_event_block(const struct event *event, enum block_kind kind, struct block *out)
{
	struct json_iter it = message_blocks(event->message.value);

	while (message_next(&it, out))
		if (out->kind == kind)
			return true;
	*out = (struct block){ .kind = BLOCK_OTHER };
	return false;
}

/* Return the JSON of a value, "" when it is missing. It is written to `kept` once. */
static const char *awl_event_write(struct str *kept, struct json value)
{
	struct jw w;

	if (!kept->len && json_exists(value) && !json_is(value, JSON_NULL)) {
		jw_init(&w, kept, JW_COMPACT);
		jw_value(&w, value);
		jw_done(&w);
	}
	return str_c(kept);
}

/* --- what every event has -------------------------------------------------------------- */

enum awl_event_kind awl_event_kind(const struct awl_event *e)
{
	return e->kind;
}

const char *awl_event_json(const struct awl_event *e)
{
	return str_c(&e->json);
}

size_t awl_event_length(const struct awl_event *e)
{
	return e->json.len;
}

const char *awl_event_type(const struct awl_event *e)
{
	return e->type;
}

const char *awl_event_subtype(const struct awl_event *e)
{
	return e->subtype;
}

const char *awl_event_session_id(const struct awl_event *e)
{
	return awl_event_str(awl_event_parts(e)->reader.session_id);
}

const char *awl_event_uuid(const struct awl_event *e)
{
	return awl_event_str(awl_event_parts(e)->reader.uuid);
}

const char *awl_event_parent_tool_use_id(const struct awl_event *e)
{
	return awl_event_str(awl_event_read(e)->parent_tool_use_id);
}

/* --- texts ----------------------------------------------------------------------------- */

/* Append the texts of all blocks of this kind, separated by empty lines. */
static void awl_event_add_blocks(struct str *out, const struct event *event, enum block_kind kind)
{
	struct json_iter it = message_blocks(event->message.value);
	struct block block;

	while (message_next(&it, &block))
		if (block.kind == kind && block.text.len)
			str_addf(out, "%s%.*s", out->len ? "\n\n" : "", SV_ARG(block.text));
}

static void awl_event_add_user(struct str *out, const struct event *event)
{
	struct block result;

	if (awl_event_block(event, BLOCK_TOOL_RESULT, &result))
		content_text(out, result.content);
	else
		content_text(out, message_content(event->message.value));
}

static struct sv awl_event_only_text(const struct event *event)
{
	switch (event->kind) {
	case EVENT_STREAM: return stream_text(event->stream.value);
	case EVENT_STATE: return sv_cstr(session_activity_name(event->state.state));
	case EVENT_STATUS: return event->status.status;
	case EVENT_RETRY: return event->retry.text;
	case EVENT_DENIED: return event->denied.message;
	case EVENT_FALLBACK: return event->fallback.text;
	case EVENT_REFUSED: return event->refused.text;
	case EVENT_INFORMATIONAL: return event->info.text;
	case EVENT_TRANSITION: return sv_cstr(go_reason_name(event->transition.reason));
	case EVENT_TOOL_OUTPUT: return event->tool.text;
	case EVENT_HOST_REQUEST:
		return event->request.kind == HOST_CAN_USE_TOOL ? event->request.permission.reason
								: SV_EMPTY;
	case EVENT_REPLY:
		return event->reply.kind == REPLY_ERROR ? event->reply.error.text : SV_EMPTY;
	case EVENT_RESULT:
		return event->result.outcome == RESULT_SUCCESS ? event->result.text
							       : event->result.error;
	case EVENT_ASSISTANT:
	case EVENT_USER:
	case EVENT_INIT:
	case EVENT_STALL:
	case EVENT_DISCARD:
	case EVENT_PROMPT:
	case EVENT_PROGRESS:
	case EVENT_ENDING:
	case EVENT_MIRROR:
	case EVENT_COMMANDS:
	case EVENT_THINKING:
	case EVENT_SUGGESTION:
	case EVENT_PAGE_DONE:
	case EVENT_TOOL_SUMMARY:
	case EVENT_NOTIFICATION:
	case EVENT_GOAL:
	case EVENT_RATE_LIMIT:
	case EVENT_TERMINAL:
	case EVENT_TASKS:
	case EVENT_TASK_STARTED:
	case EVENT_TASK_PROGRESS:
	case EVENT_TASK_UPDATED:
	case EVENT_TASK_ENDED:
	case EVENT_COMPACTED:
	case EVENT_RESET:
	case EVENT_TOOL_PROGRESS:
	case EVENT_HOST_CANCEL:
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_PROGRESS:
	case EVENT_HOOK_RESPONSE:
	case EVENT_UNKNOWN: break;
	}
	return SV_EMPTY;
}

const char *awl_event_text(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);
	struct str *text = &awl_event_parts(e)->text;

	if (event->kind != EVENT_ASSISTANT && event->kind != EVENT_USER)
		return awl_event_str(awl_event_only_text(event));
	if (!text->len && event->kind == EVENT_ASSISTANT)
		awl_event_add_blocks(text, event, BLOCK_TEXT);
	else if (!text->len)
		awl_event_add_user(text, event);
	return str_c(text);
}

const char *awl_event_thinking(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);
	struct str *thinking = &awl_event_parts(e)->thinking;

	if (event->kind == EVENT_STREAM)
		return awl_event_str(stream_thinking(event->stream.value));
	if (event->kind == EVENT_ASSISTANT && !thinking->len)
		awl_event_add_blocks(thinking, event, BLOCK_THINKING);
	return str_c(thinking);
}

/* --- tools ------------------------------------------------------------------------------ */

/* What an event says about a call; empty where it says nothing. */
static struct block awl_event_call(const struct event *event)
{
	struct block call = { .kind = BLOCK_OTHER };

	if (event->kind == EVENT_ASSISTANT) {
		awl_event_block(event, BLOCK_TOOL_USE, &call);
	} else if (event->kind == EVENT_USER) {
		awl_event_block(event, BLOCK_TOOL_RESULT, &call);
	} else if (event->kind == EVENT_HOST_REQUEST && event->request.kind == HOST_CAN_USE_TOOL) {
		call.tool = event->request.permission.tool;
		call.id = event->request.permission.id;
		call.input = event->request.permission.input_value;
	} else if (event->kind == EVENT_DENIED) {
		call.tool = event->denied.tool;
		call.id = event->denied.id;
		call.input = event->denied.input_value;
	} else if (event->kind == EVENT_TOOL_PROGRESS || event->kind == EVENT_TOOL_OUTPUT) {
		call.tool = event->tool.tool;
		call.id = event->tool.id;
	} else if (event->kind == EVENT_INFORMATIONAL) {
		call.id = event->info.id;
	}
	return call;
}

const char *awl_event_tool_name(const struct awl_event *e)
{
	return awl_event_str(awl_event_call(awl_event_read(e)).tool);
}

const char *awl_event_tool_use_id(const struct awl_event *e)
{
	return awl_event_str(awl_event_call(awl_event_read(e)).id);
}

const char *awl_event_tool_input(const struct awl_event *e)
{
	return awl_event_write(&awl_event_parts(e)->input, awl_event_call(awl_event_read(e)).input);
}

/* --- how it went -------------------------------------------------------------------------- */

bool awl_event_is_error(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);

	return (event->kind == EVENT_RESULT && event->result.is_error) ||
	       (event->kind == EVENT_ASSISTANT && event->message.error.len) ||
	       (event->kind == EVENT_USER && awl_event_call(event).is_error) ||
	       (event->kind == EVENT_REPLY && event->reply.kind == REPLY_ERROR);
}

enum awl_result awl_event_result(const struct awl_event *e)
{
	if (e->kind == AWL_EVENT_RESULT)
		return e->result;
	return awl_event_is_error(e) ? AWL_ERR_FAILED : AWL_OK;
}

const char *awl_event_request_id(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);

	return awl_event_str(event->kind == EVENT_REPLY          ? event->reply.request_id
			     : event->kind == EVENT_HOST_REQUEST ? event->request.id
			     : event->kind == EVENT_HOST_CANCEL  ? event->cancel.request_id
								 : SV_EMPTY);
}

const char *awl_event_suggestions(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);
	struct str *kept = &awl_event_parts(e)->suggestions;
	struct jw w;

	if (event->kind != EVENT_HOST_REQUEST || event->request.kind != HOST_CAN_USE_TOOL ||
	    !event->request.permission.nsuggestions)
		return "";
	if (!kept->len) {
		jw_init(&w, kept, JW_COMPACT);
		permission_changes_write(&w, event->request.permission.suggestions,
					 event->request.permission.nsuggestions);
		jw_done(&w);
	}
	return kept->ptr;
}

const char *awl_event_response(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);

	if (event->kind != EVENT_REPLY || event->reply.kind != REPLY_VALUE)
		return "";
	return awl_event_write(&awl_event_parts(e)->response, event->reply.value);
}

const char *awl_event_structured_output(const struct awl_event *e)
{
	const struct event *event = awl_event_read(e);

	if (event->kind != EVENT_RESULT)
		return "";
	return awl_event_write(&awl_event_parts(e)->output, event->result.structured_output_value);
}

/* --- what it took --------------------------------------------------------------------------- */

int64_t awl_event_tokens(const struct awl_event *e, enum awl_tokens which)
{
	const struct event *event = awl_event_read(e);
	struct usage_counts usage = { .known = false };

	if (event->kind == EVENT_ASSISTANT)
		message_usage(&usage, event->message.value);
	else if (event->kind == EVENT_RESULT)
		usage = event->result.usage;
	switch (which) {
	case AWL_TOKENS_INPUT: return usage.input;
	case AWL_TOKENS_OUTPUT: return usage.output;
	case AWL_TOKENS_CACHE_READ: return usage.cache_read;
	case AWL_TOKENS_CACHE_WRITE: return usage.cache_write_5m + usage.cache_write_1h;
	}
	return 0;
}

/* The result that an event is, or one of zeros. */
static const struct event_result *awl_event_turn(const struct awl_event *e)
{
	static const struct event_result none = { .outcome = RESULT_SUCCESS };
	const struct event *event = awl_event_read(e);

	return event->kind == EVENT_RESULT ? &event->result : &none;
}

double awl_event_cost_usd(const struct awl_event *e)
{
	return awl_event_turn(e)->cost_usd;
}

int64_t awl_event_duration_ms(const struct awl_event *e)
{
	return awl_event_turn(e)->duration_ms;
}

int64_t awl_event_num_turns(const struct awl_event *e)
{
	return awl_event_turn(e)->num_turns;
}
