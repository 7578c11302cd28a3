#include "front/plain/question.h"

#include "test.h"

/* The question of a control request whose "request" is `json`. */
static struct permission_question question_of(const struct json_doc *doc, struct arena *arena)
{
	struct permission_question q = { .nsuggestions = 0 };
	struct json request = json_root(doc), item;
	struct json_iter it = json_each(json_get(request, "permission_suggestions"));
	struct permission_change *changes = arena_calloc(arena, 8, sizeof(*changes));
	struct err err = ERR_INIT;

	q.tool = json_str_or(json_get(request, "tool_name"), SV_EMPTY);
	q.input_value = json_get(request, "input");
	q.path = json_str_or(json_get(request, "blocked_path"), SV_EMPTY);
	q.reason = json_str_or(json_get(request, "decision_reason"), SV_EMPTY);
	while (json_next(&it, NULL, &item))
		q.nsuggestions +=
			permission_change_read(&changes[q.nsuggestions], item, arena, &err);
	q.suggestions = changes;
	return q;
}

static void ask(struct str *out, const char *request)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(request), 0, &err);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct permission_question question;

	CHECK_OK(doc != NULL, err);
	question = question_of(doc, &arena);
	question_add(out, &question, SV("/w"));
}

TEST(a_question_shows_all_that_would_be_done)
{
	static const struct {
		const char *request, *text;
	} cases[] = {
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"cd /\\nrm -rf x\","
		  "\"description\":\"Tidy up\"}}",
		  "Run this command? (Tidy up)\n  cd /\n  rm -rf x\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"/w/a.c\",\"content\":"
		  "\"one\\ntwo\\n\"}}",
		  "Write a.c?\n  + one\n  + two\n" },
		{ "{\"tool_name\":\"Edit\",\"input\":{\"file_path\":\"a.c\",\"old_string\":\"x\","
		  "\"new_string\":\"y\",\"replace_all\":true}}",
		  "Edit every match in a.c?\n  - x\n  + y\n" },
		{ "{\"tool_name\":\"ExitPlanMode\",\"input\":{\"plan\":\"1. Read\\n2. "
		  "\\u001b[2J\"},\"decision_reason\":\"It is a question.\"}",
		  "Carry out this plan?\n  1. Read\n  2. \\x1b[2J\n" },
		{ "{\"tool_name\":\"SandboxNetworkAccess\",\"input\":{\"host\":\"a.b\","
		  "\"port\":443},\"decision_reason\":\"It wants to.\"}",
		  "Let a sandboxed command connect to a.b, port 443?\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls\","
		  "\"dangerouslyDisableSandbox\":true}}",
		  "Run this command outside the sandbox?\n  ls\n" },
		{ "{\"tool_name\":\"Read\",\"input\":{\"file_path\":\"/etc/hosts\"}}",
		  "Read /etc/hosts?\n" },
		{ "{\"tool_name\":\"WebFetch\",\"input\":{\"url\":\"https://a.b/"
		  "\",\"prompt\":\"x\"}}",
		  "Fetch https://a.b/?\n  to find out: x\n" },
		{ "{\"tool_name\":\"mcp__x__y\",\"input\":{\"n\":1}}",
		  "Use mcp__x__y?\n  {\n    \"n\": 1\n  }\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"/w/link\",\"content\":\"\"},"
		  "\"blocked_path\":\"/etc/passwd\",\"decision_reason\":\"It is outside.\"}",
		  "Write link?\n  This is really /etc/passwd.\n  Reason: It is outside.\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"w\",\"content\":\"\"},"
		  "\"blocked_path\":\"/etc/shadow\"}",
		  "Write w?\n  This is really /etc/shadow.\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"a/b\",\"content\":\"\"},"
		  "\"blocked_path\":\"/w/a/b\"}",
		  "Write a/b?\n" },
		{ "{\"tool_name\":\"Write\",\"input\":{\"file_path\":\"a\\n/../../"
		  "x\",\"content\":\"\"}}",
		  "Write a\\x0a/../../x?\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls \\u200b-l\"}}",
		  "Run this command?\n  ls \\u{200b}-l\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"echo \\u001b[8m; evil\"}}",
		  "Run this command?\n  echo \\x1b[8m; evil\n" },
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
	CHECK(sv_find(sv_of(&out), SV("(4804 more bytes not shown)")) != SIZE_MAX);
}

TEST(only_a_clear_yes_is_a_yes)
{
	static const struct {
		const char *line;
		enum answer answer;
	} cases[] = {
		{ "1", ANSWER_YES },    { " yes ", ANSWER_YES },  { "Y", ANSWER_YES },
		{ "3", ANSWER_NO },     { "no", ANSWER_NO },      { "4", ANSWER_NO_BECAUSE },
		{ "", ANSWER_UNCLEAR }, { "12", ANSWER_UNCLEAR }, { "yes please", ANSWER_UNCLEAR },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(question_read_answer(sv_cstr(cases[i].line), false), cases[i].answer);
	CHECK_INT(question_read_answer(SV(" 2"), true), ANSWER_ALWAYS);
	CHECK_INT(question_read_answer(SV("2"), false), ANSWER_UNCLEAR);
}

/* The choices that a question with these suggestions has. */
static void check_choices(const char *json, const char *expected)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct permission_question question = question_of(doc, &arena);

	question_add_choices(&out, question_offer(&question));
	CHECK_STR(str_c(&out), expected);
}

TEST(the_choices_say_in_full_what_always_would_save)
{
	check_choices("{\"permission_suggestions\":[{\"type\":\"addRules\",\"rules\":[{"
		      "\"toolName\":\"Bash\",\"ruleContent\":\"npm \\u001btest:*\"},{"
		      "\"toolName\":\"Read\"}],\"behavior\":\"allow\",\"destination\":"
		      "\"localSettings\"}]}",
		      "1 Yes\n"
		      "2 Yes, and always allow in this project: Bash(npm \\x1btest:*) Read\n"
		      "3 No\n4 No, and tell it why\n");
	check_choices("{\"permission_suggestions\":[{\"type\":\"setMode\",\"mode\":"
		      "\"acceptEdits\",\"destination\":\"session\"}]}",
		      "1 Yes\n2 Yes, and stop asking about edits in this session\n"
		      "3 No\n4 No, and tell it why\n");
}

TEST(without_a_suggestion_there_is_no_always_and_the_numbers_stay)
{
	check_choices("{}", "1 Yes\n3 No\n4 No, and tell it why\n");
	check_choices("{\"permission_suggestions\":[{\"type\":\"dance\"}]}",
		      "1 Yes\n3 No\n4 No, and tell it why\n");
	check_choices("{\"permission_suggestions\":[{\"type\":\"addDirectories\","
		      "\"directories\":[\"/\"]}]}",
		      "1 Yes\n3 No\n4 No, and tell it why\n");
}
