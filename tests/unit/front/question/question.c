#include "front/question/question.h"

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
	q.changes_value = json_get(request, "awl_changes");
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
	question_add(out, &question, &(struct question_view){ .cwd = SV("/w") });
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
		  "Let a sandboxed command reach a.b, port 443?\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls\","
		  "\"dangerouslyDisableSandbox\":true}}",
		  "Run this command outside the sandbox?\n  ls\n" },
		{ "{\"tool_name\":\"Read\",\"input\":{\"file_path\":\"/etc/hosts\"}}",
		  "Read /etc/hosts?\n" },
		{ "{\"tool_name\":\"Grep\",\"input\":{\"pattern\":\"KEY\",\"path\":\"/w/src\","
		  "\"output_mode\":\"content\",\"-C\":2}}",
		  "Search src?\n  pattern: KEY\n  output_mode: content\n  -C: 2\n" },
		{ "{\"tool_name\":\"Glob\",\"input\":{\"pattern\":\"*.c\"}}",
		  "Search the working directory?\n  pattern: *.c\n" },
		{ "{\"tool_name\":\"WebFetch\",\"input\":{\"url\":\"https://a.b/"
		  "\",\"prompt\":\"x\"}}",
		  "Fetch https://a.b/?\n  to find out: x\n" },
		{ "{\"tool_name\":\"mcp__x__y\",\"input\":{\"n\":1}}",
		  "Use y of the MCP server x?\n  n: 1\n" },
		{ "{\"tool_name\":\"Skill\",\"input\":{\"skill\":\"a\",\"args\":\"one\\ntwo\","
		  "\"deep\":{\"x\":[1]}}}",
		  "Use Skill?\n  skill: a\n  args: one\n    two\n  deep: {\"x\":[1]}\n" },
		{ "{\"tool_name\":\"NotebookEdit\",\"input\":{\"notebook_path\":\"/w/n.ipynb\","
		  "\"cell_id\":\"c1\",\"new_source\":\"x = 1\"}}",
		  "Edit cell c1 of n.ipynb?\n  + x = 1\n" },
		{ "{\"tool_name\":\"NotebookEdit\",\"input\":{\"notebook_path\":\"/w/n.ipynb\","
		  "\"cell_id\":\"c1\",\"edit_mode\":\"insert\",\"new_source\":\"x = 1\"}}",
		  "Insert a cell after c1 in n.ipynb?\n  + x = 1\n" },
		{ "{\"tool_name\":\"MultiEdit\",\"input\":{\"file_path\":\"/w/a\",\"edits\":[{"
		  "\"old_string\":\"a\",\"new_string\":\"b\"},{\"old_string\":\"c\",\"new_string\":"
		  "\"d\"}]}}",
		  "Edit a?\n  - a\n  + b\n  - c\n  + d\n" },
		{ "{\"tool_name\":\"apply_patch\",\"input\":{\"input\":\"*** Begin Patch\\n*** Add "
		  "File: "
		  "n\\n+x\\n*** End Patch\"}}",
		  "Apply this patch?\n  *** Begin Patch\n  *** Add File: n\n  +x\n  *** End "
		  "Patch\n" },
		{ "{\"tool_name\":\"apply_patch\",\"input\":{\"input\":\"\"},\"awl_changes\":[{"
		  "\"filePath\":"
		  "\"/w/"
		  "a\",\"type\":\"update\",\"structuredPatch\":[{\"oldStart\":7,\"newStart\":7,"
		  "\"lines\":"
		  "[\" x\",\"-y\",\"+z\",\"\\\\ No newline at end of "
		  "file\"]}]},{\"filePath\":\"/w/b\","
		  "\"type\":\"delete\",\"structuredPatch\":[{\"oldStart\":1,\"newStart\":0,"
		  "\"lines\":"
		  "[\"-q\"]}]}]}",
		  "Apply this patch?\n  Update a\n     7   x\n     8 - y\n     8 + z (no line "
		  "end)\n  Delete "
		  "b\n     1 - q\n" },
		{ "{\"tool_name\":\"Bash\",\"input\":{\"command\":\"sed -i s/y/z/ "
		  "a\"},\"awl_changes\":[{"
		  "\"filePath\":\"/w/"
		  "a\",\"structuredPatch\":[{\"oldStart\":7,\"newStart\":7,\"lines\":"
		  "[\"-y\",\"+z\"]}]}]}",
		  "Run this command?\n  sed -i s/y/z/ a\n  Update a\n     7 - y\n     7 + z\n" },
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

/* A question about a file with this content, as it is shown. */
static bool ask_write(struct str *out, struct sv content, bool is_whole)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct permission_question question;
	struct err err = ERR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "tool_name", SV("Write"));
	jw_put_object(&w, "input");
	jw_put_str(&w, "file_path", SV("a"));
	jw_put_str(&w, "content", content);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(&json), 0, &err);
	question = question_of(doc, &arena);
	return question_add(out, &question, &(struct question_view){ .is_whole = is_whole });
}

TEST(a_long_text_is_shown_by_its_beginning_and_its_end)
{
	static const struct {
		int lines;
		const char *line, *middle;
		bool fits;
	} cases[] = {
		{ 40, "true\n", NULL, true },
		{ 41, "true\n", "  + (5 bytes not shown here)\n", false },
		{ 1000, "true\n", "  + (4800 bytes not shown here)\n", false },
		{ 9000, "x", "(1000 bytes not shown here)", false },
		{ 8192, "x", NULL, true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str content = STR_INIT, out = STR_INIT, whole = STR_INIT;

		for (int n = 0; n < cases[i].lines; n++)
			str_adds(&content, cases[i].line);
		str_adds(&content, "evil()");
		str_consume(&content, strlen("evil()")); /* as long as it was */
		CHECK_INT(ask_write(&out, sv_of(&content), false), cases[i].fits);
		CHECK(cases[i].fits || strstr(out.ptr, cases[i].middle));
		CHECK(strstr(out.ptr, "evil()\n"));
		CHECK(ask_write(&whole, sv_of(&content), true));
		CHECK(!strstr(whole.ptr, "not shown"));
	}
}

static void check_diff(const char *tool, const char *members, struct sv before,
		       const char *expected)
{
	defer(str_clear) struct str json = STR_INIT, out = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct permission_question question;
	struct err err = ERR_INIT;

	str_addf(&json, "{\"tool_name\":\"%s\",\"input\":{\"file_path\":\"a\",%s}}", tool, members);
	doc = json_parse(sv_of(&json), 0, &err);
	CHECK_OK(doc != NULL, err);
	question = question_of(doc, &arena);
	question_add(&out, &question,
		     &(struct question_view){ .has_before = true, .before = before });
	CHECK_STR(out.ptr, expected);
}

TEST(a_change_of_a_file_is_a_diff_with_line_numbers)
{
	check_diff("Edit", "\"old_string\":\"b\",\"new_string\":\"x\"", SV("a\nb\nc\nb\n"),
		   "Edit a?\n     1   a\n     2 - b\n     2 + x\n     3   c\n     4   b\n");
	check_diff("Edit", "\"old_string\":\"b\",\"new_string\":\"x\",\"replace_all\":true",
		   SV("b\nb\n"),
		   "Edit every match in a?\n     1 - b\n     2 - b\n     1 + x\n     2 + x\n");
	check_diff("Write", "\"content\":\"a\\n\\u001b\"", SV("a\n"),
		   "Overwrite a?\n     1   a\n     2 + \\x1b (no line end)\n");
	/* The file does not contain the text, so the tool will find out why. */
	check_diff("Edit", "\"old_string\":\"z\",\"new_string\":\"x\"", SV("a\n"),
		   "Edit a?\n  - z\n  + x\n");
}

TEST(only_a_clear_yes_is_a_yes)
{
	static const struct {
		const char *line;
		enum answer answer;
	} cases[] = {
		{ "1", ANSWER_YES },     { " yes ", ANSWER_YES },  { "Y", ANSWER_YES },
		{ "n", ANSWER_NO },      { "no", ANSWER_NO },      { "3", ANSWER_NO_BECAUSE },
		{ "", ANSWER_UNCLEAR },  { "12", ANSWER_UNCLEAR }, { "yes please", ANSWER_UNCLEAR },
		{ "2", ANSWER_UNCLEAR }, { "4", ANSWER_UNCLEAR },  { "5", ANSWER_UNCLEAR },
	};
	static const struct permission_change offer = { .kind = PERMISSION_ADD_RULES };
	const struct question_choices none = { NULL }, all = { &offer, true, true };

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(question_read_answer(sv_cstr(cases[i].line), &none), cases[i].answer);
	CHECK_INT(question_read_answer(SV(" 2"), &all), ANSWER_ALWAYS);
	CHECK_INT(question_read_answer(SV("3"), &all), ANSWER_NO);
	CHECK_INT(question_read_answer(SV("4"), &all), ANSWER_NEVER);
	CHECK_INT(question_read_answer(SV("5"), &all), ANSWER_SHOW_ALL);
}

static void check_plan_choices(const struct question_choices *c, const char *expected,
			       const enum answer *answers)
{
	defer(str_clear) struct str out = STR_INIT;

	question_add_choices(&out, c);
	CHECK_STR(str_c(&out), expected);
	for (int i = 0; i < 5; i++) {
		char number[] = { (char)('1' + i), 0 };

		CHECK_INT(question_read_answer(sv_cstr(number), c), answers[i]);
	}
	CHECK_INT(question_read_answer(SV("y"), c), ANSWER_YES);
	CHECK_INT(question_read_answer(SV("n"), c), ANSWER_NO);
	CHECK_INT(question_read_answer(SV("-1"), c), ANSWER_UNCLEAR);
}

TEST(a_plan_can_be_accepted_in_the_ways_that_are_offered)
{
	static const struct permission_change edits = { .kind = PERMISSION_SET_MODE,
							.mode = SV_INIT("acceptEdits") };
	static const struct permission_change bypass = { .kind = PERMISSION_SET_MODE,
							 .mode = SV_INIT("bypassPermissions") };
	static const enum answer three[] = { ANSWER_ALWAYS, ANSWER_PLAN_ASK, ANSWER_NO_BECAUSE,
					     ANSWER_UNCLEAR, ANSWER_UNCLEAR };
	static const enum answer four[] = { ANSWER_PLAN_ANEW, ANSWER_ALWAYS, ANSWER_PLAN_ASK,
					    ANSWER_NO_BECAUSE, ANSWER_UNCLEAR };
	static const enum answer leave[] = { ANSWER_YES, ANSWER_NO, ANSWER_UNCLEAR, ANSWER_UNCLEAR,
					     ANSWER_UNCLEAR };
	struct question_choices c = { .offer = &edits, .is_plan = true };

	check_plan_choices(&c,
			   "1 Yes, auto-accept edits\n2 Yes, manually approve edits\n"
			   "3 No, keep planning\n",
			   three);
	c.offers_clear = true;
	check_plan_choices(&c,
			   "1 Yes, clear context and auto-accept edits\n2 Yes, auto-accept edits\n"
			   "3 Yes, manually approve edits\n4 No, keep planning\n",
			   four);
	c.knows_context = true;
	c.context_used = 37;
	c.offer = &bypass;
	check_plan_choices(&c,
			   "1 Yes, clear context (37% used) and bypass permissions\n"
			   "2 Yes, and bypass permissions\n"
			   "3 Yes, manually approve edits\n4 No, keep planning\n",
			   four);
	check_plan_choices(&(struct question_choices){ .is_leave = true }, "1 Yes\n2 No\n", leave);
}

/* The choices that a question with these suggestions has. */
static void check_choices(const char *json, const char *expected)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct permission_question question = question_of(doc, &arena);

	question_add_choices(&out, &(struct question_choices){
					   .offer = question_offer(&question),
					   .may_deny_always = question_is_about_host(&question) });
	CHECK_STR(str_c(&out), expected);
}

TEST(the_choices_say_in_full_what_always_would_save)
{
	check_choices("{\"permission_suggestions\":[{\"type\":\"addRules\",\"rules\":[{"
		      "\"toolName\":\"Bash\",\"ruleContent\":\"npm \\u001btest:*\"},{"
		      "\"toolName\":\"Read\"}],\"behavior\":\"allow\",\"destination\":"
		      "\"localSettings\"}]}",
		      "1 Yes\n"
		      "2 Yes, and don't ask again: Bash(npm \\x1btest:*) Read (in "
		      ".claude/settings.local.json)\n"
		      "3 No, with a message\n");
	check_choices("{\"permission_suggestions\":[{\"type\":\"setMode\",\"mode\":"
		      "\"acceptEdits\",\"destination\":\"session\"}]}",
		      "1 Yes\n2 Yes, and stop asking about edits in this session\n"
		      "3 No, with a message\n");
}

TEST(without_a_suggestion_there_is_no_always_and_the_numbers_stay)
{
	check_choices("{}", "1 Yes\n3 No, with a message\n");
	check_choices("{\"permission_suggestions\":[{\"type\":\"dance\"}]}",
		      "1 Yes\n3 No, with a message\n");
	check_choices("{\"permission_suggestions\":[{\"type\":\"addDirectories\","
		      "\"directories\":[\"/\"]}]}",
		      "1 Yes\n3 No, with a message\n");
}

TEST(an_answer_about_a_host_can_be_kept_either_way)
{
	check_choices(
		"{\"tool_name\":\"SandboxNetworkAccess\",\"permission_suggestions\":[{\"type\":"
		"\"addRules\",\"rules\":[{\"toolName\":\"WebFetch\",\"ruleContent\":"
		"\"domain:a.b\"}],\"behavior\":\"allow\",\"destination\":\"localSettings\"}]}",
		"1 Yes\n"
		"2 Yes, and don't ask again: WebFetch(domain:a.b) (in "
		".claude/settings.local.json)\n"
		"3 No\n"
		"4 No, and don't ask again: WebFetch(domain:a.b) (in "
		".claude/settings.local.json)\n");
}
