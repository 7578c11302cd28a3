/* What scripts say is read back by the decoders of the wires, and shaped by the
 * faults to the byte. */
#include "base/limits.h"
#include "model/wire/event_log.h"
#include "script_play.h"
#include "text/sse.h"

#define SESSION                                                          \
	"reply\n"                                                        \
	"  thinking \"Let me see.\" signature sig\n"                     \
	"  text \"I'll read the file first, all of it: \xe2\x82\xac\"\n" \
	"  tool Read {\"file_path\": \"README.md\"}\n"                   \
	"  tool Bash {\"command\": \"ls\"}\n"                            \
	"  usage input=12 output=34 cache_read=5 cache_write=6 cache_write_1h=7\n"

struct decoding {
	struct decoder *decoder;
	struct str log;
	struct model_error error;
	bool ok;
};

static void decoding_clear(struct decoding *d)
{
	d->decoder->type->free(d->decoder);
	str_clear(&d->log);
}

/* Whole blocks and the end: how the decoders tell the rest is their tests'. Of
 * thinking only the text, as each wire has a signature of its own. */
static void on_event(void *arg, const struct model_event *event)
{
	struct decoding *d = arg;

	if (event->kind == MODEL_THINKING)
		str_add(&d->log, event->text);
	if (event->kind == MODEL_BLOCK_STOP && event->block == MODEL_BLOCK_THINKING)
		str_addc(&d->log, '\n');
	else if (event->kind == MODEL_BLOCK_STOP)
		str_addf(&d->log, "%.*s\n", SV_ARG(event->json));
	if (event->kind == MODEL_STOP)
		event_log(&d->log, event);
}

static bool on_sse(void *arg, const struct sse_event *event, struct err *err)
{
	struct decoding *d = arg;

	d->ok = d->decoder->type->event(d->decoder, event->type, event->data, &d->error);
	return d->ok || err_set(err, ERR_PROTOCOL, "the decoder gave up");
}

static void decode(struct decoding *d, const struct provider *provider, const struct play *play)
{
	static const struct model_request request = { .nmessages = 0 };
	defer(str_clear) struct str body = STR_INIT;
	defer(sse_clear) struct sse sse;
	struct err err = ERR_INIT;
	bool streams = play->length < 0;

	play_body(&body, play);
	*d = (struct decoding){ .ok = true };
	d->decoder = provider->decoder(&request, on_event, d);
	sse_init(&sse, LIMIT_SSE_EVENT);
	if (streams) {
		d->ok = sse_feed(&sse, sv_of(&body), on_sse, d, &err);
		d->ok = d->ok && d->decoder->type->end(d->decoder, &d->error);
		CHECK(!sse_is_pending(&sse));
	} else {
		d->ok = d->decoder->type->whole(d->decoder, sv_of(&body), &d->error);
	}
}

static void check_decoded(const struct provider *provider, const char *path, const char *body,
			  const char *expected)
{
	defer(script_freep) struct script *s = script_of(SESSION);
	defer(play_clear) struct play play;
	defer(decoding_clear) struct decoding d;

	ask_script(s, path, body, &play, NULL);
	CHECK_INT(play.status, 200);
	decode(&d, provider, &play);
	if (!d.ok)
		print_error("%s\n", d.error.err.text);
	CHECK(d.ok);
	CHECK_STR(str_c(&d.log), expected);
}

#define THINKING "Let me see.\n"
#define TEXT_BLOCK \
	"{\"type\":\"text\",\"text\":\"I'll read the file first, all of it: \xe2\x82\xac\"}\n"
#define TOOL_BLOCKS(id, blank)                                                      \
	"{\"type\":\"tool_use\",\"id\":\"" id "_script_0001_1\",\"name\":\"Read\"," \
	"\"input\":{\"file_path\":" blank "\"README.md\"}}\n"                       \
	"{\"type\":\"tool_use\",\"id\":\"" id "_script_0001_2\",\"name\":\"Bash\"," \
	"\"input\":{\"command\":" blank "\"ls\"}}\n"

TEST(the_anthropic_wire_is_read_back_by_its_decoder_streamed_and_whole)
{
	check_decoded(&provider_anthropic, "/v1/messages",
		      "{\"model\":\"m\",\"messages\":[],\"stream\":true}",
		      THINKING TEXT_BLOCK TOOL_BLOCKS("toolu", " ") "stop 0:0 tool_use\n"
								    "<12 34 5 6 7 0>\n");
	check_decoded(&provider_anthropic, "/v1/messages", "{\"model\":\"m\",\"messages\":[]}",
		      THINKING TEXT_BLOCK TOOL_BLOCKS("toolu", "") "stop 0:0 tool_use\n"
								   "<12 34 5 6 7 0>\n");
}

TEST(the_chat_wire_is_read_back_by_its_decoder_streamed_and_whole)
{
	check_decoded(&provider_openai_chat, "/v1/chat/completions",
		      "{\"model\":\"m\",\"messages\":[],\"stream\":true,"
		      "\"stream_options\":{\"include_usage\":true}}",
		      THINKING TEXT_BLOCK TOOL_BLOCKS("call", " ") "stop 0:0 tool_use\n"
								   "<25 34 5 0 0 0>\n");
	check_decoded(&provider_openai_chat, "/v1/chat/completions",
		      "{\"model\":\"m\",\"messages\":[]}",
		      THINKING TEXT_BLOCK TOOL_BLOCKS("call", " ") "stop 0:0 tool_use\n"
								   "<25 34 5 0 0 0>\n");
}

TEST(the_responses_wire_is_read_back_by_its_decoder_streamed_and_whole)
{
	check_decoded(&provider_openai_responses, "/v1/responses",
		      "{\"model\":\"m\",\"input\":\"hi\",\"stream\":true}",
		      THINKING TEXT_BLOCK TOOL_BLOCKS("call", " ") "stop 0:0 tool_use\n"
								   "<25 34 5 0 0 0>\n");
	check_decoded(&provider_openai_responses, "/v1/responses",
		      "{\"model\":\"m\",\"input\":\"hi\"}",
		      THINKING TEXT_BLOCK TOOL_BLOCKS("call", " ") "stop 0:0 tool_use\n"
								   "<25 34 5 0 0 0>\n");
}

/* --- the bytes ----------------------------------------------------------- */

#define ASK   "{\"model\":\"m\",\"messages\":[],\"stream\":true}"
#define WHOLE "{\"model\":\"m\",\"messages\":[]}"
#define START                                                                                   \
	"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":"          \
	"\"msg_script_0001\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\","      \
	"\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{"                \
	"\"input_tokens\":1,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,"   \
	"\"cache_creation\":{\"ephemeral_5m_input_tokens\":0,\"ephemeral_1h_input_tokens\":0}," \
	"\"output_tokens\":1}}}\n\n"
#define FINISH                                                                \
	"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{" \
	"\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{"    \
	"\"output_tokens\":2}}\n\n"
#define STOP "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
#define BLOCK_START                                                                        \
	"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0," \
	"\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
#define DELTA(text)                                                                        \
	"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0," \
	"\"delta\":{\"type\":\"text_delta\",\"text\":\"" text "\"}}\n\n"
#define BLOCK_STOP \
	"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"

static void check_play(const char *script, const char *path, const char *body, const char *expected,
		       int line)
{
	defer(script_freep) struct script *s = script_of(script);
	defer(play_clear) struct play play;
	defer(str_clear) struct str out = STR_INIT;

	ask_script(s, path, body, &play, NULL);
	play_describe(&out, &play);
	test_check_sv(sv_of(&out), sv_cstr(expected), __FILE__, line);
}

#define CHECK_PLAY(script, body, expected) \
	check_play(script, "/v1/messages", body, expected, __LINE__)

#define HI "reply\n usage input=1 output=2\n"

TEST(every_event_is_a_piece_of_its_own)
{
	CHECK_PLAY(HI " text \"Hello, you wonderful world!\"\n", ASK,
		   "head 200 '" START "' '" BLOCK_START
		   "' '" DELTA("Hello, you wonderful wor") "' '" DELTA("ld!") "' '" BLOCK_STOP
									      "' '" FINISH
									      "' '" STOP "' end");
	CHECK_PLAY(HI " text \"ab\" times 3\n", ASK,
		   "head 200 '" START "' '" BLOCK_START
		   "' '" DELTA("ab") "' '" DELTA("ab") "' '" DELTA("ab") "' '" BLOCK_STOP
									 "' '" FINISH "' '" STOP
									 "' end");
}

TEST(waits_stand_where_the_script_has_them)
{
	CHECK_PLAY(HI " delay 5ms\n begin\n stall 1s\n", ASK,
		   "wait 5 head 200 '" START "' wait 1000 '" FINISH "' '" STOP "' end");
	CHECK_PLAY(HI " pace 7ms\n", ASK,
		   "head 200 '" START "' wait 7 '" FINISH "' wait 7 '" STOP "' end");
	CHECK_PLAY(HI " text x\n stall forever\n", ASK,
		   "head 200 '" START "' '" BLOCK_START
		   "' '" DELTA("x") "' '" BLOCK_STOP "' wait -1 '" FINISH "' '" STOP "' end");
	CHECK_PLAY(HI " delay 5ms\n", WHOLE,
		   "wait 5 head 200 '{\"id\":\"msg_script_0001\",\"type\":\"message\",\"role\":"
		   "\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":\"end_turn\","
		   "\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,"
		   "\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,"
		   "\"cache_creation\":{\"ephemeral_5m_input_tokens\":0,"
		   "\"ephemeral_1h_input_tokens\":0},\"output_tokens\":2}}' end");
}

TEST(a_reply_may_end_anywhere)
{
	CHECK_PLAY("reply\n reset\n", ASK, "reset");
	CHECK_PLAY("reply\n reset\n", WHOLE, "reset");
	CHECK_PLAY(HI " begin\n cut\n text x\n", ASK, "head 200 '" START "' cut");
	CHECK_PLAY(HI " reset after 3\n", ASK, "head 200 'eve' reset");
	CHECK_PLAY(HI " cut after 0\n", WHOLE, "head 200 cut");
	CHECK_PLAY(HI " error overloaded_error \"Too much\"\n text x\n", ASK,
		   "head 200 '" START "' 'event: error\ndata: {\"type\":\"error\",\"error\":{"
		   "\"type\":\"overloaded_error\",\"message\":\"Too much\"}}\n\n' end");
}

TEST(raw_bytes_stand_in_the_place_of_an_answer)
{
	CHECK_PLAY("reply\n status 502\n raw \"<html>\" times 2\n", ASK,
		   "head 502 '<html>' '<html>' end");
	CHECK_PLAY("reply\n raw \"{\"\n text x\n", WHOLE, "head 200 '{' end");
	CHECK_PLAY("reply\n garbage \"SSH-2.0\"\n", ASK, "garbage 'SSH-2.0' cut");
	CHECK_PLAY(HI " event - \"a\\nb\"\n event x {}\n reset\n", ASK,
		   "head 200 '" START "' 'data: a\ndata: b\n\n' 'event: x\ndata: {}\n\n' reset");
	CHECK_PLAY(HI " block <<E\n  {\"type\":\n   \"x\", \"n\": 1.50}\n  E\n reset\n", ASK,
		   "head 200 '" START "' 'event: content_block_start\ndata: "
		   "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
		   "{\"type\":\"x\",\"n\":1.50}}\n\n' '" BLOCK_STOP "' reset");
}

TEST(a_failure_speaks_the_words_of_its_wire)
{
	static const char script[] = "fail 529 overloaded_error \"Overloaded\" repeat 3\n";
	const char *openai = "head 529 '{\"error\":{\"message\":\"Overloaded\",\"type\":"
			     "\"overloaded_error\",\"param\":null,\"code\":529}}' end";

	CHECK_PLAY(script, ASK,
		   "head 529 '{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
		   "\"message\":\"Overloaded\"}}' end");
	check_play(script, "/v1/chat/completions", WHOLE, openai, __LINE__);
	check_play(script, "/v1/responses", "{\"input\":[]}", openai, __LINE__);
}

TEST(headers_are_the_wires_own_and_the_scripts)
{
	defer(script_freep) struct script *s =
		script_of("fail 429 slow retry-after=2\n header Content-Type: x/y\n");
	defer(play_clear) struct play play;

	ask_script(s, "/v1/messages", ASK, &play, NULL);
	CHECK_INT(play.headers.n, 3);
	CHECK_SV(play.headers.at[0].name, "request-id");
	CHECK_SV(play.headers.at[0].value, "req_script_0001");
	CHECK_SV(play.headers.at[1].name, "retry-after");
	CHECK_SV(play.headers.at[2].value, "x/y");
}

/* --- splits and ends, everywhere ------------------------------------------ */

TEST(a_split_at_any_byte_changes_the_pieces_and_no_byte)
{
	defer(script_freep) struct script *s = script_of("reply forever\n text \"Hello.\"\n");
	size_t length = SIZE_MAX;

	for (size_t at = 1; at <= length; at++) {
		defer(play_clear) struct play whole, split;
		defer(str_clear) struct str a = STR_INIT, b = STR_INIT;

		s->served = 0;
		ask_script(s, "/v1/messages", ASK, &whole, NULL);
		s->served = 0;
		ask_script(s, "/v1/messages", ASK, &split, NULL);
		play_split(&split, &at, 1, 0, 0);
		play_body(&a, &whole);
		play_body(&b, &split);
		CHECK_SV_EQ(sv_of(&b), sv_of(&a));
		CHECK(split.acts.n <= whole.acts.n + 1);
		length = a.len;
	}
	CHECK(length > 100);
}

TEST(every_byte_can_travel_alone)
{
	defer(script_freep) struct script *s =
		script_of("reply\n text x\n split every 1 pause 2ms\n");
	defer(play_clear) struct play play;

	ask_script(s, "/v1/messages", ASK, &play, NULL);
	for (size_t i = 0; i < play.acts.n; i++) {
		const struct play_act *act = &play.acts.at[i];

		CHECK(act->kind != PLAY_BYTES || act->to - act->from == 1);
		CHECK(act->kind != PLAY_WAIT || act->ms == 2);
	}
}

TEST(an_end_after_any_byte_leaves_exactly_those_before)
{
	defer(script_freep) struct script *s = script_of("reply forever\n text \"Hello.\"\n");
	size_t length = SIZE_MAX;

	for (size_t at = 0; at <= length; at++) {
		defer(play_clear) struct play whole, cut;
		defer(str_clear) struct str a = STR_INIT, b = STR_INIT;

		s->served = 0;
		ask_script(s, "/v1/messages", ASK, &whole, NULL);
		s->served = 0;
		ask_script(s, "/v1/messages", ASK, &cut, NULL);
		play_end_at(&cut, at, PLAY_RESET);
		play_body(&a, &whole);
		play_body(&b, &cut);
		CHECK_SV_EQ(sv_of(&b), sv_slice(sv_of(&a), 0, at));
		CHECK_INT(vec_last(&cut.acts)->kind, PLAY_RESET);
		length = a.len;
	}
}

TEST(a_whole_answer_that_is_cut_had_promised_all_of_it)
{
	defer(script_freep) struct script *s = script_of("reply\n text x\n cut after 5\n");
	defer(play_clear) struct play play;

	ask_script(s, "/v1/messages", WHOLE, &play, NULL);
	CHECK(play.length > 100);
	CHECK_INT(vec_last(&play.acts)->kind, PLAY_CUT);
}
