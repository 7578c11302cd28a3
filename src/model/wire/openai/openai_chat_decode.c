/* Decodes Chat Completions. A stream consists of chunks of one message,
 *
 *   {"id": .., "choices": [{"delta": {..}, "finish_reason": null}], "usage": null}
 *
 * with the finish reason in one of the last, then perhaps the usage, then [DONE]. Servers agree on
 * little else: ids, indices and names of calls are sent once, every time or never, arguments as text
 * or as an object, and the end mark may be missing. chat_decode_find_call() resolves ambiguities. */
#include "base/limits.h"
#include "base/mem.h"
#include "model/wire/openai/openai_chat.h"
#include "model/wire/openai/openai_output.h"

struct chat {
	struct decoder base;
	struct openai_output output;
	struct json_pool pool;
	struct str finish; /* the finish reason; empty: none yet */
	bool ended;        /* MODEL_STOP was emitted */
	bool whole;        /* the response is not a stream, so each of its calls is complete */
	bool noted_choices;
	size_t events; /* for the error about an incomplete stream */
};

static struct chat *chat_decode_of(struct decoder *decoder)
{
	return container_of(decoder, struct chat, base);
}

/* Text and thinking. */

/* A list of parts, as Mistral sends it. */
static bool chat_decode_take_parts(struct chat *c, struct json list, struct err *err)
{
	struct json_iter it = json_each(list), inner_it;
	struct json part, inner;

	while (json_next(&it, NULL, &part)) {
		if (!openai_output_text(&c->output, json_str_or(json_get(part, "text"), SV_EMPTY),
					err))
			return false;
		inner_it = json_each(json_get(part, "thinking"));
		while (json_next(&inner_it, NULL, &inner))
			if (!openai_output_thinking(&c->output,
						    json_str_or(json_get(inner, "text"), SV_EMPTY),
						    SV_EMPTY, err))
				return false;
	}
	return true;
}

/* The members of a delta. The last ones are names for thinking. */
enum {
	CONTENT,
	REFUSAL,
	TOOL_CALLS,
	FUNCTION_CALL,
	DETAILS,
	REASONING_CONTENT,
	REASONING,
	THINKING,
	DELTA_MEMBERS
};

static size_t chat_decode_delta_place(struct sv name)
{
	if (sv_is(name, "content"))
		return CONTENT;
	if (sv_is(name, "refusal"))
		return REFUSAL;
	if (sv_is(name, "tool_calls"))
		return TOOL_CALLS;
	if (sv_is(name, "function_call"))
		return FUNCTION_CALL;
	if (sv_is(name, "reasoning_details"))
		return DETAILS;
	if (sv_is(name, "reasoning_content"))
		return REASONING_CONTENT;
	if (sv_is(name, "reasoning"))
		return REASONING;
	if (sv_is(name, "thinking"))
		return THINKING;
	return JSON_NOWHERE;
}

/* If several fields contain the same thinking, the first one counts. */
static bool chat_decode_take_thinking(struct chat *c, const struct json *delta, struct err *err)
{
	static const struct sv signatures[DELTA_MEMBERS] = {
		[REASONING_CONTENT] = SV_INIT(OPENAI_SIGNED_FIELD "reasoning_content"),
		[REASONING] = SV_INIT(OPENAI_SIGNED_FIELD "reasoning"),
		[THINKING] = SV_INIT(OPENAI_SIGNED_FIELD "thinking"),
	};
	struct sv piece;

	for (size_t i = REASONING_CONTENT; i < DELTA_MEMBERS; i++)
		if (json_str(delta[i], &piece) && piece.len)
			return openai_output_thinking(&c->output, piece, signatures[i], err);
	return true;
}

static bool chat_decode_take_text(struct chat *c, const struct json *delta, struct err *err)
{
	if (json_is(delta[CONTENT], JSON_ARRAY) && !chat_decode_take_parts(c, delta[CONTENT], err))
		return false;
	return openai_output_text(&c->output, json_str_or(delta[CONTENT], SV_EMPTY), err) &&
	       openai_output_refusal(&c->output, json_str_or(delta[REFUSAL], SV_EMPTY), err);
}

/* Tool calls. */

struct piece {
	int64_t key; /* -1: none */
	struct sv id, name;
	struct sv input;
	struct json extra; /* "extra_content": Gemini wants it back with the call */
};

/* Whether a piece that could belong to `call` begins another one: it has a name,
 * and another id, or nothing of its input can be missing. */
static bool chat_decode_begins_another(const struct openai_call *call, const struct piece *p)
{
	bool same_name = sv_eq(p->name, sv_of(&call->name));

	if (p->name.len == 0 || !call->started)
		return false;
	if (p->id.len && call->sent.len && !sv_eq(p->id, sv_of(&call->sent)))
		return true;
	if (tool_input_is_complete(&call->input))
		return !same_name || sv_trim(p->input).len > 0;
	return !same_name && call->input.json.text.len == 0;
}

/* The call that a piece belongs to: by its index, else by its id, else the last one.
 * NULL: it begins a new one. */
static struct openai_call *chat_decode_find_call(const struct chat *c, const struct piece *p)
{
	struct openai_call *call = NULL;

	for (size_t i = c->output.calls.n; i-- > 0 && !call && !c->whole;) {
		struct openai_call *at = c->output.calls.at[i];

		if (p->key >= 0 ? at->key == p->key
				: p->id.len == 0 || sv_eq(sv_of(&at->sent), p->id))
			call = at;
	}
	return call && !chat_decode_begins_another(call, p) ? call : NULL;
}

static void chat_decode_keep_extra(struct openai_call *call, struct json extra)
{
	struct jw w;

	if (!json_is(extra, JSON_OBJECT))
		return;
	str_truncate(&call->extra, 0);
	jw_init(&w, &call->extra, JW_COMPACT);
	jw_value(&w, extra);
}

static bool chat_decode_take_piece(struct chat *c, const struct piece *p, struct err *err)
{
	struct openai_call *call = chat_decode_find_call(c, p);

	if (!call) {
		call = openai_output_call(&c->output, p->key, p->id, p->name, err);
		if (call)
			chat_decode_keep_extra(call, p->extra);
		return call && openai_output_input(&c->output, call, p->input, err);
	}
	chat_decode_keep_extra(call, p->extra);
	if (call->started && p->name.len && !sv_eq(p->name, sv_of(&call->name)))
		return err_set(err, ERR_PROTOCOL,
			       "the name of a tool call changed from %.60s in the middle of it",
			       str_c(&call->name));
	return openai_output_name(&c->output, call, p->id, p->name, err) &&
	       openai_output_input(&c->output, call, p->input, err);
}

/* The members of a call and of its function. */
enum { CALL_INDEX, CALL_ID, CALL_EXTRA, FUNCTION, NAME, ARGUMENTS, CALL_MEMBERS };

static size_t chat_decode_call_place(struct sv name)
{
	return sv_is(name, "index")           ? CALL_INDEX
	       : sv_is(name, "id")            ? CALL_ID
	       : sv_is(name, "extra_content") ? CALL_EXTRA
	       : sv_is(name, "function")      ? FUNCTION
	       : sv_is(name, "name")          ? NAME
	       : sv_is(name, "arguments")     ? ARGUMENTS
					      : JSON_NOWHERE;
}

/* Arguments may be a JSON object instead of text. */
static bool chat_decode_take_function(struct chat *c, const struct json *call,
				      const struct json *function, struct err *err)
{
	struct json arguments = function[ARGUMENTS];
	defer(str_clear) struct str object = STR_INIT;
	struct piece p = { .key = json_int_or(call[CALL_INDEX], -1),
			   .id = json_str_or(call[CALL_ID], SV_EMPTY),
			   .name = json_str_or(function[NAME], SV_EMPTY),
			   .extra = call[CALL_EXTRA] };
	struct jw w;

	if (json_is(arguments, JSON_OBJECT) || json_is(arguments, JSON_ARRAY)) {
		jw_init(&w, &object, JW_COMPACT);
		jw_value(&w, arguments);
	}
	p.input = json_str_or(arguments, sv_of(&object));
	return chat_decode_take_piece(c, &p, err);
}

static bool chat_decode_take_call(struct chat *c, struct json json, struct err *err)
{
	struct json call[CALL_MEMBERS] = { { NULL } }, function[CALL_MEMBERS] = { { NULL } };

	json_pick(json, chat_decode_call_place, call);
	json_pick(call[FUNCTION], chat_decode_call_place, function);
	return chat_decode_take_function(c, call, function, err);
}

/* The older form, which has no list: a function, which may have an id and an index. */
static bool chat_decode_take_old_call(struct chat *c, struct json json, struct err *err)
{
	struct json call[CALL_MEMBERS] = { { NULL } };

	json_pick(json, chat_decode_call_place, call);
	return chat_decode_take_function(c, call, call, err);
}

static bool chat_decode_take_calls(struct chat *c, const struct json *delta, struct err *err)
{
	struct json_iter it = json_each(delta[TOOL_CALLS]);
	struct json call;

	while (json_next(&it, NULL, &call))
		if (!chat_decode_take_call(c, call, err))
			return false;
	return !json_is(delta[FUNCTION_CALL], JSON_OBJECT) ||
	       chat_decode_take_old_call(c, delta[FUNCTION_CALL], err);
}

/* Chunks. */

enum { INDEX, DELTA, MESSAGE, FINISH_REASON, CHOICE_USAGE, CHOICE_MEMBERS };

static size_t chat_decode_choice_place(struct sv name)
{
	return sv_is(name, "index")           ? INDEX
	       : sv_is(name, "delta")         ? DELTA
	       : sv_is(name, "message")       ? MESSAGE
	       : sv_is(name, "finish_reason") ? FINISH_REASON
	       : sv_is(name, "usage")         ? CHOICE_USAGE
					      : JSON_NOWHERE;
}

static void chat_decode_note_choices(struct chat *c)
{
	if (!c->noted_choices)
		openai_output_note(&c->output,
				   "the server sent more than one choice; awl uses the first");
	c->noted_choices = true;
}

static bool chat_decode_take_choice(struct chat *c, struct json json, struct err *err)
{
	struct json choice[CHOICE_MEMBERS] = { { NULL } }, delta[DELTA_MEMBERS] = { { NULL } };
	struct sv reason;

	json_pick(json, chat_decode_choice_place, choice);
	if (json_int_or(choice[INDEX], 0) != 0) {
		chat_decode_note_choices(c);
		return true;
	}
	if (json_str(choice[FINISH_REASON], &reason) && reason.len) {
		str_set(&c->finish, reason);
	}
	json_pick(json_is(choice[DELTA], JSON_OBJECT) ? choice[DELTA] : choice[MESSAGE],
		  chat_decode_delta_place, delta);
	return openai_details_add(&c->output.details, delta[DETAILS], err) &&
	       chat_decode_take_thinking(c, delta, err) && chat_decode_take_text(c, delta, err) &&
	       chat_decode_take_calls(c, delta, err) &&
	       openai_usage(&c->output.usage, choice[CHOICE_USAGE], err);
}

enum { CHOICES, USAGE, ERROR, ID, MODEL, CHUNK_MEMBERS };

static size_t chat_decode_chunk_place(struct sv name)
{
	return sv_is(name, "choices") ? CHOICES
	       : sv_is(name, "usage") ? USAGE
	       : sv_is(name, "error") ? ERROR
	       : sv_is(name, "id")    ? ID
	       : sv_is(name, "model") ? MODEL
				      : JSON_NOWHERE;
}

static bool chat_decode_take_chunk(struct chat *c, const struct json *chunk, struct err *err)
{
	struct json_iter it = json_each(chunk[CHOICES]);
	struct json choice;

	if (json_is(chunk[CHOICES], JSON_ARRAY)) {
		if (!c->output.started)
			openai_output_start(&c->output, json_str_or(chunk[ID], SV_EMPTY),
					    json_str_or(chunk[MODEL], SV_EMPTY));
		while (json_next(&it, NULL, &choice))
			if (!chat_decode_take_choice(c, choice, err))
				return false;
	}
	return openai_usage(&c->output.usage, chunk[USAGE], err);
}

/* Takes a part of the response, or an error. */
static bool chat_decode_take_object(struct chat *c, struct json root, struct model_error *error)
{
	struct json chunk[CHUNK_MEMBERS] = { { NULL } };
	struct err why;

	json_pick(root, chat_decode_chunk_place, chunk);
	if (json_is(chunk[ERROR], JSON_OBJECT) ||
	    (!json_is(chunk[CHOICES], JSON_ARRAY) && json_exists(openai_error_of(root))))
		return openai_fail(error, 200, openai_error_of(root));
	return chat_decode_take_chunk(c, chunk, &why) || openai_fail_err(error, &why);
}

/* The end. */

static enum model_stop chat_decode_stop_of(struct sv reason)
{
	static const struct {
		char name[16];
		enum model_stop stop;
	} reasons[] = {
		{ "", MODEL_STOP_END_TURN }, /* the server sent only [DONE] */
		{ "stop", MODEL_STOP_END_TURN },
		{ "end_turn", MODEL_STOP_END_TURN },
		{ "eos_token", MODEL_STOP_END_TURN },
		{ "tool_calls", MODEL_STOP_TOOL_USE },
		{ "function_call", MODEL_STOP_TOOL_USE },
		{ "tool_use", MODEL_STOP_TOOL_USE },
		{ "length", MODEL_STOP_MAX_TOKENS },
		{ "max_tokens", MODEL_STOP_MAX_TOKENS },
		{ "model_length", MODEL_STOP_CONTEXT_FULL },
		{ "content_filter", MODEL_STOP_REFUSAL },
		{ "refusal", MODEL_STOP_REFUSAL },
	};

	for (size_t i = 0; i < countof(reasons); i++)
		if (sv_is(reason, reasons[i].name))
			return reasons[i].stop;
	return MODEL_STOP_OTHER;
}

static bool chat_decode_end_response(struct chat *c, struct model_error *error)
{
	struct sv reason = sv_of(&c->finish);
	struct err why;

	if (!c->output.started)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "the response ended before any content");
	if (sv_is(reason, "error"))
		return model_fail(error, MODEL_FAILED_SERVER, 200,
				  "the server aborted the response with an error");
	if (reason.len == 0)
		openai_output_note(&c->output, "the server did not send a finish reason");
	if (!openai_output_end(&c->output, chat_decode_stop_of(reason), reason, &why))
		return openai_fail_err(error, &why);
	c->ended = true;
	return true;
}

static bool chat_decode_on_event(struct decoder *decoder, struct sv name, struct sv data,
				 struct model_error *error)
{
	struct chat *c = chat_decode_of(decoder);
	struct json root;
	struct err why;

	if (data.len == 0 || c->ended)
		return true;
	if (!json_parse_in(&c->pool, data, JSON_KEEP_HALVES, &root, &why)) {
		if (sv_is(sv_trim(data), "[DONE]"))
			return chat_decode_end_response(c, error);
		return openai_fail_excerpt(error,
					   sv_is(name, "error") ? "received an error"
								: "an event is not valid JSON",
					   data);
	}
	c->events++;
	if (!json_is(root, JSON_OBJECT))
		return openai_fail_excerpt(error, "an event is not a JSON object", data);
	return chat_decode_take_object(c, root, error);
}

static bool chat_decode_on_end(struct decoder *decoder, struct model_error *error)
{
	struct chat *c = chat_decode_of(decoder);

	if (c->ended)
		return true;
	if (c->events == 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "the response contains no stream events");
	if (c->finish.len)
		return chat_decode_end_response(c, error);
	return model_fail(error, MODEL_FAILED_NETWORK, 200,
			  "the stream ended after %zu event%s, before a finish reason", c->events,
			  c->events == 1 ? "" : "s");
}

static bool chat_decode_on_whole(struct decoder *decoder, struct sv body, struct model_error *error)
{
	struct chat *c = chat_decode_of(decoder);
	struct json root;
	struct err why;

	if (!json_parse_in(&c->pool, body, 0, &root, &why))
		return openai_fail_excerpt(error, "the response is not valid JSON", body);
	if (json_len(json_get(root, "choices")) == 0 && !json_exists(openai_error_of(root)))
		return openai_fail_excerpt(error, "the response has no choices", body);
	c->whole = true;
	return chat_decode_take_object(c, root, error) && chat_decode_end_response(c, error);
}

static void chat_decode_on_free(struct decoder *decoder)
{
	struct chat *c = chat_decode_of(decoder);

	openai_output_clear(&c->output);
	json_pool_clear(&c->pool);
	str_clear(&c->finish);
	free(c);
}

static const struct decoder_type chat_type = {
	.event = chat_decode_on_event,
	.end = chat_decode_on_end,
	.whole = chat_decode_on_whole,
	.free = chat_decode_on_free,
};

struct decoder *openai_chat_decoder(const struct model_request *request, wire_event_fn *emit,
				    void *arg)
{
	struct chat *c = xnew(struct chat);

	c->base = (struct decoder){
		.type = &chat_type, .request = request, .emit = emit, .arg = arg
	};
	openai_output_init(&c->output, request, emit, arg);
	return &c->base;
}
