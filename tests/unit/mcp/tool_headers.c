#include "mcp/tool_headers.h"

#include "test.h"

static bool check(const char *properties, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err why = ERR_INIT;

	str_addf(&text, "{\"type\":\"object\",\"properties\":{%s}}", properties);
	doc = json_parse(sv_of(&text), 0, &why);
	CHECK_OK(doc != NULL, why);
	return tool_headers_check(json_root(doc), err);
}

TEST(marks_for_headers_that_make_no_sense_are_refused)
{
	static const char *const good[] = {
		"",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}",
		("\"a\":{\"type\":\"integer\",\"x-mcp-header\":\"A\"},"
		 "\"b\":{\"type\":\"boolean\",\"x-mcp-header\":\"B\"}"),
		"\"a\":{\"type\":[\"string\",\"null\"],\"x-mcp-header\":\"A\"}",
	};
	static const char *const bad[] = {
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":7}",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":null}",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a:b\"}",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\xc3\xa4\"}",
		"\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}",
		"\"a\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}",
		"\"a\":{\"type\":\"array\",\"x-mcp-header\":\"A\"}",
		"\"a\":{\"type\":\"null\",\"x-mcp-header\":\"A\"}",
		"\"a\":{\"type\":[\"null\"],\"x-mcp-header\":\"A\"}",
		"\"a\":{\"x-mcp-header\":\"A\"}",
		"\"a\":{\"type\":\"string\",\"x-mcp-header\":\"X\"},\"b\":{\"type\":\"string\",\"x-"
		"mcp-header\":\"x\"}",
		"\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"number\",\"x-mcp-"
		"header\":\"x\"}}}",
	};

	for (size_t i = 0; i < countof(good); i++) {
		struct err err = ERR_INIT;

		CHECK_OK(check(good[i], &err), err);
	}
	for (size_t i = 0; i < countof(bad); i++) {
		struct err err = ERR_INIT;

		if (check(bad[i], &err))
			fail_msg("%s", bad[i]);
	}
}

TEST(marked_arguments_become_headers)
{
	static const char schema[] =
		"{\"properties\":{\"s\":{\"x-mcp-header\":\"S\"},\"i\":{\"x-mcp-header\":\"I\"},"
		"\"b\":{\"x-mcp-header\":\"B\"},\"n\":{\"x-mcp-header\":\"N\"},\"gone\":{\"x-mcp-"
		"header\":\"G\"},"
		"\"o\":{\"properties\":{\"deep\":{\"x-mcp-header\":\"Deep\"}}},\"plain\":{}}}";
	static const char input[] =
		"{\"s\":\" "
		"x\",\"i\":42,\"b\":false,\"n\":null,\"plain\":\"p\",\"o\":{\"deep\":\"d\"}}";
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *a = json_parse(sv_cstr(schema), 0, &err);
	defer(json_doc_freep) struct json_doc *b = json_parse(sv_cstr(input), 0, &err);
	defer(str_clear) struct str all = STR_INIT;
	struct arena arena = ARENA_INIT;
	tool_header_list list = VEC_INIT;

	tool_headers_collect(json_root(a), json_root(b), &arena, &list);
	for (size_t i = 0; i < list.n; i++)
		str_addf(&all, "%.*s=%.*s;", SV_ARG(list.at[i].name), SV_ARG(list.at[i].value));
	CHECK_STR(str_c(&all), "Mcp-Param-S= x;Mcp-Param-I=42;Mcp-Param-B=false;Mcp-Param-Deep=d;");
	vec_clear(&list);
	arena_clear(&arena);
}
