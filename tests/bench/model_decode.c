/* Decodes a generated answer of a model without any network: `model_decode WIRE HOW
 * MEGABYTES`. HOW is "decode", the decoder of that wire with all its events, or "bare",
 * only what every reader of such a stream must do: the events of the stream, and each as
 * JSON. Prints how many events the stream had. What script/bench compares. */
#include <stdio.h>

#include "base/limits.h"
#include "model/wire/openai/openai_chat.h"
#include "model/wire/openai/openai_responses.h"
#include "text/sse.h"

enum { PIECE = 16 * 1024 }; /* as the network hands it over */

/* An answer: prose, then a tool call with a long input. The `%s` of a unit is a word. */
struct form {
	const char *wire;
	struct decoder *(*decoder)(const struct model_request *request, wire_event_fn *emit,
				   void *arg);
	const char *begin, *text, *call, *input, *end;
};

#define ANTHROPIC(type, rest) "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define CHAT(delta, finish)                                                                    \
	"data: {\"id\":\"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT\",\"object\":"                 \
	"\"chat.completion.chunk\",\"created\":1741569952,\"model\":\"gpt-4.1-2025-04-14\","   \
	"\"system_fingerprint\":\"fp_44709d6fcb\",\"choices\":[{\"index\":0,\"delta\":{" delta \
	"},\"logprobs\":null,\"finish_reason\":" finish "}],\"usage\":null}\n\n"
#define CHAT_INPUT(piece) \
	"\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"" piece "\"}}]"
#define RESPONSES(type, rest) \
	"event: " type "\ndata: {\"type\":\"" type "\",\"sequence_number\":4711," rest "}\n\n"
#define RESPONSES_DELTA(type, index, piece)                                                     \
	RESPONSES(type, "\"item_id\":\"msg_67c9fdcf37fc8190ba82116e33fb28c507b8b0ad4e5eb654\"," \
			"\"output_index\":" index ",\"content_index\":0,\"delta\":\"" piece "\"")

static const struct form forms[] = {
	{ "anthropic", anthropic_decoder,
	  ANTHROPIC("message_start",
		    ",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\","
		    "\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1}}")
		  ANTHROPIC("content_block_start",
			    ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
	  ANTHROPIC("content_block_delta",
		    ",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}"),
	  ANTHROPIC("content_block_stop", ",\"index\":0")
		  ANTHROPIC("content_block_start",
			    ",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\","
			    "\"name\":\"Write\",\"input\":{}}")
			  ANTHROPIC("content_block_delta",
				    ",\"index\":1,\"delta\":{\"type\":\"input_json_delta\","
				    "\"partial_json\":\"{\\\"content\\\":\\\"\"}"),
	  ANTHROPIC("content_block_delta", ",\"index\":1,\"delta\":{\"type\":\"input_json_delta\","
					   "\"partial_json\":\"%s\"}"),
	  ANTHROPIC("content_block_delta", ",\"index\":1,\"delta\":{\"type\":\"input_json_delta\","
					   "\"partial_json\":\"\\\"}\"}")
		  ANTHROPIC("content_block_stop", ",\"index\":1")
			  ANTHROPIC("message_delta", ",\"delta\":{\"stop_reason\":\"tool_use\"},"
						     "\"usage\":{\"output_tokens\":9}")
				  ANTHROPIC("message_stop", "") },
	{ "chat", openai_chat_decoder, CHAT("\"role\":\"assistant\",\"content\":\"\"", "null"),
	  CHAT("\"content\":\"%s\"", "null"),
	  CHAT("\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"type\":\"function\",\"function\":"
	       "{\"name\":\"Write\",\"arguments\":\"\"}}]",
	       "null") CHAT(CHAT_INPUT("{\\\"content\\\":\\\""), "null"),
	  CHAT(CHAT_INPUT("%s"), "null"),
	  CHAT(CHAT_INPUT("\\\"}"), "null") CHAT("", "\"tool_calls\"") "data: [DONE]\n\n" },
	{ "responses", openai_responses_decoder,
	  RESPONSES("response.created", "\"response\":{\"id\":\"r\",\"model\":\"m\"}")
		  RESPONSES("response.output_item.added",
			    "\"output_index\":0,\"item\":{\"type\":\"message\"}"),
	  RESPONSES_DELTA("response.output_text.delta", "0", "%s"),
	  RESPONSES("response.output_item.done",
		    "\"output_index\":0,\"item\":{\"type\":\"message\"}")
		  RESPONSES("response.output_item.added",
			    "\"output_index\":1,\"item\":{\"type\":\"function_call\","
			    "\"call_id\":\"t\",\"name\":\"Write\",\"arguments\":\"\"}")
			  RESPONSES_DELTA("response.function_call_arguments.delta", "1",
					  "{\\\"content\\\":\\\""),
	  RESPONSES_DELTA("response.function_call_arguments.delta", "1", "%s"),
	  RESPONSES_DELTA("response.function_call_arguments.delta", "1", "\\\"}")
		  RESPONSES("response.output_item.done",
			    "\"output_index\":1,\"item\":{\"type\":\"function_call\","
			    "\"call_id\":\"t\",\"name\":\"Write\"}")
			  RESPONSES("response.completed",
				    "\"response\":{\"id\":\"r\",\"status\":\"completed\"}") },
};

struct run {
	struct sse sse;
	struct json_pool pool;
	struct decoder *decoder; /* NULL: bare */
	struct model_error error;
	size_t events;
	size_t received; /* bytes of text and input */
	bool stopped;
};

static void on_model_event(void *arg, const struct model_event *event)
{
	struct run *r = arg;

	if (event->kind == MODEL_TEXT || event->kind == MODEL_INPUT)
		r->received += event->text.len;
	r->stopped |= event->kind == MODEL_STOP;
}

static bool on_event(void *arg, const struct sse_event *event, struct err *err)
{
	struct run *r = arg;
	struct json root;

	r->events++;
	if (!r->decoder)
		return sv_is(event->data, "[DONE]") ||
		       json_parse_in(&r->pool, event->data, 0, &root, err);
	if (r->decoder->type->event(r->decoder, event->type, event->data, &r->error))
		return true;
	*err = r->error.err;
	return false;
}

static void feed(struct run *r, struct sv bytes)
{
	struct err err = ERR_INIT;

	for (; bytes.len > 0; bytes = sv_skip(bytes, PIECE))
		if (!sse_feed(&r->sse, sv_slice(bytes, 0, PIECE), on_event, r, &err))
			BUG("%s", err.text);
}

/* A unit again and again, `megabytes` in all. */
static void feed_units(struct run *r, const char *unit, int64_t megabytes)
{
	static const char *const words[] = { "the",   " quick", " brown", " fox", " jumps",
					     " over", " a",     " lazy",  " dog", "." };
	defer(str_clear) struct str block = STR_INIT;
	struct sv before = sv_cstr(unit), after = before;
	size_t hole = sv_find(before, SV("%s"));

	before = sv_slice(before, 0, hole);
	after = sv_skip(after, hole + 2);
	for (size_t i = 0; block.len < MIB; i++) {
		str_add(&block, before);
		str_adds(&block, words[i % countof(words)]);
		str_add(&block, after);
	}
	for (int64_t i = 0; i < megabytes; i++)
		feed(r, sv_of(&block));
}

static const struct form *find_form(struct sv name)
{
	for (size_t i = 0; i < countof(forms); i++)
		if (sv_is(name, forms[i].wire))
			return &forms[i];
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct sv tool = SV_INIT("{\"name\":\"Write\",\"input_schema\":{}}");
	struct model_request request = { .tools = &tool, .ntools = 1 };
	const struct form *form = argc == 4 ? find_form(sv_cstr(argv[1])) : NULL;
	struct run r = { .pool = JSON_POOL_INIT };
	int64_t megabytes = 0;

	if (!form || !sv_to_int(sv_cstr(argv[3]), &megabytes))
		return 2;
	sse_init(&r.sse, LIMIT_SSE_EVENT);
	if (sv_is(sv_cstr(argv[2]), "decode"))
		r.decoder = form->decoder(&request, on_model_event, &r);
	feed(&r, sv_cstr(form->begin));
	feed_units(&r, form->text, megabytes * 3 / 4);
	feed(&r, sv_cstr(form->call));
	feed_units(&r, form->input, megabytes - megabytes * 3 / 4);
	feed(&r, sv_cstr(form->end));
	if (r.decoder) {
		if (!r.stopped || r.received == 0 || !r.decoder->type->end(r.decoder, &r.error))
			BUG("the answer was not decoded: %s", r.error.err.text);
		r.decoder->type->free(r.decoder);
	}
	json_pool_clear(&r.pool);
	sse_clear(&r.sse);
	printf("%zu\n", r.events);
	return 0;
}
