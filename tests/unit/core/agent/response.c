#include "core/agent/response.h"

#include "sys/op.h"
#include "test.h"

#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"

struct reply {
	struct loop *loop;
	struct response response;
};

static void reply_init(struct reply *r)
{
	r->loop = loop_new();
	r->response = (struct response)RESPONSE_INIT;
}

static void reply_clear(struct reply *r)
{
	response_clear(&r->response);
	loop_free(r->loop);
}

#define REPLY(name)                           \
	defer(reply_clear) struct reply name; \
	reply_init(&name)

static bool take(struct reply *r, struct model_event event)
{
	return response_take(&r->response, &event, r->loop);
}

static void begin(struct reply *r)
{
	CHECK(!take(r, (struct model_event){ .kind = MODEL_START,
					     .text = SV("msg_1"),
					     .model = SV("m"),
					     .usage = { .input = 7, .known = true } }));
}

static void add_text(struct reply *r, const char *text)
{
	CHECK(!take(r, (struct model_event){ .kind = MODEL_TEXT, .text = sv_cstr(text) }));
}

static void stop(struct reply *r, enum model_block kind, const char *json)
{
	CHECK(take(r, (struct model_event){
			      .kind = MODEL_BLOCK_STOP, .block = kind, .json = sv_cstr(json) }));
	CHECK_STR(str_c(&vec_last(&r->response.blocks)->json), json);
}

TEST(a_reply_has_its_blocks_in_order_and_what_it_used)
{
	REPLY(r);

	CHECK_INT(r.response.first_ms, -1);
	begin(&r);
	CHECK(r.response.first_ms >= 0);
	add_text(&r, "he");
	add_text(&r, "llo");
	stop(&r, MODEL_BLOCK_TEXT, TEXT("hello"));
	stop(&r, MODEL_BLOCK_TOOL_USE, "{\"type\":\"tool_use\"}");
	CHECK(!take(&r, (struct model_event){ .kind = MODEL_STOP,
					      .stop = MODEL_STOP_TOOL_USE,
					      .text = SV("tool_use"),
					      .usage = { .input = 7, .output = 9 } }));
	CHECK_INT(r.response.blocks.n, 2);
	CHECK(strcmp(r.response.blocks.at[0].uuid.text, r.response.blocks.at[1].uuid.text) != 0);
	CHECK_INT(r.response.first.output, 0);
	CHECK_INT(r.response.usage.output, 9);
	CHECK_INT(r.response.stop, MODEL_STOP_TOOL_USE);
	CHECK_STR(str_c(&r.response.stop_name), "tool_use");
	CHECK_STR(str_c(&r.response.id), "msg_1");
}

TEST(only_the_end_of_a_block_finishes_one)
{
	for (int kind = 0; kind <= MODEL_RATE_LIMIT; kind++) {
		REPLY(r);
		bool finished = take(&r, (struct model_event){ .kind = (enum model_event_kind)kind,
							       .block = MODEL_BLOCK_TOOL_USE,
							       .text = SV("x"),
							       .json = SV("{}") });

		CHECK_INT(finished, kind == MODEL_BLOCK_STOP);
		CHECK_INT(r.response.blocks.n, kind == MODEL_BLOCK_STOP);
	}
}

TEST(a_text_block_of_nothing_is_none)
{
	static const char *const blank[] = { TEXT(""), TEXT(" \\n\\t "), "{\"type\":\"text\"}" };
	REPLY(r);

	begin(&r);
	for (size_t i = 0; i < countof(blank); i++) {
		CHECK(!take(&r, (struct model_event){ .kind = MODEL_BLOCK_STOP,
						      .block = MODEL_BLOCK_TEXT,
						      .json = sv_cstr(blank[i]) }));
		CHECK_INT(r.response.blocks.n, 0);
	}
	stop(&r, MODEL_BLOCK_TEXT, TEXT(" a "));
	stop(&r, MODEL_BLOCK_OTHER, "{\"type\":\"of_tomorrow\",\"text\":\"\"}");
}

TEST(a_discarded_reply_leaves_nothing)
{
	static const struct model_event ways[] = {
		{ .kind = MODEL_DISCARD },
		{ .kind = MODEL_START, .text = SV_INIT(""), .model = SV_INIT("") },
	};

	for (size_t i = 0; i < countof(ways); i++) {
		REPLY(r);

		begin(&r);
		stop(&r, MODEL_BLOCK_TEXT, TEXT("a"));
		add_text(&r, "open");
		CHECK(!take(&r, ways[i]));
		CHECK_INT(r.response.blocks.n, 0);
		CHECK_INT(r.response.id.len, 0);
		CHECK_INT(r.response.usage.input, 0);
		CHECK(!response_keep_partial(&r.response, r.loop));
	}
}

TEST(a_text_that_was_cut_off_becomes_a_block_of_its_own)
{
	REPLY(r);

	begin(&r);
	stop(&r, MODEL_BLOCK_TEXT, TEXT("whole"));
	add_text(&r, "half \"a");
	CHECK(response_keep_partial(&r.response, r.loop));
	CHECK_INT(r.response.blocks.n, 2);
	CHECK_STR(str_c(&r.response.blocks.at[1].json), TEXT("half \\\"a"));
	CHECK_INT(r.response.blocks.at[1].kind, MODEL_BLOCK_TEXT);
	CHECK(!response_keep_partial(&r.response, r.loop)); /* only once */
}

TEST(nothing_but_white_space_is_no_text_to_keep)
{
	REPLY(r);

	CHECK(!response_keep_partial(&r.response, r.loop));
	begin(&r);
	CHECK(!response_keep_partial(&r.response, r.loop));
	add_text(&r, " \n\t");
	CHECK(!response_keep_partial(&r.response, r.loop));
	stop(&r, MODEL_BLOCK_TEXT, TEXT("said"));
	CHECK(!response_keep_partial(&r.response, r.loop)); /* it has ended */
}

TEST(each_block_is_told_as_a_message_that_has_not_ended_yet)
{
	REPLY(r);
	defer(str_clear) struct str out = STR_INIT;

	begin(&r);
	stop(&r, MODEL_BLOCK_TEXT, TEXT("a"));
	response_message(&out, &r.response, &r.response.blocks.at[0]);
	CHECK(sv_starts(sv_of(&out),
			SV("{\"id\":\"msg_1\",\"type\":\"message\","
			   "\"role\":\"assistant\",\"model\":\"m\","
			   "\"content\":[" TEXT(
				   "a") "],\"stop_reason\":null,"
					"\"stop_sequence\":null,\"usage\":{\"input_tokens\":7,")));
}

TEST(the_text_of_a_reply_is_that_of_its_last_text_block)
{
	static const struct {
		const char *blocks[3];
		enum model_block kinds[3];
		const char *text;
	} cases[] = {
		{ { TEXT("a") }, { MODEL_BLOCK_TEXT }, "a" },
		{ { TEXT("a"), TEXT("b\\n\\u00e9") },
		  { MODEL_BLOCK_TEXT, MODEL_BLOCK_TEXT },
		  "b\n\xc3\xa9" },
		{ { TEXT("a"), "{\"type\":\"tool_use\",\"text\":\"no\"}" },
		  { MODEL_BLOCK_TEXT, MODEL_BLOCK_TOOL_USE },
		  "a" },
		{ { "{\"type\":\"thinking\",\"text\":\"no\"}" }, { MODEL_BLOCK_THINKING }, "" },
		{ { NULL }, { MODEL_BLOCK_TEXT }, "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		REPLY(r);
		defer(str_clear) struct str out = STR_INIT;

		for (size_t k = 0; k < 3 && cases[i].blocks[k]; k++)
			stop(&r, cases[i].kinds[k], cases[i].blocks[k]);
		response_text(&out, &r.response);
		CHECK_STR(str_c(&out), cases[i].text);
	}
}
