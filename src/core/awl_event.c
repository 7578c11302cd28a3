/* awl.h: events. The JSON of an event is parsed when somebody asks for a part of it, and only
 * then: most programs look at few events, and most front ends write the JSON out as it is. */
#include <stdlib.h>

#include "core/awl_int.h"
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
	[EVENT_HOST_REQUEST] = AWL_EVENT_QUESTION,
	[EVENT_HOST_CANCEL] = AWL_EVENT_QUESTION_VOID,
	[EVENT_REPLY] = AWL_EVENT_REPLY,
};

struct awl_event *awl_event_new(const struct event *event, struct sv json)
{
	struct awl_event *e = xnew(struct awl_event);

	e->kind = awl_event_kinds[event->kind];
	e->type = event_type(event->kind);
	e->subtype = event_subtype(event);
	str_add(&e->json, json);
	return e;
}

void awl_event_free(struct awl_event *e)
{
	if (!e)
		return;
	free(e->request);
	json_doc_free(e->doc);
	str_clear(&e->json);
	str_clear(&e->text);
	str_clear(&e->thinking);
	str_clear(&e->input);
	str_clear(&e->suggestions);
	str_clear(&e->response);
	str_clear(&e->output);
	free(e);
}

/* --- the JSON ------------------------------------------------------------------------ */

/* Return the event for changing what it keeps; to its users it is constant. */
static struct awl_event *awl_event_own(const struct awl_event *e)
{
	return (struct awl_event *)e;
}

static struct json awl_event_root(const struct awl_event *e)
{
	struct err err = ERR_INIT;

	if (!e->doc)
		awl_event_own(e)->doc = json_parse(sv_of(&e->json), 0, &err);
	return json_root(e->doc);
}

static struct json awl_event_at(const struct awl_event *e, const char *path)
{
	return json_path(awl_event_root(e), path);
}

static const char *awl_event_str(const struct awl_event *e, const char *path)
{
	return json_str_or(awl_event_at(e, path), SV("")).ptr;
}

/* Return the first content block of this type; missing when there is none. */
static struct json awl_event_block(const struct awl_event *e, const char *type)
{
	struct json_iter it = json_each(awl_event_at(e, "message.content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), type))
			return block;
	return (struct json){ NULL };
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
	return awl_event_str(e, "session_id");
}

const char *awl_event_uuid(const struct awl_event *e)
{
	return awl_event_str(e, "uuid");
}

const char *awl_event_parent_tool_use_id(const struct awl_event *e)
{
	/* A progress event names its own call there. */
	return e->kind == AWL_EVENT_TOOL_PROGRESS ? "" : awl_event_str(e, "parent_tool_use_id");
}

/* --- texts ----------------------------------------------------------------------------- */

/* Append the texts of all blocks of this type, separated by empty lines. */
static void awl_event_add_blocks(struct str *out, struct json content, const char *type,
				 const char *key)
{
	struct json_iter it = json_each(content);
	struct json block;

	while (json_next(&it, NULL, &block)) {
		struct sv text = json_str_or(json_get(block, key), SV_EMPTY);

		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), type) && text.len)
			str_addf(out, "%s%.*s", out->len ? "\n\n" : "", SV_ARG(text));
	}
}

/* Append a `content`: a string, or blocks. */
static void awl_event_add_content(struct str *out, struct json content)
{
	str_add(out, json_str_or(content, SV_EMPTY));
	if (json_is(content, JSON_ARRAY))
		awl_event_add_blocks(out, content, "text", "text");
}

static void awl_event_add_user(struct str *out, const struct awl_event *e)
{
	struct json result = awl_event_block(e, "tool_result");

	awl_event_add_content(out, json_exists(result) ? json_get(result, "content")
						       : awl_event_at(e, "message.content"));
}

static void awl_event_add_result(struct str *out, const struct awl_event *e)
{
	struct json_iter it = json_each(awl_event_at(e, "errors"));
	struct json error;

	str_add(out, json_str_or(awl_event_at(e, "result"), SV_EMPTY));
	while (json_next(&it, NULL, &error))
		str_addf(out, "%s%.*s", out->len ? "\n" : "", SV_ARG(json_str_or(error, SV_EMPTY)));
}

/* The member that has the text of an event; NULL: it has none, or not in one member. */
static const char *awl_event_text_path(enum awl_event_kind kind)
{
	switch (kind) {
	case AWL_EVENT_STREAM: return "event.delta.text";
	case AWL_EVENT_STATE: return "state";
	case AWL_EVENT_STATUS: return "status";
	case AWL_EVENT_RETRY: return "awl_text";
	case AWL_EVENT_DENIED: return "message";
	case AWL_EVENT_FALLBACK:
	case AWL_EVENT_INFORMATIONAL: return "content";
	case AWL_EVENT_TRANSITION: return "reason";
	case AWL_EVENT_TOOL_OUTPUT: return "text";
	case AWL_EVENT_QUESTION: return "request.decision_reason";
	case AWL_EVENT_REPLY: return "response.error";
	case AWL_EVENT_ASSISTANT:
	case AWL_EVENT_USER:
	case AWL_EVENT_RESULT:
	case AWL_EVENT_INIT:
	case AWL_EVENT_STALL:
	case AWL_EVENT_DISCARD:
	case AWL_EVENT_TOOL_PROGRESS:
	case AWL_EVENT_QUESTION_VOID:
	case AWL_EVENT_OTHER: break;
	}
	return NULL;
}

const char *awl_event_text(const struct awl_event *e)
{
	const char *path = awl_event_text_path(e->kind);
	struct str *text = &awl_event_own(e)->text;

	if (path)
		return awl_event_str(e, path);
	if (text->len)
		return text->ptr;
	if (e->kind == AWL_EVENT_ASSISTANT)
		awl_event_add_content(text, awl_event_at(e, "message.content"));
	else if (e->kind == AWL_EVENT_USER)
		awl_event_add_user(text, e);
	else if (e->kind == AWL_EVENT_RESULT)
		awl_event_add_result(text, e);
	return str_c(text);
}

const char *awl_event_thinking(const struct awl_event *e)
{
	struct str *thinking = &awl_event_own(e)->thinking;

	if (e->kind == AWL_EVENT_STREAM)
		return awl_event_str(e, "event.delta.thinking");
	if (e->kind == AWL_EVENT_ASSISTANT && !thinking->len)
		awl_event_add_blocks(thinking, awl_event_at(e, "message.content"), "thinking",
				     "thinking");
	return str_c(thinking);
}

/* --- tools ------------------------------------------------------------------------------ */

const char *awl_event_tool_name(const struct awl_event *e)
{
	if (e->kind == AWL_EVENT_ASSISTANT)
		return json_str_or(json_get(awl_event_block(e, "tool_use"), "name"), SV("")).ptr;
	return awl_event_str(e, e->kind == AWL_EVENT_QUESTION ? "request.tool_name" : "tool_name");
}

const char *awl_event_tool_use_id(const struct awl_event *e)
{
	switch ((int)e->kind) {
	case AWL_EVENT_ASSISTANT:
		return json_str_or(json_get(awl_event_block(e, "tool_use"), "id"), SV("")).ptr;
	case AWL_EVENT_USER:
		return json_str_or(json_get(awl_event_block(e, "tool_result"), "tool_use_id"),
				   SV(""))
			.ptr;
	case AWL_EVENT_QUESTION: return awl_event_str(e, "request.tool_use_id");
	case AWL_EVENT_TOOL_PROGRESS: return awl_event_str(e, "parent_tool_use_id");
	default: return awl_event_str(e, "tool_use_id");
	}
}

const char *awl_event_tool_input(const struct awl_event *e)
{
	struct json input = e->kind == AWL_EVENT_ASSISTANT
				    ? json_get(awl_event_block(e, "tool_use"), "input")
				    : awl_event_at(e, "request.input");

	return awl_event_write(&awl_event_own(e)->input, input);
}

/* --- how it went -------------------------------------------------------------------------- */

bool awl_event_is_error(const struct awl_event *e)
{
	switch ((int)e->kind) {
	case AWL_EVENT_RESULT: return json_bool_or(awl_event_at(e, "is_error"), false);
	case AWL_EVENT_ASSISTANT:
		return json_bool_or(awl_event_at(e, "is_api_error_message"), false);
	case AWL_EVENT_USER:
		return json_bool_or(json_get(awl_event_block(e, "tool_result"), "is_error"), false);
	case AWL_EVENT_REPLY:
		return sv_is(json_str_or(awl_event_at(e, "response.subtype"), SV_EMPTY), "error");
	default: return false;
	}
}

enum awl_result awl_event_result(const struct awl_event *e)
{
	if (e->kind == AWL_EVENT_RESULT)
		return e->result;
	return awl_event_is_error(e) ? AWL_ERR_FAILED : AWL_OK;
}

const char *awl_event_request_id(const struct awl_event *e)
{
	if (e->kind == AWL_EVENT_REPLY)
		return awl_event_str(e, "response.request_id");
	if (e->kind == AWL_EVENT_QUESTION || e->kind == AWL_EVENT_QUESTION_VOID)
		return awl_event_str(e, "request_id");
	return "";
}

const char *awl_event_suggestions(const struct awl_event *e)
{
	return awl_event_write(&awl_event_own(e)->suggestions,
			       awl_event_at(e, "request.permission_suggestions"));
}

const char *awl_event_response(const struct awl_event *e)
{
	return awl_event_write(&awl_event_own(e)->response, awl_event_at(e, "response.response"));
}

const char *awl_event_structured_output(const struct awl_event *e)
{
	return awl_event_write(&awl_event_own(e)->output, awl_event_at(e, "structured_output"));
}

/* --- what it took --------------------------------------------------------------------------- */

int64_t awl_event_tokens(const struct awl_event *e, enum awl_tokens which)
{
	static const char *const keys[] = {
		[AWL_TOKENS_INPUT] = "input_tokens",
		[AWL_TOKENS_OUTPUT] = "output_tokens",
		[AWL_TOKENS_CACHE_READ] = "cache_read_input_tokens",
		[AWL_TOKENS_CACHE_WRITE] = "cache_creation_input_tokens",
	};
	struct json usage =
		awl_event_at(e, e->kind == AWL_EVENT_ASSISTANT ? "message.usage" : "usage");

	if ((size_t)which >= countof(keys))
		return 0;
	return json_int_or(json_get(usage, keys[which]), 0);
}

double awl_event_cost_usd(const struct awl_event *e)
{
	return json_real_or(awl_event_at(e, "total_cost_usd"), 0);
}

int64_t awl_event_duration_ms(const struct awl_event *e)
{
	return json_int_or(awl_event_at(e, "duration_ms"), 0);
}

int64_t awl_event_num_turns(const struct awl_event *e)
{
	return json_int_or(awl_event_at(e, "num_turns"), 0);
}
