#include "front/plain/question.h"

#include "test.h"

static void ask(struct str *out, const char *request)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(request), 0, &err);

	CHECK_OK(doc != NULL, err);
	question_add(out, json_root(doc), SV("/w"));
}

TEST(a_question_shows_all_that_would_be_done)
{
	static const struct {
		const char *request, *text;
	} cases[] = {
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"cd /\\nrm -rf x\","
		  "\"description\":\"Tidy up\"}}",
		  "May it run this command? (Tidy up)\n  cd /\n  rm -rf x\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"/w/a.c\",\"content\":"
		  "\"one\\ntwo\\n\"}}",
		  "May it write a.c?\n  + one\n  + two\n" },
		{ "{\"tool_name\":\"Edit\",\"input\":{\"file_path\":\"a.c\",\"old_string\":\"x\","
		  "\"new_string\":\"y\",\"replace_all\":true}}",
		  "May it change every place in a.c?\n  - x\n  + y\n" },
		{ "{\"tool_name\":\"mcp__x__y\",\"input\":{\"n\":1}}",
		  "May it use mcp__x__y?\n  {\n    \"n\": 1\n  }\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"/w/link\",\"content\":\"\"},"
		  "\"blocked_path\":\"/etc/passwd\",\"decision_reason\":\"It is outside.\"}",
		  "May it write link?\n  That is /etc/passwd.\n  Asked because: It is outside.\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"echo \\u001b[8m; evil\"}}",
		  "May it run this command?\n  echo ?[8m; evil\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		ask(&out, cases[i].request);
		CHECK_STR(out.ptr, cases[i].text);
	}
}

TEST(what_is_too_long_to_show_is_counted)
{
	defer(str_clear) struct str request = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&request, "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"");
	for (int i = 0; i < 1000; i++)
		str_adds(&request, "true\\n");
	str_adds(&request, "evil\"}}");
	ask(&out, request.ptr);
	CHECK(sv_find(sv_of(&out), SV("evil")) == SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("(4804 more bytes are not shown)")) != SIZE_MAX);
}

TEST(only_a_clear_yes_is_a_yes)
{
	static const struct {
		const char *line;
		enum reply reply;
	} cases[] = {
		{ "1", REPLY_YES },    { " yes ", REPLY_YES },  { "Y", REPLY_YES },
		{ "2", REPLY_NO },     { "no", REPLY_NO },      { "3", REPLY_NO_BECAUSE },
		{ "", REPLY_UNCLEAR }, { "12", REPLY_UNCLEAR }, { "yes please", REPLY_UNCLEAR },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(question_reply(sv_cstr(cases[i].line)), cases[i].reply);
}
