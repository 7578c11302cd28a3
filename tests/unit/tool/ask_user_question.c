#include "tool/ask_user_question.h"

#include "tool_rig.h"

#define OPTIONS "[{'label':'Red','description':'warm'},{'label':'Blue','description':'cold'}]"
#define QUESTION(text) \
	"{'question':'" text "','header':'H','options':" OPTIONS ",'multiSelect':false}"
#define BOTH "'questions':[" QUESTION("Which?") "," QUESTION("Why?") "]"

static const struct tool *const tool = &tool_ask_user_question;

TEST(the_answers_are_told_in_words_and_as_data)
{
	TOOL_RIG(r);
	struct err err;

	CHECK(tool->needs_user);
	/* As when the user has sent the input back: check() is for what the model sends. */
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(SV("{\"questions\":[{\"question\":\"Which?\"},{\"question\":\"Why?\"}],"
			      "\"answers\":{\"Which?\":\"Red\",\"Else?\":[\"a\",\"b\"],\"N?\":5},"
			      "\"annotations\":{\"Which?\":{\"notes\":\"dark\"}}}"),
			   0, &err);
	struct outcome outcome = { .done = 0 };

	CHECK_OK(doc != NULL, err);
	r.call = (struct tool_call){ .tool = tool, .ctx = &r.ctx, .input = json_root(doc) };
	tool->start(&r.call, THEN(outcome_done, &outcome));
	RUN_UNTIL(r.loop, outcome.done);
	CHECK_STR(str_c(&r.call.result.text),
		  "The user has answered:\n- Which?\n  Red\n  Note: dark\n- Else?\n  a, b\n"
		  "- N?\n  5\n- Why?\n  (no answer)");
	tool_rig_data(&r, "answers", "{\"Which?\":\"Red\",\"Else?\":\"a, b\",\"N?\":\"5\"}");
	tool_rig_data(&r, "questions", "[{\"question\":\"Which?\"},{\"question\":\"Why?\"}]");
	tool_rig_data(&r, "annotations", "{\"Which?\":{\"notes\":\"dark\"}}");
}

TEST(questions_that_were_allowed_but_not_answered_are_no_failure)
{
	TOOL_RIG(r);

	tool_rig_call(&r, tool, "{" BOTH "}");
	tool_rig_check_text(&r, false, "answered none");
	tool_rig_data(&r, "answers", "{}");
}

TEST(a_model_cannot_answer_for_the_user)
{
	TOOL_RIG(r);

	tool_rig_call(&r, tool, "{" BOTH ",'answers':{'Which?':'Red'}}");
	tool_rig_check_text(&r, true, "`answers` come from the user");
	tool_rig_call(&r, tool, "{" BOTH ",'answers':{}}");
	tool_rig_check_text(&r, false, "answered none");
}

TEST(questions_that_cannot_be_meant_are_refused_by_their_place)
{
	static const struct {
		const char *input, *error;
	} cases[] = {
		{ "{'questions':[]}", "questions" },
		{ "{'questions':[" QUESTION("a") "," QUESTION("b") "," QUESTION("c") "," QUESTION(
			  "d") "," QUESTION("e") "]}",
		  "questions" },
		{ "{'questions':[" QUESTION("a") "," QUESTION("a") "]}", "`questions[1]` repeats" },
		{ "{'questions':[" QUESTION(" ") "]}", "`questions[0].question` is empty" },
		{ "{'questions':[{'question':'a','header':'h','options':[{'label':'x',"
		  "'description':''}]}]}",
		  "options" },
		{ "{'questions':[{'question':'a','header':'h','options':[{'label':'x',"
		  "'description':''},{'label':'x','description':'y'}]}]}",
		  "`questions[0].options[1].label` duplicates another" },
		{ "{'questions':[{'question':'a','header':'h','options':[{'label':'x',"
		  "'description':''},{'label':'','description':'y'}]}]}",
		  "`questions[0].options[1].label` is empty" },
	};
	TOOL_RIG(r);

	for (size_t i = 0; i < countof(cases); i++) {
		tool_rig_call(&r, tool, cases[i].input);
		tool_rig_check_text(&r, true, cases[i].error);
	}
}

TEST(only_an_answer_takes_the_place_of_the_user)
{
	static const struct {
		const char *input;
		bool needs_user;
	} cases[] = {
		{ "{\"questions\":[]}", true },
		{ "{\"questions\":[],\"answers\":{}}", true },
		{ "{\"questions\":[],\"answers\":{\"a\":\"b\"}}", false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(cases[i].input), 0, &err);
		const struct tool_session session = { .question_timeout_ms = 60000 };
		struct tool_context ctx = { .session = &session };
		struct tool_call call = { .tool = tool, .ctx = &ctx, .input = json_root(doc) };
		struct arena arena = ARENA_INIT;
		struct perm_request perm_request = { .access = ACCESS_OTHER };

		tool->perm_request(&call, &arena, &perm_request);
		CHECK_INT(perm_request.needs_user, cases[i].needs_user);
		CHECK_INT(perm_request.patience_ms > 0,
			  cases[i].needs_user); /* a permission waits */
		CHECK_INT(perm_request.access, ACCESS_NONE);
	}
}

TEST(that_nobody_has_answered_in_time_is_no_failure_and_is_told)
{
	TOOL_RIG(r);

	r.call.waited_ms = 300000;
	tool_rig_call(&r, tool, "{" BOTH "}");
	tool_rig_check_text(&r, false, "No answer after 300 seconds");
	tool_rig_data(&r, "answers", "{}");
	tool_rig_data(&r, "afkTimeoutMs", "300000");
}

TEST(the_question_waits_as_long_as_the_user_has_set)
{
	static const struct {
		const char *setting;
		int64_t ms;
	} cases[] = { { "never", 0 }, { "60s", 60000 }, { "5m", 300000 }, { "10m", 600000 } };
	static const char *const wrong[] = { "", "60", "1h", "5M", "never ", "60s\n" };
	struct err err = ERR_INIT;
	int64_t ms = -1;

	for (size_t i = 0; i < countof(wrong); i++) {
		CHECK(!question_timeout_read(&ms, sv_cstr(wrong[i]), &err));
		CHECK_ERR(err, ERR_INVALID, "never, 60s, 5m or 10m");
		CHECK_INT(ms, -1);
	}
	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(json_doc_freep) struct json_doc *doc = json_parse(SV("{}"), 0, &err);
		struct perm_request perm_request = { .needs_user = false };

		CHECK_OK(question_timeout_read(&ms, sv_cstr(cases[i].setting), &err), err);
		CHECK_INT(ms, cases[i].ms);
		r.session.question_timeout_ms = ms;
		r.call = (struct tool_call){ .ctx = &r.ctx, .input = json_root(doc) };
		tool->perm_request(&r.call, &arena, &perm_request);
		CHECK(perm_request.needs_user);
		CHECK_INT(perm_request.patience_ms, ms);
	}
}
