/* Decodes the Messages API. A stream is
 *
 *   message_start (content_block_start content_block_delta* content_block_stop)*
 *   message_delta+ message_stop
 *
 * with pings and unknown, newer events in between. Any deviation is an error that names what came
 * and where, so that an incomplete response never passes for a complete one. */
#include "base/ascii.h"
#include "base/limits.h"
#include "base/mem.h"
#include "model/wire/blocks.h"
#include "model/wire/wire.h"
#include "text/json/json_plain.h"
#include "text/json/json_span.h"

struct anthropic {
	struct decoder base;
	struct blocks *blocks;
	struct json_pool pool;
	struct usage usage;
	bool started, stopped;
	struct arena arena;
	VEC(struct sv) ids;       /* of the tool calls so far, in the arena */
	bool noted;               /* a note about an unknown delta was emitted */
	size_t next;              /* the smallest index the next block may have */
	struct str stop;          /* the stop reason; empty: none yet */
	struct str category, why; /* of a refusal; may be empty */
	size_t events;            /* for the error about an incomplete stream */
	const char *last;         /* the type of the last one */
};

/* An event with its members, found in one pass because events are small and many. */
struct event {
	struct sv data; /* its text */
	struct json root, type, index, delta;
};

/* Text that arrives in a long answer, in the one spelling that the service uses. Most events of a
 * stream are this one, and reading them so costs a fraction of parsing them. Anything else in them,
 * such as an escape, leaves the event to the parser. */
static bool anthropic_skim_text(struct sv data, size_t *index, struct sv *text)
{
	static const struct sv start = SV_INIT("{\"type\":\"content_block_delta\",\"index\":"),
			       middle = SV_INIT(",\"delta\":{\"type\":\"text_delta\",\"text\":\"");
	struct sv rest = sv_skip(data, start.len + 1), end;

	if (!sv_starts(data, start) || data.len <= start.len ||
	    !ascii_is_digit(data.ptr[start.len]) || !sv_starts(rest, middle))
		return false;
	rest = sv_skip(rest, middle.len);
	end = sv_skip(rest, json_plain_ascii(rest));
	if (!sv_starts(end, SV("\"}")))
		return false;
	*text = sv_slice(rest, 0, rest.len - end.len);
	for (rest = sv_skip(end, 2); sv_starts(rest, SV(" ")); rest = sv_skip(rest, 1))
		; /* the service pads events */
	*index = (size_t)(data.ptr[start.len] - '0');
	return sv_is(rest, "}");
}

static struct event anthropic_read_members(struct json root, struct sv data)
{
	struct event event = { .data = data, .root = root };
	struct json_iter it = json_each(root);
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value)) {
		if (sv_eq(key, SV("type")))
			event.type = value;
		else if (sv_eq(key, SV("index")))
			event.index = value;
		else if (sv_eq(key, SV("delta")))
			event.delta = value;
	}
	return event;
}

static struct anthropic *anthropic_of(struct decoder *decoder)
{
	return container_of(decoder, struct anthropic, base);
}

static void anthropic_emit(struct anthropic *a, const struct model_event *event)
{
	a->base.emit(a->base.arg, event);
}

/* Fails with an error that came up while decoding, and keeps its kind. */
static bool anthropic_fail_err(struct model_error *error, const struct err *why)
{
	model_fail(error, MODEL_FAILED_PROTOCOL, 200, "%s", why->text);
	if (why->kind == ERR_TOO_BIG)
		error->err.kind = why->kind;
	return false;
}

static bool anthropic_fail_excerpt(struct model_error *error, enum model_failure failure,
				   const char *what, struct sv bytes)
{
	defer(str_clear) struct str excerpt = STR_INIT;

	wire_excerpt(&excerpt, bytes);
	return model_fail(error, failure, 200, "%s: %s", what, str_c(&excerpt));
}

/* Shared by streams and whole responses. */

static bool anthropic_emit_start(struct anthropic *a, struct json message,
				 struct model_error *error)
{
	struct model_event event = { .kind = MODEL_START };
	struct err why;

	if (!usage_read(&a->usage, json_get(message, "usage"), &why))
		return anthropic_fail_err(error, &why);
	event.text = json_str_or(json_get(message, "id"), SV_EMPTY);
	event.model = json_str_or(json_get(message, "model"), SV_EMPTY);
	event.usage = a->usage;
	anthropic_emit(a, &event);
	return true;
}

static enum model_stop anthropic_stop_of(struct sv reason)
{
	static const char reasons[][30] = {
		[MODEL_STOP_END_TURN] = "end_turn",
		[MODEL_STOP_TOOL_USE] = "tool_use",
		[MODEL_STOP_MAX_TOKENS] = "max_tokens",
		[MODEL_STOP_SEQUENCE] = "stop_sequence",
		[MODEL_STOP_REFUSAL] = "refusal",
		[MODEL_STOP_PAUSE_TURN] = "pause_turn",
		[MODEL_STOP_CONTEXT_FULL] = "model_context_window_exceeded",
	};

	for (size_t i = 0; i < countof(reasons); i++)
		if (sv_is(reason, reasons[i]))
			return (enum model_stop)i;
	return MODEL_STOP_OTHER;
}

static void anthropic_emit_stop(struct anthropic *a)
{
	struct sv reason = sv_of(&a->stop);

	anthropic_emit(a, &(struct model_event){ .kind = MODEL_STOP,
						 .stop = anthropic_stop_of(reason),
						 .text = reason,
						 .name = sv_of(&a->category),
						 .why = sv_of(&a->why),
						 .usage = a->usage });
}

/* The events of a stream. */

static bool anthropic_on_start(struct anthropic *a, const struct event *event,
			       struct model_error *error)
{
	struct json message = json_get(event->root, "message");

	if (a->started)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "received a second message_start, as event %zu", a->events);
	if (!json_is(message, JSON_OBJECT))
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "message_start has no message");
	a->started = true;
	return anthropic_emit_start(a, message, error);
}

static bool anthropic_read_index(const struct event *event, size_t *out, struct model_error *error)
{
	int64_t index;

	if (!json_int(event->index, &index) || index < 0 || index >= LIMIT_MODEL_BLOCKS)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "a block event has no index below %d", LIMIT_MODEL_BLOCKS);
	*out = (size_t)index;
	return true;
}

/* Tool calls. A gateway may use an id twice; results could not be matched to such calls then. */

static bool anthropic_is_taken(const struct anthropic *a, struct sv id)
{
	for (size_t i = 0; i < a->ids.n; i++)
		if (sv_eq(a->ids.at[i], id))
			return true;
	return request_has_id(a->base.request, id);
}

static struct sv anthropic_make_id(struct anthropic *a, struct sv id)
{
	struct sv made;
	size_t n = a->ids.n;

	do {
		made = arena_printf(&a->arena, "%.*s_%zu_%zu", SV_ARG(sv_slice(id, 0, 80)),
				    a->base.request->nmessages, n++);
	} while (anthropic_is_taken(a, made));
	return made;
}

static void anthropic_note_id(struct anthropic *a, struct sv id)
{
	defer(str_clear) struct str note = STR_INIT;

	str_adds(&note, "the server used the id ");
	wire_printable(&note, id, 80);
	str_adds(&note, " for two tool calls; awl assigned a new id to the second");
	anthropic_emit(a, &(struct model_event){ .kind = MODEL_NOTE, .text = sv_of(&note) });
}

/* Returns the block with an id of its own, if it is a call whose id was used before. */
static struct sv anthropic_settle_id(struct anthropic *a, struct json block, struct sv json)
{
	defer(str_clear) struct str quoted = STR_INIT;
	struct json_span span = { 0, 0 };
	struct err why;
	struct sv id;
	struct jw w;

	if (!sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_use") ||
	    !json_str(json_get(block, "id"), &id))
		return json;
	if (!anthropic_is_taken(a, id) ||
	    !json_span_find(json, JSON_STEPS(SV("id")), &span, &why)) {
		vec_push(&a->ids, arena_dup(&a->arena, id));
		return json;
	}
	anthropic_note_id(a, id);
	vec_push(&a->ids, anthropic_make_id(a, id));
	jw_init(&w, &quoted, JW_COMPACT);
	jw_str(&w, *vec_last(&a->ids));
	return arena_printf(&a->arena, "%.*s%s%.*s", SV_ARG(sv_slice(json, 0, span.from)),
			    str_c(&quoted), SV_ARG(sv_skip(json, span.to)));
}

static bool anthropic_start_block(struct anthropic *a, size_t index, struct json block,
				  struct sv json, struct err *err)
{
	return blocks_start(a->blocks, index, anthropic_settle_id(a, block, json), err);
}

static bool anthropic_on_block_start(struct anthropic *a, const struct event *event,
				     struct model_error *error)
{
	struct json_span span;
	struct json block;
	struct err why;
	size_t index = 0;

	if (!anthropic_read_index(event, &index, error))
		return false;
	if (index < a->next)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "block %zu was started after block %zu", index, a->next - 1);
	a->next = index + 1;
	block = json_get(event->root, "content_block");
	if (!json_is(block, JSON_OBJECT))
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "content_block_start for block %zu has no block", index);
	if (!json_span_find(event->data, JSON_STEPS(SV("content_block")), &span, &why) ||
	    !anthropic_start_block(a, index, block, json_span_sv(event->data, span), &why))
		return anthropic_fail_err(error, &why);
	return true;
}

/* An unknown, newer delta: its strings extend the members of the same name, as in all known deltas.
 * Other values are ignored. */
static bool anthropic_add_unknown(struct anthropic *a, size_t index, struct json delta,
				  struct err *err)
{
	struct sv type = json_str_or(json_get(delta, "type"), SV_EMPTY), key, piece;
	defer(str_clear) struct str note = STR_INIT;
	struct json_iter it = json_each(delta);
	struct json value;

	while (json_next(&it, &key, &value))
		if (!sv_is(key, "type") && json_str(value, &piece) &&
		    !blocks_extend(a->blocks, index, key, piece, err))
			return false;
	if (a->noted)
		return true;
	a->noted = true;
	str_adds(&note, "ignored a delta type unknown to this version: ");
	wire_printable(&note, type, 40);
	anthropic_emit(a, &(struct model_event){ .kind = MODEL_NOTE, .text = sv_of(&note) });
	return true;
}

static bool anthropic_add_citation(struct anthropic *a, size_t index, struct sv data,
				   struct err *err)
{
	struct json_span span;

	return json_span_find(data, JSON_STEPS(SV("delta"), SV("citation")), &span, err) &&
	       blocks_append(a->blocks, index, SV("citations"), json_span_sv(data, span), err);
}

typedef bool add_piece_fn(struct blocks *blocks, size_t index, struct sv piece, struct err *err);

static const struct {
	struct sv type, member;
	add_piece_fn *add;
} deltas[] = {
	{ SV_INIT("text_delta"), SV_INIT("text"), blocks_text },
	{ SV_INIT("input_json_delta"), SV_INIT("partial_json"), blocks_input },
	{ SV_INIT("thinking_delta"), SV_INIT("thinking"), blocks_thinking },
	{ SV_INIT("signature_delta"), SV_INIT("signature"), blocks_signature },
};

static bool anthropic_add_delta(struct anthropic *a, size_t index, const struct event *event,
				struct err *err)
{
	struct sv type, piece;

	if (!json_str(json_get(event->delta, "type"), &type))
		return err_set(err, ERR_PROTOCOL, "a delta of block %zu has no type", index);
	for (size_t i = 0; i < countof(deltas); i++) {
		if (!sv_eq(type, deltas[i].type))
			continue;
		if (json_str(json_get_sv(event->delta, deltas[i].member), &piece))
			return deltas[i].add(a->blocks, index, piece, err);
		return err_set(err, ERR_PROTOCOL, "a %s of block %zu has no \"%s\"",
			       deltas[i].type.ptr, index, deltas[i].member.ptr);
	}
	if (sv_is(type, "citations_delta"))
		return anthropic_add_citation(a, index, event->data, err);
	return anthropic_add_unknown(a, index, event->delta, err);
}

static bool anthropic_on_delta(struct anthropic *a, const struct event *event,
			       struct model_error *error)
{
	struct err why;
	size_t index = 0;

	if (!anthropic_read_index(event, &index, error))
		return false;
	return anthropic_add_delta(a, index, event, &why) || anthropic_fail_err(error, &why);
}

static bool anthropic_on_block_stop(struct anthropic *a, const struct event *event,
				    struct model_error *error)
{
	struct err why;
	size_t index = 0;

	if (!anthropic_read_index(event, &index, error))
		return false;
	return blocks_stop(a->blocks, index, &why) || anthropic_fail_err(error, &why);
}

/* Takes the reason from a message or from its last delta. */
static bool anthropic_take_stop(struct anthropic *a, struct json from, struct model_error *error)
{
	struct json reason = json_get(from, "stop_reason"),
		    details = json_get(from, "stop_details");
	struct sv text;

	if (!json_exists(reason) || json_is(reason, JSON_NULL))
		return true;
	if (!json_str(reason, &text) || text.len == 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "the stop reason is not a string");
	str_set(&a->stop, text);
	str_set(&a->category, json_str_or(json_get(details, "category"), SV_EMPTY));
	str_set(&a->why, json_str_or(json_get(details, "explanation"), SV_EMPTY));
	return true;
}

static bool anthropic_on_message_delta(struct anthropic *a, const struct event *event,
				       struct model_error *error)
{
	struct err why;

	if (!anthropic_take_stop(a, event->delta, error))
		return false;
	if (!usage_update(&a->usage, json_get(event->root, "usage"), &why))
		return anthropic_fail_err(error, &why);
	anthropic_emit(a, &(struct model_event){ .kind = MODEL_USAGE, .usage = a->usage });
	return true;
}

static bool anthropic_on_stop(struct anthropic *a,
			      __attribute__((unused)) const struct event *event,
			      struct model_error *error)
{
	if (blocks_open(a->blocks) > 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "received message_stop while %zu block%s not complete",
				  blocks_open(a->blocks),
				  blocks_open(a->blocks) == 1 ? " was" : "s were");
	if (a->stop.len == 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "received message_stop before a stop reason");
	a->stopped = true;
	anthropic_emit_stop(a);
	return true;
}

static bool anthropic_on_ping(__attribute__((unused)) struct anthropic *a,
			      __attribute__((unused)) const struct event *event,
			      __attribute__((unused)) struct model_error *error)
{
	return true;
}

static bool anthropic_on_error(__attribute__((unused)) struct anthropic *a,
			       const struct event *event, struct model_error *error)
{
	return anthropic_fail(error, 200, json_get(event->root, "error"));
}

struct handler {
	struct sv type;
	bool (*handle)(struct anthropic *a, const struct event *event, struct model_error *error);
	bool anywhere; /* also before message_start and after message_stop */
	bool hidden;   /* not worth a raw event */
};

/* The most frequent first. */
static const struct handler handlers[] = {
	{ SV_INIT("content_block_delta"), anthropic_on_delta },
	{ SV_INIT("content_block_start"), anthropic_on_block_start },
	{ SV_INIT("content_block_stop"), anthropic_on_block_stop },
	{ SV_INIT("message_start"), anthropic_on_start },
	{ SV_INIT("message_delta"), anthropic_on_message_delta },
	{ SV_INIT("message_stop"), anthropic_on_stop },
	{ SV_INIT("ping"), anthropic_on_ping, .anywhere = true, .hidden = true },
	{ SV_INIT("error"), anthropic_on_error, .anywhere = true },
};

static const struct handler *anthropic_find_handler(struct sv type)
{
	for (size_t i = 0; i < countof(handlers); i++)
		if (sv_eq(type, handlers[i].type))
			return &handlers[i];
	return NULL;
}

/* Events newer than we are have no handler. */
static const struct handler *anthropic_count(struct anthropic *a, struct sv type)
{
	const struct handler *handler = anthropic_find_handler(type);

	a->events++;
	a->last = handler ? handler->type.ptr : "new kind of event";
	return handler;
}

static bool anthropic_in_order(const struct anthropic *a, const struct handler *handler,
			       struct model_error *error)
{
	if (handler->anywhere)
		return true;
	if (a->stopped)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "received %s after message_stop", handler->type.ptr);
	if (!a->started && handler->handle != anthropic_on_start)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "received %s before message_start", handler->type.ptr);
	return true;
}

static void anthropic_emit_raw(struct anthropic *a, struct sv data)
{
	if (a->base.request->raw)
		anthropic_emit(a, &(struct model_event){ .kind = MODEL_RAW, .json = data });
}

static bool anthropic_take_text(struct anthropic *a, size_t index, struct sv text, struct sv data,
				struct model_error *error)
{
	const struct handler *handler = anthropic_count(a, SV("content_block_delta"));
	struct err why;

	if (!anthropic_in_order(a, handler, error))
		return false;
	if (!blocks_text(a->blocks, index, text, &why))
		return anthropic_fail_err(error, &why);
	anthropic_emit_raw(a, data);
	return true;
}

static bool anthropic_handle(struct anthropic *a, const struct event *event, struct sv type,
			     struct model_error *error)
{
	const struct handler *handler = anthropic_count(a, type);

	if (handler &&
	    (!anthropic_in_order(a, handler, error) || !handler->handle(a, event, error)))
		return false;
	if (!handler || !handler->hidden)
		anthropic_emit_raw(a, event->data);
	return true;
}

/* Some proxies end every stream as OpenAI does. */
static bool is_done_mark(struct sv data)
{
	return sv_is(sv_trim(data), "[DONE]");
}

static bool anthropic_fail_data(struct model_error *error, struct sv name, struct sv data)
{
	if (sv_is(name, "error"))
		return anthropic_fail_excerpt(error, MODEL_FAILED_SERVER, "received an error",
					      data);
	return anthropic_fail_excerpt(error, MODEL_FAILED_PROTOCOL, "an event is not valid JSON",
				      data);
}

static bool anthropic_on_event(struct decoder *decoder, struct sv name, struct sv data,
			       struct model_error *error)
{
	struct anthropic *a = anthropic_of(decoder);
	struct event event;
	struct json root;
	struct err why;
	struct sv type, text;
	size_t index;

	if (anthropic_skim_text(data, &index, &text))
		return anthropic_take_text(a, index, text, data, error);
	if (data.len == 0 || (a->stopped && is_done_mark(data)))
		return true;
	if (!json_parse_in(&a->pool, data, JSON_KEEP_HALVES, &root, &why))
		return anthropic_fail_data(error, name, data);
	event = anthropic_read_members(root, data);
	if (json_str(event.type, &type))
		return anthropic_handle(a, &event, type, error);
	if (json_is(json_get(root, "error"), JSON_OBJECT))
		return anthropic_fail(error, 200, json_get(root, "error"));
	return anthropic_fail_excerpt(error, MODEL_FAILED_PROTOCOL, "an event has no type", data);
}

static bool anthropic_on_end(struct decoder *decoder, struct model_error *error)
{
	struct anthropic *a = anthropic_of(decoder);

	if (a->stopped)
		return true;
	if (a->events == 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "the response contains no stream events");
	return model_fail(error, MODEL_FAILED_NETWORK, 200,
			  "the stream ended after %zu event%s (last: %s), before "
			  "message_stop",
			  a->events, a->events == 1 ? "" : "s", a->last);
}

/* A whole response. */

static bool anthropic_emit_blocks(struct anthropic *a, struct json content, struct sv body,
				  struct err *err)
{
	struct json_span span;
	struct json_span_iter it;
	struct json_item item;

	if (!json_span_find(body, JSON_STEPS(SV("content")), &span, err) ||
	    !json_span_each(&it, body, span, err))
		return false;
	for (size_t i = 0; json_span_next(&it, &item, err) && !it.done; i++)
		if (!anthropic_start_block(a, i, json_at(content, i),
					   json_span_sv(body, item.value), err) ||
		    !blocks_stop(a->blocks, i, err))
			return false;
	return it.done;
}

static bool anthropic_emit_message(struct anthropic *a, struct json message, struct sv body,
				   struct model_error *error)
{
	struct err why;

	if (!json_is(json_get(message, "content"), JSON_ARRAY))
		return anthropic_fail_excerpt(error, MODEL_FAILED_PROTOCOL,
					      "the response is not a message", body);
	if (!anthropic_take_stop(a, message, error))
		return false;
	if (a->stop.len == 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "the message has no stop reason");
	if (!anthropic_emit_start(a, message, error))
		return false;
	if (!anthropic_emit_blocks(a, json_get(message, "content"), body, &why))
		return anthropic_fail_err(error, &why);
	anthropic_emit(a, &(struct model_event){ .kind = MODEL_USAGE, .usage = a->usage });
	anthropic_emit_stop(a);
	return true;
}

static bool anthropic_on_whole(struct decoder *decoder, struct sv body, struct model_error *error)
{
	struct anthropic *a = anthropic_of(decoder);
	struct err why;
	defer(json_doc_freep) struct json_doc *doc = json_parse(body, 0, &why);
	struct json root = json_root(doc);

	if (!doc)
		return anthropic_fail_excerpt(error, MODEL_FAILED_PROTOCOL,
					      "the response is not valid JSON", body);
	if (json_is(json_get(root, "error"), JSON_OBJECT))
		return anthropic_fail(error, 200, json_get(root, "error"));
	return anthropic_emit_message(a, root, body, error);
}

static void anthropic_on_free(struct decoder *decoder)
{
	struct anthropic *a = anthropic_of(decoder);

	blocks_free(a->blocks);
	json_pool_clear(&a->pool);
	str_clear(&a->stop);
	str_clear(&a->category);
	str_clear(&a->why);
	vec_clear(&a->ids);
	arena_clear(&a->arena);
	free(a);
}

static const struct decoder_type anthropic_type = {
	.event = anthropic_on_event,
	.end = anthropic_on_end,
	.whole = anthropic_on_whole,
	.free = anthropic_on_free,
};

struct decoder *anthropic_decoder(const struct model_request *request, wire_event_fn *emit_fn,
				  void *arg)
{
	struct anthropic *a = xnew(struct anthropic);

	a->base = (struct decoder){
		.type = &anthropic_type, .request = request, .emit = emit_fn, .arg = arg
	};
	a->blocks = blocks_new(emit_fn, arg);
	return &a->base;
}
