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
		{ "{\"tool_name\":\"ExitPlanMode\",\"input\":{\"plan\":\"1. Read\\n2. "
		  "\\u001b[2J\"},\"decision_reason\":\"It is a question.\"}",
		  "This is the plan. May it be carried out?\n  1. Read\n  2. \\x1b[2J\n" },
		{ "{\"tool_name\":\"Read\",\"input\":{\"file_path\":\"/etc/hosts\"}}",
		  "May it read /etc/hosts?\n" },
		{ "{\"tool_name\":\"WebFetch\",\"input\":{\"url\":\"https://a.b/"
		  "\",\"prompt\":\"x\"}}",
		  "May it fetch https://a.b/?\n  to find out: x\n" },
		{ "{\"tool_name\":\"mcp__x__y\",\"input\":{\"n\":1}}",
		  "May it use mcp__x__y?\n  {\n    \"n\": 1\n  }\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"/w/link\",\"content\":\"\"},"
		  "\"blocked_path\":\"/etc/passwd\",\"decision_reason\":\"It is outside.\"}",
		  "May it write link?\n  That is /etc/passwd.\n  Asked because: It is outside.\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"w\",\"content\":\"\"},"
		  "\"blocked_path\":\"/etc/shadow\"}",
		  "May it write w?\n  That is /etc/shadow.\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"a/b\",\"content\":\"\"},"
		  "\"blocked_path\":\"/w/a/b\"}",
		  "May it write a/b?\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"a\\n/../../"
		  "x\",\"content\":\"\"}}",
		  "May it write a\\x0a/../../x?\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls \\u200b-l\"}}",
		  "May it run this command?\n  ls \\u{200b}-l\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"echo \\u001b[8m; evil\"}}",
		  "May it run this command?\n  echo \\x1b[8m; evil\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		ask(&out, cases[i].request);
		CHECK_STR(out.ptr, cases[i].text);
	}
}

TEST(all_of_a_plan_is_shown)
{
	defer(str_clear) struct str request = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&request, "{\"tool_name\":\"ExitPlanMode\",\"input\":{\"plan\":\"# Plan\\n\\n");
	for (int i = 0; i < 1000; i++)
		str_addf(&request, "%d. Look\\n", i);
	str_adds(&request, "\\n\\n\\n1000. Remove all\"}}");
	ask(&out, request.ptr);
	CHECK(sv_find(sv_of(&out), SV("  # Plan\n\n  0. Look\n")) != SIZE_MAX);
	CHECK(sv_ends(sv_of(&out), SV("  999. Look\n  (3 empty lines)\n  1000. Remove all\n")));
}

TEST(all_of_a_command_is_shown_and_what_would_hide_it_is_counted)
{
	defer(str_clear) struct str request = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&request, "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"");
	for (int i = 0; i < 1000; i++)
		str_adds(&request, "true\\n");
	for (int i = 0; i < 400; i++)
		str_adds(&request, "\\n");
	str_addf(&request, "grep x y;%*sevil\"}}", 300, "");
	ask(&out, request.ptr);
	CHECK(strstr(str_c(&out), "  (400 empty lines)\n  grep x y; (300 blanks) evil\n"));
}

TEST(what_is_too_long_to_show_is_counted)
{
	defer(str_clear) struct str request = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&request,
		 "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"a\",\"content\":\"");
	for (int i = 0; i < 1000; i++)
		str_adds(&request, "true\\n");
	str_adds(&request, "more\"}}");
	ask(&out, request.ptr);
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
		CHECK_INT(question_reply(sv_cstr(cases[i].line), false), cases[i].reply);
	CHECK_INT(question_reply(SV(" 4"), true), REPLY_ALWAYS);
	CHECK_INT(question_reply(SV("4"), false), REPLY_UNCLEAR);
}

static bool offer_of(const char *json, struct str *change, struct str *words)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);

	return question_offer(json_root(doc), change, words);
}

TEST(what_yes_for_good_would_save_is_said_in_full)
{
	defer(str_clear) struct str change = STR_INIT;
	defer(str_clear) struct str words = STR_INIT;
	defer(str_clear) struct str op = STR_INIT;

	CHECK(offer_of(
		"{\"permission_suggestions\":[{\"type\":\"addRules\",\"rules\":[{\"toolName\":"
		"\"Bash\",\"ruleContent\":\"npm test:*\"},{\"toolName\":\"Read\"}],"
		"\"behavior\":\"allow\",\"destination\":\"localSettings\"}]}",
		&change, &words));
	CHECK_STR(str_c(&words), "4 yes, and write into this project's local settings: "
				 "Bash(npm test:*) Read\n");
	question_answer_always(&op, SV("r1"), sv_of(&change));
	CHECK(strstr(str_c(&op), "\"updatedPermissions\":[{\"type\":\"addRules\""));
}

TEST(without_a_suggestion_there_is_no_yes_for_good)
{
	defer(str_clear) struct str change = STR_INIT;
	defer(str_clear) struct str words = STR_INIT;

	CHECK(!offer_of("{}", &change, &words));
	CHECK(!offer_of("{\"permission_suggestions\":[{\"type\":\"dance\"}]}", &change, &words));
	CHECK_INT(words.len + change.len, 0);
}
