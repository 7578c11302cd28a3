/* Decodes the Responses API. A stream is
 *
 *   response.created
 *   (response.output_item.added <deltas of the item> response.output_item.done)*
 *   response.completed | response.incomplete | response.failed
 *
 * with many events in between that repeat what others said. The text of an item comes
 * from its deltas; `done` is read only for an item that had none, and the whole response
 * at the end only if there was no item at all. Items may overlap: llama.cpp sends all
 * deltas first and then every `done`, and identifies items by id alone. */
#include "base/limits.h"
#include "base/mem.h"
#include "model/wire/openai/openai_output.h"
#include "model/wire/openai/openai_responses.h"
#include "text/json/json_span.h"

enum { LAST_SIZE = 80 };

enum item_type { ITEM_MESSAGE, ITEM_REASONING, ITEM_CALL, ITEM_OTHER };
enum item_fit { ITEM_DIFFERS, ITEM_MAY_FIT, ITEM_FITS };

struct item {
	enum item_type type;
	int64_t key;   /* output_index; -1: none */
	struct str id; /* its own, else the call's; may be empty */
	bool any_delta, any_summary, done;
	struct openai_call *call; /* of a started ITEM_CALL; the output owns it */
	struct str signature;     /* of thinking that came as reasoning_text */
};

struct responses {
	struct decoder base;
	struct openai_output output;
	struct json_pool pool;
	VEC(struct item *) items;
	const struct item *thinking; /* whose thinking the open block of thinking is */
	bool ended;
	size_t events;
	struct str last; /* the type of the last event, or its start, for errors */
};

static struct responses *responses_decode_of(struct decoder *decoder)
{
	return container_of(decoder, struct responses, base);
}

/* An event; or an item of a whole response, which sets only the item's fields. */
struct event {
	struct sv data; /* its text */
	struct json delta, response;
	struct json item;
	struct sv item_json;
	int64_t key; /* output_index; -1: none */
	struct sv id;
};

/* Items. */

static enum item_type responses_decode_type_of(struct json item)
{
	static const char *const names[] = { [ITEM_MESSAGE] = "message",
					     [ITEM_REASONING] = "reasoning",
					     [ITEM_CALL] = "function_call" };
	struct sv type = json_str_or(json_get(item, "type"), SV_EMPTY);

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(type, names[i]))
			return (enum item_type)i;
	return ITEM_OTHER;
}

static bool responses_decode_has_id(const struct item *item, struct sv id)
{
	return sv_eq(sv_of(&item->id), id) || (item->call && sv_eq(sv_of(&item->call->sent), id));
}

/* How well an event without an index fits an item. Some servers send arguments with an id that no
 * call has; those belong to the last call. */
static enum item_fit responses_decode_fit(const struct item *item, const struct event *e)
{
	bool is_arguments = item->type == ITEM_CALL && !json_exists(e->item);

	if (e->id.len && responses_decode_has_id(item, e->id))
		return ITEM_FITS;
	return e->id.len == 0 || item->id.len == 0 || is_arguments ? ITEM_MAY_FIT : ITEM_DIFFERS;
}

/* Finds the item of a type that an event is about: by index, else by id, else any that is not
 * done. Of several that fit, a delta belongs to the last; `done` events (which carry the item)
 * arrive in the order in which the items began. */
static struct item *responses_decode_find(const struct responses *r, enum item_type type,
					  const struct event *e)
{
	enum item_fit best = ITEM_DIFFERS;
	struct item *found = NULL;

	for (size_t i = r->items.n; i-- > 0;) {
		struct item *item = r->items.at[i];
		enum item_fit fit;

		if (item->type != type)
			continue;
		if (e->key >= 0 && item->key >= 0) {
			if (item->key == e->key)
				return item;
			continue;
		}
		fit = responses_decode_fit(item, e);
		if (item->done || fit < best || (fit == best && !json_exists(e->item)))
			continue;
		found = fit > ITEM_DIFFERS ? item : NULL;
		best = fit;
	}
	return found;
}

static struct item *responses_decode_add_item(struct responses *r, enum item_type type,
					      const struct event *e, struct err *err)
{
	struct item *item;

	if (r->items.n == LIMIT_MODEL_BLOCKS) {
		err_set(err, ERR_TOO_BIG, "the response has more than %d items",
			LIMIT_MODEL_BLOCKS);
		return NULL;
	}
	item = xnew(struct item);
	item->type = type;
	item->key = e->key;
	str_add(&item->id, e->id);
	if (type == ITEM_REASONING) {
		str_adds(&item->signature, OPENAI_SIGNED_TEXT);
		str_add(&item->signature, e->id);
	}
	vec_push(&r->items, item);
	return item;
}

static void responses_decode_free_item(struct item *item)
{
	str_clear(&item->id);
	str_clear(&item->signature);
	free(item);
}

static bool responses_decode_begin_call(struct responses *r, struct item *item,
					const struct event *e, struct err *err)
{
	item->call = openai_output_call(&r->output, e->key,
					json_str_or(json_get(e->item, "call_id"), SV_EMPTY),
					json_str_or(json_get(e->item, "name"), SV_EMPTY), err);
	return item->call;
}

static bool responses_decode_on_item_added(struct responses *r, const struct event *e,
					   struct err *err)
{
	enum item_type type = responses_decode_type_of(e->item);
	struct item *item = responses_decode_add_item(r, type, e, err);

	return item && (type != ITEM_CALL || responses_decode_begin_call(r, item, e, err));
}

static bool responses_decode_take_content(struct responses *r, struct json list, struct err *err)
{
	struct json_iter it = json_each(list);
	struct json part;

	while (json_next(&it, NULL, &part))
		if (!openai_output_text(&r->output, json_str_or(json_get(part, "text"), SV_EMPTY),
					err) ||
		    !openai_output_refusal(&r->output,
					   json_str_or(json_get(part, "refusal"), SV_EMPTY), err))
			return false;
	return true;
}

/* Ends the open block of thinking if it belongs to another item. */
static bool responses_decode_turn_to(struct responses *r, const struct item *item, struct err *err)
{
	bool other = r->thinking != item && r->output.open == MODEL_BLOCK_THINKING;

	r->thinking = item;
	return !other || openai_output_sign(&r->output, r->output.signature, err);
}

/* Each part of a summary is a paragraph. */
static bool responses_decode_take_reasoning(struct responses *r, struct item *item,
					    struct json list, struct err *err)
{
	struct json_iter it = json_each(list);
	struct json part;

	while (json_next(&it, NULL, &part)) {
		struct sv text = json_str_or(json_get(part, "text"), SV_EMPTY);

		if ((item->any_summary &&
		     !openai_output_thinking(&r->output, SV("\n\n"), SV_EMPTY, err)) ||
		    !openai_output_thinking(&r->output, text, SV_EMPTY, err))
			return false;
		item->any_summary = true;
	}
	return true;
}

/* Keeps the exact item, to be sent back. If its thinking ended long ago, because other items
 * began before this one was done, only encrypted reasoning is worth a block of its own. */
static bool responses_decode_end_reasoning(struct responses *r, struct item *item,
					   const struct event *e, struct err *err)
{
	defer(str_clear) struct str signature = STR_INIT;
	struct sv encrypted = json_str_or(json_get(e->item, "encrypted_content"), SV_EMPTY);
	bool is_open = r->thinking == item && r->output.open == MODEL_BLOCK_THINKING;

	if (item->any_delta && !is_open && encrypted.len == 0)
		return true;
	if (!responses_decode_turn_to(r, item, err))
		return false;
	if (!item->any_delta &&
	    (!responses_decode_take_reasoning(r, item, json_get(e->item, "summary"), err) ||
	     !responses_decode_take_reasoning(r, item, json_get(e->item, "content"), err)))
		return false;
	str_adds(&signature, OPENAI_SIGNED_ITEM);
	str_add(&signature, e->item_json);
	return openai_output_sign(&r->output, sv_of(&signature), err);
}

/* Also handles a call whose beginning never came. */
static bool responses_decode_end_call(struct responses *r, struct item *item, const struct event *e,
				      struct err *err)
{
	struct sv input = json_str_or(json_get(e->item, "arguments"), SV_EMPTY);
	struct openai_call *call;

	if (!item->call && !responses_decode_begin_call(r, item, e, err))
		return false;
	call = item->call;
	if (!call->closed && call->input.json.text.len == 0 && call->input.rest.len == 0 &&
	    !openai_output_input(&r->output, call, input, err))
		return false;
	return openai_output_close(
		&r->output, call,
		sv_is(json_str_or(json_get(e->item, "status"), SV_EMPTY), "incomplete"), err);
}

static bool responses_decode_on_item_done(struct responses *r, const struct event *e,
					  struct err *err)
{
	enum item_type type = responses_decode_type_of(e->item);
	struct item *item = responses_decode_find(r, type, e);

	if (!item)
		item = responses_decode_add_item(r, type, e, err);
	if (!item)
		return false;
	item->done = true;
	switch (type) {
	case ITEM_MESSAGE:
		return item->any_delta ||
		       responses_decode_take_content(r, json_get(e->item, "content"), err);
	case ITEM_REASONING: return responses_decode_end_reasoning(r, item, e, err);
	case ITEM_CALL: return responses_decode_end_call(r, item, e, err);
	case ITEM_OTHER: break;
	}
	openai_output_note(&r->output, "ignored a response item of unknown type %.*s",
			   SV_ARG(json_str_or(json_get(e->item, "type"), SV_EMPTY)));
	return true;
}

/* Deltas. */

/* Returns the item of a delta; one that was not announced begins here. */
static struct item *responses_decode_grow(struct responses *r, enum item_type type,
					  const struct event *e, struct err *err)
{
	struct item *item = responses_decode_find(r, type, e);

	if (!item)
		item = responses_decode_add_item(r, type, e, err);
	if (item)
		item->any_delta = true;
	return item;
}

static bool responses_decode_on_text(struct responses *r, const struct event *e, struct err *err)
{
	return responses_decode_grow(r, ITEM_MESSAGE, e, err) &&
	       openai_output_text(&r->output, json_str_or(e->delta, SV_EMPTY), err);
}

static bool responses_decode_on_refusal(struct responses *r, const struct event *e, struct err *err)
{
	return responses_decode_grow(r, ITEM_MESSAGE, e, err) &&
	       openai_output_refusal(&r->output, json_str_or(e->delta, SV_EMPTY), err);
}

static bool responses_decode_add_thinking(struct responses *r, const struct event *e, bool summary,
					  struct err *err)
{
	struct item *item = responses_decode_grow(r, ITEM_REASONING, e, err);

	if (!item || !responses_decode_turn_to(r, item, err))
		return false;
	item->any_summary = true;
	return openai_output_thinking(&r->output, json_str_or(e->delta, SV_EMPTY),
				      summary ? SV_EMPTY : sv_of(&item->signature), err);
}

static bool responses_decode_on_summary(struct responses *r, const struct event *e, struct err *err)
{
	return responses_decode_add_thinking(r, e, true, err);
}

static bool responses_decode_on_reasoning(struct responses *r, const struct event *e,
					  struct err *err)
{
	return responses_decode_add_thinking(r, e, false, err);
}

static bool responses_decode_on_summary_part(struct responses *r, const struct event *e,
					     struct err *err)
{
	const struct item *item = responses_decode_find(r, ITEM_REASONING, e);

	return !item || !item->any_summary ||
	       openai_output_thinking(&r->output, SV("\n\n"), SV_EMPTY, err);
}

static bool responses_decode_on_arguments(struct responses *r, const struct event *e,
					  struct err *err)
{
	struct item *item = responses_decode_find(r, ITEM_CALL, e);

	if (!item || !item->call)
		return err_set(err, ERR_PROTOCOL,
			       "received arguments for item %lld, which is not a call",
			       (long long)e->key);
	return openai_output_input(&r->output, item->call, json_str_or(e->delta, SV_EMPTY), err);
}

static bool responses_decode_on_nothing(__attribute__((unused)) struct responses *r,
					__attribute__((unused)) const struct event *e,
					__attribute__((unused)) struct err *err)
{
	return true;
}

static const struct handler {
	struct sv type;
	bool (*handle)(struct responses *r, const struct event *e, struct err *err);
} handlers[] = {
	{ SV_INIT("response.output_text.delta"), responses_decode_on_text },
	{ SV_INIT("response.function_call_arguments.delta"), responses_decode_on_arguments },
	{ SV_INIT("response.reasoning_summary_text.delta"), responses_decode_on_summary },
	{ SV_INIT("response.reasoning_text.delta"), responses_decode_on_reasoning },
	{ SV_INIT("response.reasoning_summary_part.added"), responses_decode_on_summary_part },
	{ SV_INIT("response.output_item.added"), responses_decode_on_item_added },
	{ SV_INIT("response.output_item.done"), responses_decode_on_item_done },
	{ SV_INIT("response.refusal.delta"), responses_decode_on_refusal },
	{ SV_INIT("response.created"), responses_decode_on_nothing },
	{ SV_INIT("response.in_progress"), responses_decode_on_nothing },
};

/* The end. */

static struct sv responses_decode_item_id(struct json item)
{
	struct sv id = json_str_or(json_get(item, "id"), SV_EMPTY);

	return id.len ? id : json_str_or(json_get(item, "call_id"), SV_EMPTY);
}

/* Takes all items of a complete response. */
static bool responses_decode_take_output(struct responses *r, struct json output, struct sv json,
					 struct err *err)
{
	struct json_iter it = json_each(output);
	struct event e = { .key = -1 };
	struct json_span_iter spans;
	struct json_item item;

	if (!json_is(output, JSON_ARRAY) || !json_span_each(&spans, json, JSON_SPAN_ALL(json), err))
		return !json_is(output, JSON_ARRAY);
	while (json_next(&it, NULL, &e.item) && json_span_next(&spans, &item, err)) {
		e.item_json = json_span_sv(json, item.value);
		e.id = responses_decode_item_id(e.item);
		if (!responses_decode_on_item_done(r, &e, err))
			return false;
	}
	return true;
}

static enum model_stop responses_decode_stop_of(struct json response, struct sv *name)
{
	*name = json_str_or(json_path(response, "incomplete_details.reason"), SV_EMPTY);
	if (sv_is(*name, "max_output_tokens"))
		return MODEL_STOP_MAX_TOKENS;
	if (sv_is(*name, "content_filter"))
		return MODEL_STOP_REFUSAL;
	if (sv_is(json_str_or(json_get(response, "status"), SV_EMPTY), "incomplete"))
		return MODEL_STOP_OTHER;
	return MODEL_STOP_END_TURN;
}

/* `steps` lead to the output in `text`. */
static bool responses_decode_end_response(struct responses *r, struct json response, struct sv text,
					  struct json_steps steps, struct err *err)
{
	struct json output = json_get(response, "output");
	struct json_span span = { 0, 0 };
	enum model_stop stop;
	struct sv name;

	if (r->items.n == 0 && json_len(output) > 0 &&
	    (!json_span_find(text, steps, &span, err) ||
	     !responses_decode_take_output(r, output, json_span_sv(text, span), err)))
		return false;
	if (!openai_usage(&r->output.usage, json_get(response, "usage"), err))
		return false;
	stop = responses_decode_stop_of(response, &name);
	r->ended = true;
	return openai_output_end(&r->output, stop, name.len ? name : SV("incomplete"), err);
}

static bool is_last(struct sv type)
{
	return sv_is(type, "response.completed") || sv_is(type, "response.incomplete");
}

static bool is_failure(struct sv type)
{
	return sv_is(type, "response.failed") || sv_is(type, "response.cancelled") ||
	       sv_is(type, "error");
}

/* Emits the start before anything else, whichever event comes first. */
static void responses_decode_start(struct responses *r, struct json response)
{
	if (r->output.started)
		return;
	openai_output_start(&r->output, json_str_or(json_get(response, "id"), SV_EMPTY),
			    json_str_or(json_get(response, "model"), SV_EMPTY));
}

static bool responses_decode_handle(struct responses *r, struct sv type, const struct event *e,
				    struct err *err)
{
	if (is_last(type)) {
		responses_decode_start(r, e->response);
		return responses_decode_end_response(r, e->response, e->data,
						     JSON_STEPS(SV("response"), SV("output")), err);
	}
	for (size_t i = 0; i < countof(handlers); i++) {
		if (!sv_eq(type, handlers[i].type))
			continue;
		responses_decode_start(r, e->response);
		return handlers[i].handle(r, e, err);
	}
	return true;
}

enum { TYPE, OUTPUT_INDEX, ITEM_ID, DELTA, ITEM, RESPONSE, ERROR, EVENT_MEMBERS };

static size_t responses_decode_place(struct sv name)
{
	if (sv_is(name, "type"))
		return TYPE;
	if (sv_is(name, "output_index"))
		return OUTPUT_INDEX;
	if (sv_is(name, "item_id"))
		return ITEM_ID;
	if (sv_is(name, "delta"))
		return DELTA;
	if (sv_is(name, "item"))
		return ITEM;
	if (sv_is(name, "response"))
		return RESPONSE;
	if (sv_is(name, "error"))
		return ERROR;
	return JSON_NOWHERE;
}

static bool responses_decode_read_event(struct event *e, struct sv data, const struct json *members,
					struct err *err)
{
	struct json_span span;

	*e = (struct event){ .data = data,
			     .delta = members[DELTA],
			     .response = members[RESPONSE],
			     .item = members[ITEM] };
	e->key = json_int_or(members[OUTPUT_INDEX], -1);
	e->id = json_str_or(members[ITEM_ID], SV_EMPTY);
	if (!json_exists(e->item))
		return true;
	e->id = responses_decode_item_id(e->item);
	if (!json_span_find(data, JSON_STEPS(SV("item")), &span, err))
		return false;
	e->item_json = json_span_sv(data, span);
	return true;
}

/* An error is an event of its own, flat or nested, or part of the failed response. */
static bool responses_decode_fail_event(struct model_error *error, struct json root)
{
	struct json in_response = json_path(root, "response.error");

	if (json_is(in_response, JSON_OBJECT))
		return openai_fail(error, 200, in_response);
	return openai_fail(error, 200,
			   json_exists(openai_error_of(root)) ? openai_error_of(root) : root);
}

static bool responses_decode_on_event(struct decoder *decoder, struct sv name, struct sv data,
				      struct model_error *error)
{
	struct responses *r = responses_decode_of(decoder);
	struct event e;
	struct json root, members[EVENT_MEMBERS] = { { NULL } };
	struct err why;
	struct sv type;

	if (data.len == 0 || r->ended)
		return true;
	if (!json_parse_in(&r->pool, data, JSON_KEEP_HALVES, &root, &why))
		return sv_is(sv_trim(data), "[DONE]") ||
		       openai_fail_excerpt(error, "an event is not valid JSON", data);
	json_pick(root, responses_decode_place, members);
	type = json_str_or(members[TYPE], name);
	r->events++;
	if (!sv_eq(type, sv_of(&r->last)))
		str_set(&r->last, sv_slice(type, 0, LAST_SIZE));
	if (is_failure(type) || json_is(members[ERROR], JSON_OBJECT))
		return responses_decode_fail_event(error, root);
	if (!json_is(root, JSON_OBJECT))
		return openai_fail_excerpt(error, "an event is not a JSON object", data);
	return (responses_decode_read_event(&e, data, members, &why) &&
		responses_decode_handle(r, type, &e, &why)) ||
	       openai_fail_err(error, &why);
}

static bool responses_decode_on_end(struct decoder *decoder, struct model_error *error)
{
	struct responses *r = responses_decode_of(decoder);
	defer(str_clear) struct str last = STR_INIT;

	if (r->ended)
		return true;
	if (r->events == 0)
		return model_fail(error, MODEL_FAILED_PROTOCOL, 200,
				  "the response contains no stream events");
	wire_printable(&last, sv_of(&r->last), 60);
	return model_fail(error, MODEL_FAILED_NETWORK, 200,
			  "the stream ended after %zu event%s (last: %s), before the "
			  "response was completed",
			  r->events, r->events == 1 ? "" : "s", str_c(&last));
}

static bool responses_decode_on_whole(struct decoder *decoder, struct sv body,
				      struct model_error *error)
{
	struct responses *r = responses_decode_of(decoder);
	struct json root;
	struct err why;

	if (!json_parse_in(&r->pool, body, 0, &root, &why))
		return openai_fail_excerpt(error, "the response is not valid JSON", body);
	if (json_exists(openai_error_of(root)))
		return openai_fail(error, 200, openai_error_of(root));
	if (!json_is(json_get(root, "output"), JSON_ARRAY))
		return openai_fail_excerpt(error, "the response has no output", body);
	responses_decode_start(r, root);
	return responses_decode_end_response(r, root, body, JSON_STEPS(SV("output")), &why) ||
	       openai_fail_err(error, &why);
}

static void responses_decode_on_free(struct decoder *decoder)
{
	struct responses *r = responses_decode_of(decoder);

	for (size_t i = 0; i < r->items.n; i++)
		responses_decode_free_item(r->items.at[i]);
	vec_clear(&r->items);
	openai_output_clear(&r->output);
	json_pool_clear(&r->pool);
	str_clear(&r->last);
	free(r);
}

static const struct decoder_type responses_type = {
	.event = responses_decode_on_event,
	.end = responses_decode_on_end,
	.whole = responses_decode_on_whole,
	.free = responses_decode_on_free,
};

struct decoder *openai_responses_decoder(const struct model_request *request, wire_event_fn *emit,
					 void *arg)
{
	struct responses *r = xnew(struct responses);

	r->base = (struct decoder){
		.type = &responses_type, .request = request, .emit = emit, .arg = arg
	};
	openai_output_init(&r->output, request, emit, arg);
	return &r->base;
}
