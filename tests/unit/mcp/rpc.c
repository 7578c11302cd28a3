#include "mcp/rpc.h"

#include "test.h"
#include "text/json/json.h"

static bool read_text(struct rpc_message *out, struct json_doc **doc, const char *text,
		      struct err *err)
{
	*doc = json_parse(sv_cstr(text), 0, err);
	return *doc && rpc_read(out, json_root(*doc), err);
}

TEST(the_four_kinds_of_messages_are_told_apart)
{
	static const struct {
		const char *text;
		enum rpc_kind kind;
	} cases[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}", RPC_REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{}}", RPC_NOTIFICATION },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}", RPC_RESULT },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-1,\"message\":\"m\"}}",
		  RPC_ERROR },
		{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", RPC_ERROR },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct rpc_message m = { .code = 0 };
		struct err err = ERR_INIT;

		CHECK_OK(read_text(&m, &doc, cases[i].text, &err), err);
		CHECK_INT(m.kind, cases[i].kind);
	}
}

TEST(an_error_without_a_code_is_an_internal_one)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct rpc_message m = { .code = 0 };
	struct err err = ERR_INIT;

	CHECK_OK(read_text(&m, &doc, "{\"id\":7,\"error\":{\"message\":\"broken\"}}", &err), err);
	CHECK_INT(m.number, 7);
	CHECK_INT(m.code, RPC_INTERNAL_ERROR);
	CHECK_SV(m.text, "broken");
}

TEST(what_is_not_a_message_is_refused_with_a_reason)
{
	static const char *const cases[] = { "[]",
					     "3",
					     "{}",
					     "{\"id\":1}",
					     "{\"id\":{},\"method\":\"x\"}",
					     "{\"method\":\"x\",\"params\":3}",
					     "{\"result\":{}}" };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct rpc_message m = { .code = 0 };
		struct err err = ERR_INIT;

		CHECK(!read_text(&m, &doc, cases[i], &err));
		CHECK_INT(err.kind, ERR_PROTOCOL);
	}
}

TEST(messages_are_written_as_they_travel)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *id = json_parse(SV("\"s-1\""), 0, &err);

	rpc_write_request(&out, 4, SV("tools/list"), SV("{\"cursor\":\"x\"}"));
	str_addc(&out, '\n');
	rpc_write_notification(&out, SV("notifications/initialized"), SV_EMPTY);
	str_addc(&out, '\n');
	rpc_write_result(&out, json_root(id), SV("{}"));
	str_addc(&out, '\n');
	rpc_write_error(&out, json_root(id), RPC_METHOD_NOT_FOUND, SV("no"), SV_EMPTY);
	CHECK_STR(str_c(&out),
		  "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{\"cursor\":"
		  "\"x\"}}\n"
		  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
		  "{\"jsonrpc\":\"2.0\",\"id\":\"s-1\",\"result\":{}}\n"
		  "{\"jsonrpc\":\"2.0\",\"id\":\"s-1\",\"error\":{\"code\":-32601,\"message\":"
		  "\"no\"}}");
}

TEST(the_id_of_a_message_that_is_too_long_is_found_at_either_end)
{
	CHECK_INT(rpc_guess_id(SV("{\"jsonrpc\":\"2.0\",\"id\": 12 ,\"result\":{"), SV("xxx")), 12);
	CHECK_INT(rpc_guess_id(SV("{\"result\":{\"id\":5,"), SV("x\"}},\"jsonrpc\":\"2.0\",\"id\":"
								"34}\n")),
		  34);
	CHECK_INT(rpc_guess_id(SV("{\"result\":{\"id\":5,"), SV("\"id\":6}}\n")), 0);
	CHECK_INT(rpc_guess_id(SV("{\"result\":{\"id\":5,"), SV("34}")), 0);
	CHECK_INT(rpc_guess_id(SV("garbage"), SV("garbage")), 0);
	CHECK_INT(rpc_guess_id(SV_EMPTY, SV_EMPTY), 0);
}
