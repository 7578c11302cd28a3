/* The answers of the Responses API. A stream is
 *
 *   response.created
 *   (response.output_item.added <deltas of the item> response.output_item.done)*
 *   response.completed | response.incomplete | response.failed
 *
 * with many events in between that say again what others said. An item is read from
 * its deltas; only one that had none is read from where it is done, and items that
 * never came alone from the whole response at the end. */
#include "base/limits.h"
#include "base/mem.h"
#include "model/wire/openai_output.h"
#include "model/wire/openai_responses.h"
#include "text/json/json_span.h"

enum { LAST_SIZE = 80 };

struct responses {
	struct decoder base;
	struct openai_output output;
	struct json_pool pool;
	bool ended;
	bool any_item;    /* of the output */
	bool any_delta;   /* of the present item */
	bool any_summary; /* of the present item: the next part begins a paragraph */
	size_t events;
	struct str last; /* the type of the last one, or its start, for errors */
};

static struct responses *responses_decode_of(struct decoder *decoder)
{
	return container_of(decoder, struct responses, base);
}

/* An event, or an item of a whole answer, which has nothing but that. */
struct event {
	struct sv data; /* its text */
	struct json delta, response;
	struct json item;
	struct sv item_json;
	int64_t key; /* output_index; -1: none */
};

/* Items. */

static struct openai_call *responses_decode_find_call(const struct responses *r, int64_t key)
{
	for (size_t i = r->output.calls.n; i-- > 0;)
		if (r->output.calls.at[i]->key == key)
			return r->output.calls.at[i];
	return NULL;
}

static struct openai_call *responses_decode_begin_call(struct responses *r, const struct event *e,
						       struct err *err)
{
	struct sv id = json_str_or(json_get(e->item, "call_id"), SV_EMPTY);

	return openai_output_call(&r->output, e->key, id,
				  json_str_or(json_get(e->item, "name"), SV_EMPTY), err);
}

static bool responses_decode_is_type(struct json item, const char *type)
{
	return sv_is(json_str_or(json_get(item, "type"), SV_EMPTY), type);
}

static bool responses_decode_on_item_added(struct responses *r, const struct event *e,
					   struct err *err)
{
	r->any_item = true;
	r->any_delta = r->any_summary = false;
	return !responses_decode_is_type(e->item, "function_call") ||
	       responses_decode_begin_call(r, e, err);
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

/* Parts of a summary are paragraphs. */
static bool responses_decode_take_reasoning(struct responses *r, struct json list, struct err *err)
{
	struct json_iter it = json_each(list);
	struct json part;

	while (json_next(&it, NULL, &part)) {
		struct sv text = json_str_or(json_get(part, "text"), SV_EMPTY);

		if ((r->any_summary &&
		     !openai_output_thinking(&r->output, SV("\n\n"), SV_EMPTY, err)) ||
		    !openai_output_thinking(&r->output, text, SV_EMPTY, err))
			return false;
		r->any_summary = true;
	}
	return true;
}

/* The item itself is kept, to be sent back as it is. */
static bool responses_decode_end_reasoning(struct responses *r, const struct event *e,
					   struct err *err)
{
	defer(str_clear) struct str signature = STR_INIT;

	if (!r->any_delta &&
	    (!responses_decode_take_reasoning(r, json_get(e->item, "summary"), err) ||
	     !responses_decode_take_reasoning(r, json_get(e->item, "content"), err)))
		return false;
	str_adds(&signature, OPENAI_SIGNED_ITEM);
	str_add(&signature, e->item_json);
	return openai_output_sign(&r->output, sv_of(&signature), err);
}

/* Also a call whose beginning never came. */
static bool responses_decode_end_call(struct responses *r, const struct event *e, struct err *err)
{
	struct openai_call *call = responses_decode_find_call(r, e->key);
	struct sv input = json_str_or(json_get(e->item, "arguments"), SV_EMPTY);

	if (!call || (call->closed && e->key < 0))
		call = responses_decode_begin_call(r, e, err);
	if (!call)
		return false;
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
	struct sv type = json_str_or(json_get(e->item, "type"), SV_EMPTY);
	bool ok = true;

	r->any_item = true;
	if (sv_is(type, "message"))
		ok = r->any_delta ||
		     responses_decode_take_content(r, json_get(e->item, "content"), err);
	else if (sv_is(type, "reasoning"))
		ok = responses_decode_end_reasoning(r, e, err);
	else if (sv_is(type, "function_call"))
		ok = responses_decode_end_call(r, e, err);
	else
		openai_output_note(&r->output, "ignored a response item of unknown type %.*s",
				   SV_ARG(type));
	r->any_delta = r->any_summary = false;
	return ok;
}

/* Deltas. */

static struct sv responses_decode_take_delta(struct responses *r, const struct event *e)
{
	r->any_item = r->any_delta = true;
	return json_str_or(e->delta, SV_EMPTY);
}

static bool responses_decode_on_text(struct responses *r, const struct event *e, struct err *err)
{
	return openai_output_text(&r->output, responses_decode_take_delta(r, e), err);
}

static bool responses_decode_on_refusal(struct responses *r, const struct event *e, struct err *err)
{
	return openai_output_refusal(&r->output, responses_decode_take_delta(r, e), err);
}

static bool responses_decode_on_thinking(struct responses *r, const struct event *e,
					 struct err *err)
{
	r->any_summary = true;
	return openai_output_thinking(&r->output, responses_decode_take_delta(r, e), SV_EMPTY, err);
}

static bool responses_decode_on_summary_part(struct responses *r,
					     __attribute__((unused)) const struct event *e,
					     struct err *err)
{
	return !r->any_summary || openai_output_thinking(&r->output, SV("\n\n"), SV_EMPTY, err);
}

static bool responses_decode_on_arguments(struct responses *r, const struct event *e,
					  struct err *err)
{
	struct openai_call *call = responses_decode_find_call(r, e->key);

	if (!call)
		return err_set(err, ERR_PROTOCOL,
			       "received arguments for item %lld, which is not a call",
			       (long long)e->key);
	return openai_output_input(&r->output, call, responses_decode_take_delta(r, e), err);
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
	{ SV_INIT("response.reasoning_summary_text.delta"), responses_decode_on_thinking },
	{ SV_INIT("response.reasoning_text.delta"), responses_decode_on_thinking },
	{ SV_INIT("response.reasoning_summary_part.added"), responses_decode_on_summary_part },
	{ SV_INIT("response.output_item.added"), responses_decode_on_item_added },
	{ SV_INIT("response.output_item.done"), responses_decode_on_item_done },
	{ SV_INIT("response.refusal.delta"), responses_decode_on_refusal },
	{ SV_INIT("response.created"), responses_decode_on_nothing },
	{ SV_INIT("response.in_progress"), responses_decode_on_nothing },
};

/* The end. */

/* All items of a response that is there as a whole. */
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

	if (!r->any_item && json_len(output) > 0 &&
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

/* Whatever comes first, an answer begins with its beginning. */
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

enum { TYPE, OUTPUT_INDEX, DELTA, ITEM, RESPONSE, ERROR };

static const struct sv event_keys[] = {
	[TYPE] = SV_INIT("type"),         [OUTPUT_INDEX] = SV_INIT("output_index"),
	[DELTA] = SV_INIT("delta"),       [ITEM] = SV_INIT("item"),
	[RESPONSE] = SV_INIT("response"), [ERROR] = SV_INIT("error"),
};

static bool responses_decode_read_event(struct event *e, struct sv data, const struct json *members,
					struct err *err)
{
	struct json_span span;

	*e = (struct event){ .data = data,
			     .delta = members[DELTA],
			     .response = members[RESPONSE],
			     .item = members[ITEM] };
	e->key = json_int_or(members[OUTPUT_INDEX], -1);
	if (!json_exists(e->item))
		return true;
	if (!json_span_find(data, JSON_STEPS(SV("item")), &span, err))
		return false;
	e->item_json = json_span_sv(data, span);
	return true;
}

/* An error comes by itself, flat or not, or in the response it ended. */
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
	struct json root, members[countof(event_keys)];
	struct err why;
	struct sv type;

	if (data.len == 0 || r->ended || sv_is(sv_trim(data), "[DONE]"))
		return true;
	if (!json_parse_in(&r->pool, data, 0, &root, &why))
		return openai_fail_excerpt(error, "an event is not valid JSON", data);
	openai_pick(root, event_keys, countof(event_keys), members);
	type = json_str_or(members[TYPE], name);
	r->events++;
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
	bool was_stream, ok = openai_whole_stream(decoder, body, &was_stream, error);
	struct json root;
	struct err why;

	if (was_stream)
		return ok;
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
