#include <malloc.h>

#include "base/limits.h"
#include "base/mem.h"
#include "event_log.h"
#include "text/sse.h"

#define EVENT(type, rest) "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define START                                                                               \
	EVENT("message_start",                                                              \
	      ",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\"," \
	      "\"model\":\"claude-x\",\"content\":[],\"stop_reason\":null,\"usage\":{"      \
	      "\"input_tokens\":9,\"cache_read_input_tokens\":100,\"output_tokens\":1}}")
#define BLOCK(index, json) \
	EVENT("content_block_start", ",\"index\":" #index ",\"content_block\":" json)
#define DELTA(index, json) EVENT("content_block_delta", ",\"index\":" #index ",\"delta\":" json)
#define TEXT(index, text)  DELTA(index, "{\"type\":\"text_delta\",\"text\":\"" text "\"}")
#define INPUT(index, json) \
	DELTA(index, "{\"type\":\"input_json_delta\",\"partial_json\":\"" json "\"}")
#define END(index) EVENT("content_block_stop", ",\"index\":" #index)
#define PING       EVENT("ping", "")
#define FINISH(reason)                                                 \
	EVENT("message_delta", ",\"delta\":{\"stop_reason\":\"" reason \
			       "\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":42}")
#define STOP EVENT("message_stop", "")
#define FINISH_SEARCH                                                                       \
	EVENT("message_delta",                                                              \
	      ",\"delta\":{\"stop_reason\":\"pause_turn\"},\"usage\":{\"output_tokens\":7," \
	      "\"server_tool_use\":{\"web_search_requests\":3}}")
#define ERROR(type, rest) EVENT("error", ",\"error\":{\"type\":\"" type "\"" rest "}")

#define TEXT_BLOCK     "{\"type\":\"text\",\"text\":\"\"}"
#define THINKING_BLOCK "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"
#define REDACTED_BLOCK "{\"type\":\"redacted_thinking\",\"data\":\"x==\"}"
#define RESULT_BLOCK   "{ \"type\":\"web_search_tool_result\",\"content\":[{\"url\" : \"u\"}]}"
#define NEW_BLOCK      "{\"type\":\"hologram\",\"frames\" : [1.0],\"note\":\"a\"}"
#define SEARCH_BLOCK(input) \
	"{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\",\"input\":" input "}"
#define CITING_BLOCK(citation, text) \
	"{\"citations\":[" citation "],\"type\":\"text\",\"text\":\"" text "\"}"
#define TOOL_BLOCK(id, name) \
	"{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" name "\",\"input\":{}}"

struct outcome {
	struct str log;
	struct decoder *decoder;
	struct model_error error;
	bool ok;
};

static void outcome_clear(struct outcome *o)
{
	o->decoder->type->free(o->decoder);
	str_clear(&o->log);
}

static bool on_sse(void *arg, const struct sse_event *event, struct err *err)
{
	struct outcome *o = arg;

	o->ok = o->decoder->type->event(o->decoder, event->type, event->data, &o->error);
	return o->ok || err_set(err, ERR_PROTOCOL, "the decoder gave up");
}

/* Feeds the stream in pieces of `first` and then `step` bytes, each in memory of
 * its own, and ends it. */
static void run(struct outcome *o, const struct model_request *request, struct sv in, size_t first,
		size_t step)
{
	defer(sse_clear) struct sse sse;
	struct err err = ERR_INIT;
	size_t n = first;

	*o = (struct outcome){ .decoder = anthropic_decoder(request, event_log, &o->log),
			       .ok = true };
	sse_init(&sse, LIMIT_SSE_EVENT);
	for (; o->ok && in.len > 0; in = sv_skip(in, n), n = step) {
		defer(mem_freep) char *piece = NULL;

		n = min_of(n, in.len);
		piece = xmemdup(in.ptr, n);
		CHECK(sse_feed(&sse, sv_from(piece, n), on_sse, o, &err) == o->ok);
	}
	if (o->ok)
		o->ok = o->decoder->type->end(o->decoder, &o->error);
}

static const struct model_request plain_request, raw_request = { .raw = true };

/* A stream as a list of events, ended by NULL, and what it says. */
struct stream {
	const char *events[16];
	const char *log;
};

static const struct stream streams[] = {
	/* Text, with a ping, a blank delta and characters of every length. */
	{ { START, BLOCK(0, TEXT_BLOCK), PING, TEXT(0, ""), TEXT(0, "H\xc3\xa9\\n"),
	    TEXT(0, "\xe2\x82\xac\\ud83d\\ude00"), END(0), FINISH("end_turn"), STOP },
	  "start 0:0 msg_1\n<9 1 100 0 0 0>\n"
	  "block 0:0  " TEXT_BLOCK "\n"
	  "text 0:0 H\xc3\xa9\n\n"
	  "text 0:0 \xe2\x82\xac\xf0\x9f\x98\x80\n"
	  "end 0:0  {\"type\":\"text\",\"text\":\"H\xc3\xa9\\n\xe2\x82\xac\xf0\x9f\x98\x80\"}\n"
	  "usage 0:0 \n<9 42 100 0 0 0>\n"
	  "stop 0:0 end_turn\n<9 42 100 0 0 0>\n" },
	/* Thinking, then two calls side by side. */
	{ { START, BLOCK(0, THINKING_BLOCK),
	    DELTA(0, "{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}"),
	    DELTA(0, "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}"), END(0),
	    BLOCK(1, REDACTED_BLOCK), END(1), BLOCK(2, TOOL_BLOCK("t1", "Read")),
	    BLOCK(3, TOOL_BLOCK("t2", "Grep")), INPUT(2, "{\\\"p\\\": "), INPUT(3, ""),
	    INPUT(2, "1.50}"), INPUT(3, "{}"), END(3), END(2), FINISH("tool_use") STOP },
	  "start 0:0 msg_1\n<9 1 100 0 0 0>\n"
	  "block 0:1  " THINKING_BLOCK "\n"
	  "thinking 0:1 hm\n"
	  "signature 0:1 c2ln\n"
	  "end 0:1  {\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"c2ln\"}\n"
	  "block 1:2  " REDACTED_BLOCK "\n"
	  "end 1:2  " REDACTED_BLOCK "\n"
	  "block 2:3  " TOOL_BLOCK(
		  "t1",
		  "Read") " Read(t1)\n"
			  "block 3:3  " TOOL_BLOCK(
				  "t2",
				  "Grep") " Grep(t2)\n"
					  "input 2:3 {\"p\": \n"
					  "input 2:3 1.50}\n"
					  "input 3:3 {}\n"
					  "end 3:3  " TOOL_BLOCK(
						  "t2",
						  "Grep") "\n"
							  "end 2:3  "
							  "{\"type\":\"tool_use\",\"id\":\"t1\","
							  "\"name\":\"Read\",\"input\":{\"p\": "
							  "1.50}}\n"
							  "usage 0:0 \n<9 42 100 0 0 0>\n"
							  "stop 0:0 tool_use\n<9 42 100 0 0 0>\n" },
	/* A search on the server's side, its result, and a text that cites it. */
	{ { START, BLOCK(0, SEARCH_BLOCK("{}")), INPUT(0, "{\\\"query\\\":\\\"x\\\"}"), END(0),
	    BLOCK(1, RESULT_BLOCK), END(1), BLOCK(2, CITING_BLOCK("", "")),
	    DELTA(2, "{\"type\":\"citations_delta\",\"citation\":{\"n\" : 1}}"), TEXT(2, "so"),
	    END(2), FINISH_SEARCH, STOP },
	  "start 0:0 msg_1\n<9 1 100 0 0 0>\n"
	  "block 0:4  " SEARCH_BLOCK(
		  "{}") " web_search(s)\n"
			"input 0:4 {\"query\":\"x\"}\n"
			"end 0:4  " SEARCH_BLOCK(
				"{\"query\":\"x\"}") "\n"
						     "block 1:5  " RESULT_BLOCK "\n"
						     "end 1:5  " RESULT_BLOCK "\n"
						     "block 2:0  " CITING_BLOCK(
							     "",
							     "") "\n"
								 "text 2:0 so\n"
								 "end 2:0  " CITING_BLOCK(
									 "{\"n\" : 1}",
									 "so") "\n"
									       "usage 0:0 \n<9 7 "
									       "100 0 0 3>\n"
									       "stop 0:0 "
									       "pause_turn\n<9 7 "
									       "100 0 0 3>\n" },
	/* Blocks, deltas, events and a stop reason newer than we are. */
	{ { START, EVENT("weather", ",\"sun\":1"), BLOCK(0, NEW_BLOCK),
	    DELTA(0, "{\"type\":\"hologram_delta\",\"note\":\"b\",\"depth\":3}"),
	    DELTA(0, "{\"type\":\"hologram_delta\",\"hue\":\"\\\"\"}"), END(0), FINISH("bored"),
	    STOP },
	  "start 0:0 msg_1\n<9 1 100 0 0 0>\n"
	  "block 0:5  " NEW_BLOCK "\n"
	  "note 0:0 ignored a delta type unknown to this version: hologram_delta\n"
	  "end 0:5  {\"type\":\"hologram\",\"frames\" : [1.0],\"note\":\"ab\",\"hue\":\"\\\"\"}\n"
	  "usage 0:0 \n<9 42 100 0 0 0>\n"
	  "stop 0:0 bored\n<9 42 100 0 0 0>\n" },
	/* An answer cut in the middle of a call, and one without any block. */
	{ { START, BLOCK(0, TOOL_BLOCK("t", "W")), INPUT(0, "{\\\"a\\\": \\\"b"), END(0),
	    FINISH("max_tokens"), STOP },
	  "start 0:0 msg_1\n<9 1 100 0 0 0>\n"
	  "block 0:3  " TOOL_BLOCK(
		  "t", "W") " W(t)\n"
			    "input 0:3 {\"a\": \"b\n"
			    "end 0:3 {\"a\": \"b " TOOL_BLOCK(
				    "t", "W") "\n"
					      "usage 0:0 \n<9 42 100 0 0 0>\n"
					      "stop 0:0 max_tokens\n<9 42 100 0 0 0>\n" },
	{ { PING, START, FINISH("end_turn"), STOP, "data: [DONE]\n\n", PING },
	  "start 0:0 msg_1\n<9 1 100 0 0 0>\n"
	  "usage 0:0 \n<9 42 100 0 0 0>\n"
	  "stop 0:0 end_turn\n<9 42 100 0 0 0>\n" },
};

static struct sv join(struct str *out, const char *const events[16])
{
	for (size_t i = 0; i < 16 && events[i]; i++)
		str_adds(out, events[i]);
	return sv_of(out);
}

TEST(streams_say_the_same_however_they_are_split)
{
	for (size_t i = 0; i < countof(streams); i++) {
		defer(str_clear) struct str joined = STR_INIT;
		struct sv in = join(&joined, streams[i].events);

		for (size_t cut = 0; cut <= in.len; cut++) {
			defer(outcome_clear) struct outcome o;

			run(&o, &plain_request, in, cut ? cut : 1, cut ? in.len : 1);
			CHECK_OK(o.ok, o.error.err);
			CHECK_STR(o.log.ptr, streams[i].log);
		}
	}
}

/* Whatever was cut off, the rest is either whole or an error, and what it said
 * until then is what the whole stream says. */
#define SMILE "\xf0\x9f\x98\x80"

/* JavaScript gateways cut between the halves. */
TEST(characters_cut_between_their_utf16_halves_are_joined)
{
	static const char *const events[16] = {
		START,
		BLOCK(0, THINKING_BLOCK),
		DELTA(0, "{\"type\":\"thinking_delta\",\"thinking\":\"\\ud83d\"}"),
		DELTA(0, "{\"type\":\"thinking_delta\",\"thinking\":\"\\ude00\"}"),
		END(0),
		BLOCK(1, TEXT_BLOCK),
		TEXT(1, "a\\ud83d"),
		TEXT(1, "\\ude00b\\ud83d"),
		END(1),
		BLOCK(2, TOOL_BLOCK("t", "W")),
		INPUT(2, "{\\\"c\\\":\\\"\\ud83d"),
		INPUT(2, "\\ude00\\\"}"),
		END(2),
		FINISH("tool_use"),
		STOP,
	};
	defer(str_clear) struct str in = STR_INIT;
	defer(outcome_clear) struct outcome o;
	struct model_request request = { .model = SV("claude-x") };

	run(&o, &request, join(&in, events), SIZE_MAX, 1);
	CHECK_OK(o.ok, o.error.err);
	CHECK(strstr(o.log.ptr, "end 0:1  {\"type\":\"thinking\",\"thinking\":\"" SMILE "\""));
	CHECK(strstr(o.log.ptr, "text 1:0 a\ntext 1:0 " SMILE "b\ntext 1:0 \xef\xbf\xbd\n"));
	CHECK(strstr(o.log.ptr, "\"text\":\"a" SMILE "b\xef\xbf\xbd\"}"));
	CHECK(strstr(o.log.ptr, "input 2:3 " SMILE "\"}\n"));
	CHECK(strstr(o.log.ptr, "\"input\":{\"c\":\"" SMILE "\"}}\n"));
}

TEST(two_calls_never_share_an_id)
{
	static const struct sv before[] = {
		SV_INIT("{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":"
			"\"old\","
			"\"name\":\"W\",\"input\":{}}]}"),
	};
	static const char *const events[16] = {
		START,  BLOCK(0, TOOL_BLOCK("new", "W")), END(0), BLOCK(1, TOOL_BLOCK("new", "W")),
		END(1), BLOCK(2, TOOL_BLOCK("old", "W")), END(2), FINISH("tool_use"),
		STOP,
	};
	defer(str_clear) struct str in = STR_INIT;
	defer(outcome_clear) struct outcome o;
	struct model_request request = { .messages = before, .nmessages = 1 };

	run(&o, &request, join(&in, events), SIZE_MAX, 1);
	CHECK_OK(o.ok, o.error.err);
	CHECK(strstr(o.log.ptr, "block 0:3  " TOOL_BLOCK("new", "W") " W(new)\n"));
	CHECK(strstr(o.log.ptr, "end 1:3  " TOOL_BLOCK("new_1_1", "W") "\n"));
	CHECK(strstr(o.log.ptr, "end 2:3  " TOOL_BLOCK("old_1_2", "W") "\n"));
	CHECK(strstr(o.log.ptr, "note 0:0 the server used the id new for two tool calls"));
}

TEST(a_stream_cut_at_any_byte_is_whole_or_an_error)
{
	for (size_t i = 0; i < countof(streams); i++) {
		defer(str_clear) struct str joined = STR_INIT;
		struct sv in = join(&joined, streams[i].events);

		for (size_t cut = 0; cut < in.len; cut++) {
			defer(outcome_clear) struct outcome o;

			run(&o, &plain_request, sv_slice(in, 0, cut), cut, cut);
			CHECK(o.ok == sv_is(sv_of(&o.log), streams[i].log));
			CHECK(sv_starts(sv_cstr(streams[i].log), sv_of(&o.log)));
			if (!o.ok)
				CHECK(o.error.failure == MODEL_FAILED_NETWORK ||
				      o.error.failure == MODEL_FAILED_PROTOCOL);
		}
	}
}

TEST(a_stream_that_breaks_off_says_where)
{
	static const char *const events[16] = { START, BLOCK(0, TEXT_BLOCK), TEXT(0, "half") };
	defer(str_clear) struct str joined = STR_INIT;
	defer(outcome_clear) struct outcome o, empty;

	run(&o, &plain_request, join(&joined, events), 9, 99);
	CHECK(!o.ok);
	CHECK_INT(o.error.failure, MODEL_FAILED_NETWORK);
	CHECK_ERR(o.error.err, ERR_RESET, "after 3 events (last: content_block_delta)");
	run(&empty, &plain_request, SV("<html><body>Hello</body></html>\n\n"), 9, 99);
	CHECK_INT(empty.error.failure, MODEL_FAILED_PROTOCOL);
	CHECK_ERR(empty.error.err, ERR_PROTOCOL, "contains no stream events");
}

TEST(events_in_the_wrong_order_are_named)
{
	static const struct {
		const char *events[16];
		const char *part;
	} cases[] = {
		{ { BLOCK(0, TEXT_BLOCK) }, "received content_block_start before message_start" },
		{ { STOP }, "received message_stop before message_start" },
		{ { START, START }, "second message_start" },
		{ { EVENT("message_start", "") }, "has no message" },
		{ { START, TEXT(0, "x") }, "received text for block 0, which is not open" },
		{ { START, END(0) }, "received the end for block 0" },
		{ { START, BLOCK(0, TEXT_BLOCK), BLOCK(0, TEXT_BLOCK) }, "block 0 was started" },
		{ { START, BLOCK(2, TEXT_BLOCK), END(2), BLOCK(1, TEXT_BLOCK) },
		  "block 1 was started after block 2" },
		{ { START, BLOCK(0, TEXT_BLOCK), INPUT(0, "{") },
		  "received a tool's input for block 0" },
		{ { START, BLOCK(0, TEXT_BLOCK), FINISH("end_turn"), STOP },
		  "received message_stop while 1 block was not complete" },
		{ { START, BLOCK(0, TEXT_BLOCK), END(0), STOP }, "before a stop reason" },
		{ { START, FINISH("end_turn"), STOP, STOP }, "received message_stop after" },
		{ { START, FINISH("end_turn"), STOP, BLOCK(0, TEXT_BLOCK) }, "after message_stop" },
		{ { START, BLOCK(-1, TEXT_BLOCK) }, "has no index below 4096" },
		{ { START, BLOCK(1e99, TEXT_BLOCK) }, "has no index" },
		{ { START, EVENT("content_block_start", ",\"index\":0") }, "has no block" },
		{ { START, BLOCK(0, "{\"x\":1}") }, "no type" },
		{ { START, BLOCK(0, TEXT_BLOCK), DELTA(0, "{}") }, "block 0 has no type" },
		{ { START, BLOCK(0, TEXT_BLOCK), DELTA(0, "{\"type\":\"text_delta\"}") },
		  "has no \"text\"" },
		{ { START, EVENT("message_delta", ",\"delta\":{\"stop_reason\":7}") },
		  "stop reason is not a string" },
		{ { START, EVENT("message_delta", ",\"usage\":{\"output_tokens\":-7}") },
		  "output_tokens" },
		{ { "data: {\"type\":\n\n" }, "an event is not valid JSON: {\"type\":" },
		{ { "data: [DONE]\n\n" }, "an event is not valid JSON: [DONE]" },
		{ { "data: {\"typo\":1}\n\n" }, "an event has no type: {\"typo\":1}" },
		{ { "data: 7\n\n" }, "an event has no type: 7" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str joined = STR_INIT;
		defer(outcome_clear) struct outcome o;

		run(&o, &plain_request, join(&joined, cases[i].events), 50, 50);
		CHECK(!o.ok);
		CHECK_INT(o.error.failure, MODEL_FAILED_PROTOCOL);
		CHECK_ERR(o.error.err, ERR_PROTOCOL, cases[i].part);
		CHECK_INT(o.error.status, 200);
	}
}

/* The first spelling of each is the frequent one, which is read without parsing it. */
TEST(text_means_the_same_in_every_spelling)
{
	static const struct {
		const char *before, *frequent, *other;
	} cases[] = {
		{ START BLOCK(0, TEXT_BLOCK), TEXT(0, "plain"),
		  DELTA(0, "{\"text\":\"plain\",\"type\":\"text_delta\"}") },
		{ START BLOCK(0, TEXT_BLOCK), TEXT(0, ""),
		  DELTA(0, "{\"text\":\"\",\"type\":\"text_delta\"}") },
		{ START BLOCK(0, TEXT_BLOCK), TEXT(0, "a b"), TEXT(0, "a\\u0020b") },
		{ START BLOCK(0, TEXT_BLOCK) END(0) BLOCK(7, TEXT_BLOCK), TEXT(7, "x"),
		  TEXT(7, "\\u0078") },
		{ START, TEXT(0, "x"), TEXT(0, "\\u0078") }, /* the block is not open */
		{ "", TEXT(0, "x"), TEXT(0, "\\u0078") },    /* too early */
		{ START FINISH("end_turn") STOP, TEXT(0, "x"), TEXT(0, "\\u0078") }, /* too late */
	};
	struct model_request request = { .model = SV("claude-x") };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str one = STR_INIT;
		defer(str_clear) struct str two = STR_INIT;
		defer(outcome_clear) struct outcome a;
		defer(outcome_clear) struct outcome b;

		str_addf(&one, "%s%s", cases[i].before, cases[i].frequent);
		str_addf(&two, "%s%s", cases[i].before, cases[i].other);
		run(&a, &request, sv_of(&one), SIZE_MAX, 1);
		run(&b, &request, sv_of(&two), SIZE_MAX, 1);
		CHECK_STR(str_c(&a.log), str_c(&b.log));
		CHECK_INT(a.error.failure, b.error.failure);
		CHECK_STR(a.error.err.text, b.error.err.text);
	}
}

TEST(what_only_begins_like_text_is_not_taken_for_it)
{
	static const char *const bad[] = {
		TEXT(00, "x"),
		TEXT(0, "x\x01"),
		TEXT(0, "x\xff"),
		DELTA(0, "{\"type\":\"text_delta\",\"text\":\"x\"]"),
		DELTA(0, "{\"type\":\"text_delta\",\"text\":\"x\"}}"),
		DELTA(0, "{\"type\":\"text_delta\",\"text\":\"x\"} 7"),
	};

	for (size_t i = 0; i < countof(bad); i++) {
		defer(str_clear) struct str in = STR_INIT;
		defer(outcome_clear) struct outcome o;

		str_addf(&in, "%s%s", START BLOCK(0, TEXT_BLOCK), bad[i]);
		run(&o, &plain_request, sv_of(&in), SIZE_MAX, 1);
		CHECK_ERR(o.error.err, ERR_PROTOCOL, "an event is not valid JSON");
	}
}

TEST(errors_inside_a_stream_are_classed)
{
	static const struct {
		const char *event;
		enum model_failure failure;
		const char *part;
	} cases[] = {
		{ ERROR("overloaded_error", ",\"message\":\"Overloaded\""), MODEL_FAILED_OVERLOADED,
		  "Overloaded (overloaded_error)" },
		{ ERROR("rate_limit_error", ""), MODEL_FAILED_RATE_LIMIT, "rate_limit_error" },
		{ ERROR("invalid_request_error",
			",\"message\":\"prompt is too long: 5 tokens > 4 maximum\""),
		  MODEL_FAILED_PROMPT_TOO_LONG, "5 tokens > 4" },
		{ EVENT("error", ""), MODEL_FAILED_SERVER, "error" },
		{ "event: error\ndata: upstream died\n\n", MODEL_FAILED_SERVER,
		  "received an error: upstream died" },
		{ "data: {\"error\":{\"message\":\"no such thing\"}}\n\n", MODEL_FAILED_SERVER,
		  "no such thing" },
	};

	for (size_t i = 0; i < 2 * countof(cases); i++) {
		const char *const events[16] = { i % 2 ? START : PING, cases[i / 2].event };
		defer(str_clear) struct str joined = STR_INIT;
		defer(outcome_clear) struct outcome o;

		run(&o, &plain_request, join(&joined, events), 50, 50);
		CHECK(!o.ok);
		CHECK_INT(o.error.failure, cases[i / 2].failure);
		CHECK(strstr(o.error.err.text, cases[i / 2].part));
	}
}

TEST(raw_events_come_after_what_they_mean_and_without_pings)
{
	static const char *const events[16] = {
		START,  BLOCK(0, TEXT_BLOCK), PING, TEXT(0, "a"), EVENT("new", ", \"x\" : 1.0"),
		END(0), FINISH("end_turn"),   STOP,
	};
	defer(str_clear) struct str joined = STR_INIT;
	defer(outcome_clear) struct outcome o;

	run(&o, &raw_request, join(&joined, events), 999, 999);
	CHECK_OK(o.ok, o.error.err);
	CHECK(strstr(o.log.ptr,
		     "\ntext 0:0 a\nraw 0:0  {\"type\":\"content_block_delta\",\"index\":"
		     "0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n"
		     "raw 0:0  {\"type\":\"new\", \"x\" : 1.0}\n"
		     "end 0:0  {\"type\":\"text\",\"text\":\"a\"}\n"
		     "raw 0:0  {\"type\":\"content_block_stop\",\"index\":0}\n"));
	CHECK(!strstr(o.log.ptr, "ping"));
}

/* Remembers the last stop. */
static void note_stop(void *arg, const struct model_event *event)
{
	if (event->kind == MODEL_STOP)
		*(enum model_stop *)arg = event->stop;
}

TEST(every_stop_reason_is_mapped)
{
	static const struct {
		const char *reason;
		enum model_stop stop;
	} cases[] = {
		{ "end_turn", MODEL_STOP_END_TURN },
		{ "tool_use", MODEL_STOP_TOOL_USE },
		{ "max_tokens", MODEL_STOP_MAX_TOKENS },
		{ "stop_sequence", MODEL_STOP_SEQUENCE },
		{ "refusal", MODEL_STOP_REFUSAL },
		{ "pause_turn", MODEL_STOP_PAUSE_TURN },
		{ "model_context_window_exceeded", MODEL_STOP_CONTEXT_FULL },
		{ "compaction", MODEL_STOP_OTHER },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str body = STR_INIT;
		struct model_error error;
		enum model_stop stop = (enum model_stop) - 1;
		struct decoder *decoder = anthropic_decoder(&plain_request, note_stop, &stop);

		str_addf(&body, "{\"content\":[],\"stop_reason\":\"%s\"}", cases[i].reason);
		CHECK(decoder->type->whole(decoder, sv_of(&body), &error));
		CHECK_INT(stop, cases[i].stop);
		decoder->type->free(decoder);
	}
}

static void run_whole(struct outcome *o, struct sv body)
{
	*o = (struct outcome){ .decoder = anthropic_decoder(&plain_request, event_log, &o->log) };
	o->ok = o->decoder->type->whole(o->decoder, body, &o->error);
}

TEST(a_whole_answer_says_what_a_stream_would)
{
	defer(outcome_clear) struct outcome o;

	run_whole(&o,
		  SV("{\"id\":\"msg_1\",\"type\":\"message\",\"model\":\"claude-x\",\"content\":"
		     "[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}, "
		     "{\"type\":\"text\",\"text\":\"a\\u0062\"},{\"type\":\"tool_use\",\"id\":"
		     "\"t\",\"name\":\"R\",\"input\":{\"p\" : 1.50}},{\"type\":\"new\", \"x\":1}],"
		     "\"stop_reason\":\"tool_use\",\"usage\":{\"input_tokens\":3,"
		     "\"output_tokens\":4}}"));
	CHECK_OK(o.ok, o.error.err);
	CHECK_STR(
		o.log.ptr,
		"start 0:0 msg_1\n<3 4 0 0 0 0>\n"
		"block 0:1  {\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}\n"
		"thinking 0:1 hm\n"
		"signature 0:1 s\n"
		"end 0:1  {\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}\n"
		"block 1:0  {\"type\":\"text\",\"text\":\"a\\u0062\"}\n"
		"text 1:0 ab\n"
		"end 1:0  {\"type\":\"text\",\"text\":\"a\\u0062\"}\n"
		"block 2:3  {\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"R\",\"input\":{\"p\" : "
		"1.50}} R(t)\n"
		"input 2:3 {\"p\" : 1.50}\n"
		"end 2:3  {\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"R\",\"input\":{\"p\" : "
		"1.50}}\n"
		"block 3:5  {\"type\":\"new\", \"x\":1}\n"
		"end 3:5  {\"type\":\"new\", \"x\":1}\n"
		"usage 0:0 \n<3 4 0 0 0 0>\n"
		"stop 0:0 tool_use\n<3 4 0 0 0 0>\n");
}

TEST(a_whole_answer_that_is_none_is_classed_with_an_excerpt)
{
	static const struct {
		struct sv body;
		enum model_failure failure;
		const char *part;
	} cases[] = {
		{ SV_INIT("<!DOCTYPE html>\n<html>login</html>"), MODEL_FAILED_PROTOCOL,
		  "the response is not valid JSON: <!DOCTYPE html> <html>login</html>" },
		{ SV_INIT(""), MODEL_FAILED_PROTOCOL, "the response is not valid JSON" },
		{ SV_INIT("\x1f\x8b\x08\x00"), MODEL_FAILED_PROTOCOL,
		  "the response is not valid JSON" },
		{ SV_INIT("{}"), MODEL_FAILED_PROTOCOL, "the response is not a message: {}" },
		{ SV_INIT("[1]"), MODEL_FAILED_PROTOCOL, "the response is not a message: [1]" },
		{ SV_INIT("{\"content\":[]}"), MODEL_FAILED_PROTOCOL, "no stop reason" },
		{ SV_INIT("{\"content\":[{}],\"stop_reason\":\"end_turn\"}"), MODEL_FAILED_PROTOCOL,
		  "block 0 has no type" },
		{ SV_INIT("{\"content\":[],\"stop_reason\":\"x\",\"usage\":7}"),
		  MODEL_FAILED_PROTOCOL, "the usage is a number, not an object" },
		{ SV_INIT("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"),
		  MODEL_FAILED_OVERLOADED, "overloaded" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(outcome_clear) struct outcome o;

		run_whole(&o, cases[i].body);
		CHECK(!o.ok);
		CHECK_INT(o.error.failure, cases[i].failure);
		CHECK(strstr(o.error.err.text, cases[i].part));
	}
}

/* The most that is allocated at any event. */
struct peak {
	size_t base, most;
};

static void watch_peak(void *arg, __attribute__((unused)) const struct model_event *event)
{
	struct peak *peak = arg;
	struct mallinfo2 info = mallinfo2();

	peak->most = max_of(peak->most, info.uordblks + info.hblkhd - peak->base);
}

enum { BLOCKS = 64, DELTAS = 1024, DELTA_SIZE = 1024 };

static void feed_block(struct decoder *decoder, int index, struct sv piece)
{
	struct model_error error;
	char buffer[DELTA_SIZE + 256];
	int n = snprintf(
		buffer, sizeof(buffer),
		"{\"type\":\"content_block_start\",\"index\":%d,\"content_block\":" TEXT_BLOCK "}",
		index);

	CHECK(decoder->type->event(decoder, SV_EMPTY, sv_from(buffer, (size_t)n), &error));
	n = snprintf(buffer, sizeof(buffer),
		     "{\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":"
		     "\"text_delta\",\"text\":\"%.*s\"}}",
		     index, SV_ARG(piece));
	for (int i = 0; i < DELTAS; i++)
		CHECK(decoder->type->event(decoder, SV_EMPTY, sv_from(buffer, (size_t)n), &error));
	n = snprintf(buffer, sizeof(buffer), "{\"type\":\"content_block_stop\",\"index\":%d}",
		     index);
	CHECK(decoder->type->event(decoder, SV_EMPTY, sv_from(buffer, (size_t)n), &error));
}

TEST(memory_is_a_few_times_the_largest_block_however_long_the_stream)
{
	struct mallinfo2 info = mallinfo2();
	struct peak peak = { .base = info.uordblks + info.hblkhd };
	struct decoder *decoder;
	struct model_error error;
	char piece[DELTA_SIZE];

	if (peak.base == 0)
		return; /* a sanitizer's allocator does not count */
	memset(piece, 'x', sizeof(piece));
	decoder = anthropic_decoder(&plain_request, watch_peak, &peak);
	CHECK(decoder->type->event(decoder, SV_EMPTY,
				   SV("{\"type\":\"message_start\",\"message\":{}}"), &error));
	for (int i = 0; i < BLOCKS; i++)
		feed_block(decoder, i, sv_from(piece, sizeof(piece)));
	decoder->type->free(decoder);
	CHECK(peak.most > MIB);
	CHECK(peak.most < 5 * MIB);
}
