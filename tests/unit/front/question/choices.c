#include "front/question/choices.h"

#include "test.h"

#define OPTIONS "[{'label':'Red','description':'warm'},{'label':'Blue'},{'label':'Green'}]"
#define ASKS                                                                        \
	"{'tool_name':'AskUserQuestion','requires_user_interaction':true,'input':{" \
	"'questions':[{'question':'Which?','options':" OPTIONS "},"                 \
	"{'question':'Which all?','multiSelect':true,'options':" OPTIONS "}],"      \
	"'metadata':{'source':'x'},'answers':{}}}"

static bool begin(struct choices *c, const char *request)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct permission_question question = { .nsuggestions = 0 };
	struct err err = ERR_INIT;

	str_adds(&json, request);
	for (size_t i = 0; i < json.len; i++)
		if (json.ptr[i] == '\'')
			json.ptr[i] = '"';
	doc = json_parse(sv_of(&json), 0, &err);
	CHECK_OK(doc != NULL, err);
	question.tool = json_str_or(json_get(json_root(doc), "tool_name"), SV_EMPTY);
	question.input_value = json_get(json_root(doc), "input");
	question.needs_user =
		json_bool_or(json_get(json_root(doc), "requires_user_interaction"), false);
	return choices_begin(c, &question);
}

static void check_shown(const struct choices *c, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	choices_add(&out, c);
	CHECK_STR(str_c(&out), expected);
}

TEST(questions_are_asked_one_by_one_and_answered_together)
{
	defer(choices_clear) struct choices c = CHOICES_INIT;
	defer(str_clear) struct str json = STR_INIT;
	const char *complaint;

	CHECK(begin(&c, ASKS));
	check_shown(&c, "(1 of 2) Which?\n  1) Red - warm\n  2) Blue\n  3) Green\n"
			"Type a number, or your own answer; 0 to decline\n");
	CHECK_INT(choices_take(&c, SV(" 2 "), &complaint), CHOICE_TAKEN);
	check_shown(&c, "(2 of 2) Which all?\n  1) Red - warm\n  2) Blue\n  3) Green\n"
			"Type one or more numbers, or your own answer; 0 to decline\n");
	CHECK_INT(choices_take(&c, SV("3, 1 3"), &complaint), CHOICE_LAST);
	choices_answer(&json, &c, SV("r1"));
	CHECK(strstr(json.ptr, "{\"type\":\"control_response\",\"response\":{\"subtype\":"
			       "\"success\",\"request_id\":\"r1\",\"response\":{\"behavior\":"
			       "\"allow\",\"updatedInput\":{\"questions\":["));
	CHECK(strstr(json.ptr, "\"metadata\":{\"source\":\"x\"},\"answers\":{\"Which?\":\"Blue\","
			       "\"Which all?\":\"Red, Green\"}}}}}"));
}

TEST(a_reply_is_a_number_words_or_not_clear)
{
	static const struct {
		const char *line;
		enum choice choice;
		const char *answer; /* or the complaint */
	} cases[] = {
		{ "1", CHOICE_TAKEN, "Red" },
		{ "something \"else\"", CHOICE_TAKEN, "something \"else\"" },
		{ "2 apples", CHOICE_TAKEN, "2 apples" },
		{ "0", CHOICE_DECLINED, "" },
		{ "", CHOICE_UNCLEAR, "Please answer, or type 0." },
		{ "  ", CHOICE_UNCLEAR, "Please answer, or type 0." },
		{ "4", CHOICE_UNCLEAR, "There is no option with that number." },
		{ "-1", CHOICE_UNCLEAR, "There is no option with that number." },
		{ "1,2", CHOICE_UNCLEAR, "Please choose only one." },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(choices_clear) struct choices c = CHOICES_INIT;
		defer(str_clear) struct str answer = STR_INIT;
		const char *complaint = "";

		CHECK(begin(&c, ASKS));
		CHECK_INT(choices_take(&c, sv_cstr(cases[i].line), &complaint), cases[i].choice);
		choices_add_answer(&answer, &c, 0);
		CHECK_STR(cases[i].choice == CHOICE_UNCLEAR ? complaint : str_c(&answer),
			  cases[i].answer);
		CHECK_INT(c.at, cases[i].choice == CHOICE_TAKEN);
	}
}

TEST(only_questions_are_asked_this_way)
{
	static const char *const cases[] = {
		"{'tool_name':'Bash','input':{'command':'x'}}",
		"{'tool_name':'Bash','requires_user_interaction':true,'input':{}}",
		"{'tool_name':'AskUserQuestion','input':{'questions':[{'question':'a'}]}}",
		"{'tool_name':'AskUserQuestion','requires_user_interaction':true,'input':{}}",
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(choices_clear) struct choices c = CHOICES_INIT;

		CHECK(!begin(&c, cases[i]));
	}
}

TEST(what_a_model_asks_is_harmless_to_a_terminal)
{
	defer(choices_clear) struct choices c = CHOICES_INIT;
	defer(str_clear) struct str out = STR_INIT;

	CHECK(begin(&c, "{'tool_name':'AskUserQuestion','requires_user_interaction':true,'input':{"
			"'questions':[{'question':'\\u001b[2J?','options':[{'label':'\\u001b[8m',"
			"'description':'\\u0007'}]}]}}"));
	choices_add(&out, &c);
	CHECK(sv_find_char(sv_of(&out), '\x1b') == SIZE_MAX);
	CHECK(sv_find_char(sv_of(&out), '\x07') == SIZE_MAX);
}

TEST(replies_can_be_changed_until_they_are_sent)
{
	defer(choices_clear) struct choices c = CHOICES_INIT;
	defer(str_clear) struct str first = STR_INIT, second = STR_INIT;

	CHECK(begin(&c, ASKS));
	CHECK(!choices_is_answered(&c, 0));
	choices_set_text(&c, SV(" purple "));
	CHECK_SV(choices_own(&c), "purple");
	choices_choose(&c, 2);
	CHECK_SV(choices_own(&c), "");
	choices_choose(&c, 0); /* only one */
	c.at = 1;
	choices_choose(&c, 0);
	choices_choose(&c, 1);
	choices_choose(&c, 0); /* not that one */
	choices_set_text(&c, SV("and mauve"));
	choices_add_answer(&first, &c, 0);
	choices_add_answer(&second, &c, 1);
	CHECK_STR(str_c(&first), "Red");
	CHECK_STR(str_c(&second), "Blue, and mauve");
	choices_choose(&c, 1);
	choices_set_text(&c, SV(""));
	CHECK(!choices_is_answered(&c, 1));
}
