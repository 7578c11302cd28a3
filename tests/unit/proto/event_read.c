#include "proto/event_read.h"

#include "proto/message.h"
#include "test.h"

/* An event read from `json`, in which ' stands for ". */
static struct event read_in(struct event_reader *reader, const char *json)
{
	defer(str_clear) struct str text = STR_INIT;
	struct event event = { .kind = EVENT_KINDS };
	struct err err = ERR_INIT;

	str_adds(&text, json);
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] == '\'')
			text.ptr[i] = '"';
	CHECK_OK(event_read(reader, sv_of(&text), &event, &err), err);
	return event;
}

#define READER(name) defer(event_reader_clear) struct event_reader name = EVENT_READER_INIT

TEST(the_members_of_an_event_are_read_into_their_types)
{
	READER(r);
	struct event e;

	e = read_in(&r, "{'type':'system','subtype':'init','cwd':'/w','tools':['Read',7,'Bash'],"
			"'slash_commands':['help'],'session_id':'S','uuid':'U'}");
	CHECK_INT(e.kind, EVENT_INIT);
	CHECK_SV(e.init.cwd, "/w");
	CHECK_INT(e.init.ntools, 2);
	CHECK_SV(e.init.tools[1], "Bash");
	CHECK_SV(e.init.commands[0].name, "help");
	CHECK_SV(r.uuid, "U");
	CHECK_SV(r.session_id, "S");
	e = read_in(&r, "{'type':'result','subtype':'error_max_turns','is_error':true,"
			"'errors':['too many'],'terminal_reason':'max_turns','duration_ms':5}");
	CHECK_INT(e.kind, EVENT_RESULT);
	CHECK_INT(e.result.outcome, RESULT_MAX_TURNS);
	CHECK(e.result.has_reason && e.result.reason == END_MAX_TURNS);
	CHECK_SV(e.result.error, "too many");
	CHECK_INT(e.result.ttft_ms, -1);
	CHECK_SV(r.uuid, "");
}

TEST(the_verdict_of_a_result_is_read_without_the_rest)
{
	struct event e = { .kind = EVENT_UNKNOWN };
	struct err err = ERR_INIT;

	CHECK(event_read_verdict(
		SV("{\"type\":\"result\",\"is_error\":true,\"permission_denials\":[{}]}"), &e,
		&err));
	CHECK(e.kind == EVENT_RESULT && e.result.is_error && e.result.ndenials == 1);
	CHECK(event_read_verdict(
		SV("{\"is_error\":false,\"result\":\"x\",\"permission_denials\":[]}"), &e, &err));
	CHECK(!e.result.is_error && e.result.ndenials == 0);
	CHECK(!event_read_verdict(SV("{\"is_error\":"), &e, &err));
	CHECK(!event_read_verdict(SV("[]"), &e, &err));
}

TEST(the_blocks_of_a_message_are_read_in_order)
{
	READER(r);
	struct event e = read_in(&r, "{'type':'assistant','message':{'content':["
				     "{'type':'text','text':'hi'},"
				     "{'type':'tool_use','id':'t1','name':'Read','input':{'a':1}},"
				     "{'type':'thinking','thinking':'hm'},7,"
				     "{'type':'tool_result','tool_use_id':'t2','is_error':true,"
				     "'content':[{'type':'text','text':'bad'}]},"
				     "{'type':'tool_result','content':'fine'}]},"
				     "'parent_tool_use_id':'p'}");
	struct json_iter it = message_blocks(e.message.value);
	struct block block;

	CHECK_SV(e.parent_tool_use_id, "p");
	CHECK(message_next(&it, &block) && block.kind == BLOCK_TEXT);
	CHECK_SV(block.text, "hi");
	CHECK(message_next(&it, &block) && block.kind == BLOCK_TOOL_USE);
	CHECK_SV(block.id, "t1");
	CHECK_SV(block.tool, "Read");
	CHECK_INT(json_int_or(json_get(block.input, "a"), 0), 1);
	CHECK(message_next(&it, &block) && block.kind == BLOCK_THINKING);
	CHECK_SV(block.text, "hm");
	CHECK(message_next(&it, &block) && block.kind == BLOCK_OTHER);
	CHECK(message_next(&it, &block) && block.kind == BLOCK_TOOL_RESULT && block.is_error);
	CHECK_SV(block.id, "t2");
	CHECK_SV(block.text, "bad");
	CHECK(message_next(&it, &block) && !block.is_error);
	CHECK_SV(block.text, "fine");
	CHECK(!message_next(&it, &block));
}

TEST(only_text_of_a_stream_is_text)
{
	READER(r);
	struct event e = read_in(&r, "{'type':'stream_event','event':{'type':'content_block_delta',"
				     "'delta':{'type':'text_delta','text':'a'}}}");

	CHECK_SV(stream_text(e.stream.value), "a");
	e = read_in(&r, "{'type':'stream_event','event':{'delta':{'type':'input_json_delta',"
			"'partial_json':'x','text':'b'}}}");
	CHECK_SV(stream_text(e.stream.value), "");
	e = read_in(&r, "{'type':'stream_event','event':{'delta':{'type':'thinking_delta',"
			"'thinking':'hm'}}}");
	CHECK_SV(stream_thinking(e.stream.value), "hm");
	CHECK_SV(stream_text(e.stream.value), "");
	e = read_in(&r, "{'type':'stream_event'}");
	CHECK_SV(stream_text(e.stream.value), "");
}

TEST(an_unknown_event_is_an_event_all_the_same)
{
	static const char *const cases[] = {
		"{'type':'auth_status','output':[]}",
		"{'type':'system'}",
		"{'type':'system','subtype':'microcompact_boundary'}",
		"{'type':'system','subtype':7}",
		"{'type':''}",
		"{'type':'system','subtype':'session_state_changed','state':'dreaming'}",
		"{'type':'system','subtype':'awl_transition','reason':'whim'}",
	};
	READER(r);

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(read_in(&r, cases[i]).kind, EVENT_UNKNOWN);
}

TEST(a_line_that_is_not_an_event_is_refused_and_the_output_is_untouched)
{
	static const struct {
		const char *line;
		enum err_kind kind;
	} cases[] = {
		{ "", ERR_PARSE },
		{ "{", ERR_PARSE },
		{ "{}{}", ERR_PARSE },
		{ "7", ERR_INVALID },
		{ "[]", ERR_INVALID },
		{ "{}", ERR_INVALID },
		{ "{\"type\":null}", ERR_INVALID },
		{ "{\"type\":[\"user\"]}", ERR_INVALID },
	};
	READER(r);

	for (size_t i = 0; i < countof(cases); i++) {
		struct event event = { .kind = EVENT_STALL, .stall = { 1, 2 } };
		struct err err = ERR_INIT;

		CHECK(!event_read(&r, sv_cstr(cases[i].line), &event, &err));
		CHECK_INT(err.kind, cases[i].kind);
		CHECK(event.kind == EVENT_STALL && event.stall.limit_ms == 2);
	}
}

/* Every kind, with every member that it may have of a type that it may not have. */
TEST(members_of_the_wrong_type_count_as_missing)
{
	static const char *const values[] = { "null", "7",          "-7", "1e300",    "'x'",
					      "[]",   "[7,{},'y']", "{}", "{'a':{}}", "true" };
	static const char *const heads[] = {
		"'type':'system','subtype':'init'",
		"'type':'assistant'",
		"'type':'user'",
		"'type':'stream_event'",
		"'type':'result','subtype':'success'",
		"'type':'result'",
		"'type':'system','subtype':'status'",
		"'type':'system','subtype':'session_state_changed'",
		"'type':'system','subtype':'api_retry'",
		"'type':'system','subtype':'awl_stall'",
		"'type':'system','subtype':'awl_discard'",
		"'type':'system','subtype':'permission_denied'",
		"'type':'system','subtype':'model_fallback'",
		"'type':'system','subtype':'model_refusal_no_fallback'",
		"'type':'system','subtype':'informational'",
		"'type':'system','subtype':'awl_transition'",
		"'type':'tool_progress'",
		"'type':'system','subtype':'awl_tool_output'",
		"'type':'control_request'",
		("'type':'control_request','request':{'subtype':'can_use_tool',"
		 "'permission_suggestions':7,'input':'x','tool_name':{}}"),
		"'type':'control_cancel_request'",
		"'type':'control_response'",
	};
	static const char *const keys[] = {
		"cwd",
		"tools",
		"slash_commands",
		"message",
		"event",
		"usage",
		"errors",
		"permission_denials",
		"modelUsage",
		"total_cost_usd",
		"request_id",
		"response",
		"message_uuids",
		"attempt",
		"elapsed_time_seconds",
		"is_error",
		"result",
		"tool_result_meta",
		"uuid",
		"parent_tool_use_id",
	};
	READER(r);

	for (size_t h = 0; h < countof(heads); h++) {
		for (size_t v = 0; v < countof(values); v++) {
			defer(str_clear) struct str json = STR_INIT, out = STR_INIT;
			struct event event;

			str_addf(&json, "{%s", heads[h]);
			for (size_t k = 0; k < countof(keys); k++)
				str_addf(&json, ",'%s':%s", keys[k], values[v]);
			str_addc(&json, '}');
			event = read_in(&r, json.ptr);
			if (event.kind == EVENT_UNKNOWN || (event.kind == EVENT_HOST_REQUEST &&
							    event.request.kind == HOST_UNKNOWN))
				continue;
			event_write(&out, &event, r.uuid, r.session_id); /* and it can be written */
			CHECK(out.len > 2);
		}
	}
}

TEST(numbers_that_make_no_sense_are_made_harmless)
{
	READER(r);
	struct event e = read_in(&r, "{'type':'system','subtype':'api_retry','attempt':-5,"
				     "'max_retries':99999999999,'retry_delay_ms':-1}");

	CHECK_INT(e.retry.attempt, 0);
	CHECK_INT(e.retry.max, INT32_MAX);
	CHECK_INT(e.retry.delay_ms, 0);
	e = read_in(&r, "{'type':'tool_progress','elapsed_time_seconds':9223372036854775807}");
	CHECK(e.tool.elapsed_ms > 0);
	e = read_in(&r, "{'type':'result','subtype':'error_of_tomorrow'}");
	CHECK_INT(e.result.outcome, RESULT_ERROR);
	CHECK(e.result.is_error && !e.result.has_reason);
}
