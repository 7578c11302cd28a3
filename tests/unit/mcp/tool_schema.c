#include "mcp/tool_schema.h"

#include "test.h"

static struct json_doc *parse(const char *text)
{
	struct err err = ERR_INIT;
	struct json_doc *doc = json_parse(sv_cstr(text), 0, &err);

	CHECK_OK(doc != NULL, err);
	return doc;
}

TEST(tools_that_would_make_services_refuse_the_request_are_refused)
{
	static const struct {
		const char *schema, *error;
	} rows[] = {
		{ "{}", NULL },
		{ "{\"type\":\"object\",\"properties\":{\"a.b-c_9\":{}}}", NULL },
		{ "{\"anyOf\":[{\"properties\":{\"a\":{}}},7,{\"$ref\":\"http://h/x\"}]}", NULL },
		{ "\"x\"", "it has no \"inputSchema\"" },
		{ "{\"type\":\"array\"}", "its input is not an object" },
		{ "{\"type\":[\"object\",\"null\"]}", "its input is not an object" },
		{ "{\"properties\":{\"a b\":{}}}",
		  "an argument has a name that models cannot be sent" },
		{ "{\"properties\":{\"\":{}}}",
		  "an argument has a name that models cannot be sent" },
		{ "{\"properties\":{\"\xc3\xa4\":{}}}",
		  "an argument has a name that models cannot be sent" },
		{ "{\"oneOf\":[{\"properties\":{\"$x\":{}}}]}",
		  "an argument has a name that models cannot be sent" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(json_doc_freep) struct json_doc *doc = parse(rows[i].schema);
		struct err err = ERR_INIT;

		if (tool_schema_check(json_root(doc), &err) != !rows[i].error)
			fail_msg("%s: %s", rows[i].schema, err.text);
		if (rows[i].error)
			CHECK_STR(err.text, rows[i].error);
	}
}

TEST(alternatives_at_the_top_become_properties)
{
	static const char *const rows[][2] = {
		{ "{\"$schema\":\"x\",\"properties\":{\"a\":1}}",
		  "{\"type\":\"object\",\"$schema\":\"x\",\"properties\":{\"a\":1}}" },
		{ "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":1},"
		  "\"oneOf\":[{\"properties\":{\"b\":2,\"a\":3},\"required\":[\"b\"]},7,"
		  "{\"properties\":{\"c\":4,\"b\":5}}],\"additionalProperties\":false}",
		  "{\"type\":\"object\",\"additionalProperties\":false,"
		  "\"properties\":{\"a\":1,\"b\":2,\"c\":4},\"required\":[\"a\"]}" },
		{ "{\"allOf\":[{\"properties\":{\"a\":1},\"required\":[\"a\"]},{\"required\":["
		  "\"b\"]}]}",
		  "{\"type\":\"object\",\"properties\":{\"a\":1},\"required\":[\"a\",\"b\"]}" },
		{ "{\"anyOf\":\"x\"}", "{\"type\":\"object\",\"properties\":{},\"required\":[]}" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(json_doc_freep) struct json_doc *doc = parse(rows[i][0]);
		defer(str_clear) struct str out = STR_INIT;

		tool_schema_write(&out, json_root(doc));
		CHECK_SV_EQ(sv_of(&out), sv_cstr(rows[i][1]));
	}
}
