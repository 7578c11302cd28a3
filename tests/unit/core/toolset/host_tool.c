/* Tools of the program that embeds us. */
#include "core/host.h"

#define CALLS_IT "reply when no result_of\n tool lookup {\"key\":\"a\"}\n"

/* A tool of the host's, and what has become of its calls. */
struct shelf {
	struct host *host;
	const char *answer; /* NULL: the call is kept, for the test to finish */
	bool is_error;
	bool finishes_on_cancel;
	struct awl_call *calls[4]; /* not finished yet */
	size_t ncalls;
	int called, cancelled, released;
	struct str input; /* of the last call */
};

static void shelf_clear(struct shelf *shelf)
{
	str_clear(&shelf->input);
}

/* Finishes the oldest call that was kept. */
static void finish(struct shelf *shelf, const char *text)
{
	struct awl_call *call = shelf->calls[0];

	CHECK(shelf->ncalls > 0);
	memmove(&shelf->calls[0], &shelf->calls[1], sizeof(shelf->calls) - sizeof(call));
	shelf->ncalls--;
	awl_call_finish(call, text, false);
}

static void on_call(void *arg, struct awl_call *call, const char *input, size_t length)
{
	struct shelf *shelf = arg;

	CHECK(!shelf->host->is_calling);
	CHECK_INT(strlen(input), length);
	shelf->called++;
	str_truncate(&shelf->input, 0);
	str_adds(&shelf->input, input);
	if (shelf->answer)
		awl_call_finish(call, shelf->answer, shelf->is_error);
	else
		shelf->calls[shelf->ncalls++] = call;
}

static void on_cancel(void *arg, struct awl_call *call)
{
	struct shelf *shelf = arg;

	CHECK(!shelf->host->is_calling);
	CHECK(shelf->ncalls > 0 && call == shelf->calls[0]);
	shelf->cancelled++;
	if (shelf->finishes_on_cancel)
		finish(shelf, "stopped");
}

static void on_release(void *arg)
{
	struct shelf *shelf = arg;

	shelf->released++;
}

static struct awl_tool tool_of(struct shelf *shelf)
{
	struct awl_tool tool = AWL_TOOL_INIT;

	tool.name = "lookup";
	tool.description = "Looks a word up.";
	tool.input_schema = "{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"}},"
			    "\"required\":[\"key\"],\"additionalProperties\":false}";
	tool.is_read_only = true;
	tool.call = on_call;
	tool.cancel = on_cancel;
	tool.release = on_release;
	tool.arg = shelf;
	return tool;
}

static void add(struct host *h, const struct awl_tool *tool)
{
	CHECK_RESULT(awl_add_tool(h->awl, tool), AWL_OK);
}

static void add_shelf(struct host *h, struct shelf *shelf)
{
	struct awl_tool tool = tool_of(shelf);

	shelf->host = h;
	add(h, &tool);
}

/* Before its host, which tells it of its end. */
#define SHELF(name) defer(shelf_clear) struct shelf name = { .host = NULL }

/* A session whose model calls the tool; runs until the call is there. */
static void ask(struct host *h, struct shelf *shelf)
{
	add_shelf(h, shelf);
	host_open(h, NULL);
	awl_prompt(h->session, "what is a?");
	HOST_UNTIL(h, shelf->called == 1 || h->results == 1);
}

/* --- finishing ------------------------------------------------------------------------ */

TEST(a_tool_of_the_host_is_called_with_the_input_and_its_answer_reaches_the_model)
{
	SHELF(shelf);
	HOST(h, CALLS_IT "reply when tool_result is apple\n text \"an apple\"\n");

	shelf.answer = "apple";
	ask(&h, &shelf);
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "an apple");
	CHECK_STR(str_c(&shelf.input), "{\"key\":\"a\"}");
	CHECK_INT(shelf.called, 1);
	CHECK_INT(shelf.cancelled, 0);
}

TEST(a_tool_may_fail_and_the_model_is_told_so)
{
	SHELF(shelf);
	HOST(h, CALLS_IT "reply when tool_error is \"out of order\"\n text \"pity\"\n");

	shelf.answer = "out of order";
	shelf.is_error = true;
	ask(&h, &shelf);
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "pity");
}

TEST(a_tool_that_says_nothing_or_no_text_is_no_trouble)
{
	static const struct {
		const char *answer, *expected;
	} cases[] = {
		{ "", "(lookup completed with no output)" },
		{ "a\xff"
		  "b",
		  "a\xef\xbf\xbd"
		  "b" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str script = STR_INIT;

		str_addf(&script, CALLS_IT "reply when tool_result is \"%s\"\n text \"fine\"\n",
			 cases[i].expected);
		SHELF(shelf);
		HOST(h, str_c(&script));

		shelf.answer = cases[i].answer;
		ask(&h, &shelf);
		HOST_UNTIL(&h, h.results == 1);
		host_check_result(&h, "result", "fine");
	}
}

TEST(a_call_may_be_finished_later_from_outside_of_any_callback)
{
	SHELF(shelf);
	HOST(h, CALLS_IT "reply when tool_result is apple\n text \"an apple\"\n");

	ask(&h, &shelf);
	for (int i = 0; i < 5; i++)
		awl_dispatch(h.awl);
	CHECK_INT(h.results, 0);
	HOST_CALL(&h, finish(&shelf, "apple"));
	HOST_UNTIL(&h, h.results == 1); /* the descriptor tells of it */
	host_check_result(&h, "result", "an apple");
}

/* Finishes what the other session's tool call waits for. */
static void finish_other(struct host *h, const struct awl_event *event)
{
	if (awl_event_kind(event) == AWL_EVENT_RESULT && h->call)
		awl_call_finish(move(h->call), "apple", false);
}

TEST(a_call_may_be_finished_later_from_another_callback)
{
	SHELF(shelf);
	HOST(h, "reply when prompt is else\n text \"something else\"\n" CALLS_IT
		"reply when tool_result is apple\n text \"an apple\"\n");
	struct awl_session *asking;
	struct awl_session_options options = host_options(&h);
	const struct awl_event *event;
	bool found = false;

	add_shelf(&h, &shelf);
	CHECK_RESULT(awl_session_open(&asking, h.awl, &options, NULL, NULL), AWL_OK);
	awl_prompt(asking, "what is a?");
	HOST_UNTIL(&h, shelf.called == 1);
	h.call = shelf.calls[0];
	h.on_event = finish_other;
	host_open(&h, NULL);
	awl_prompt(h.session, "else");
	HOST_UNTIL(&h, awl_session_is_idle(asking));
	CHECK(!h.call);
	while ((event = awl_next_event(asking)))
		found |= awl_event_kind(event) == AWL_EVENT_RESULT &&
			 strstr(awl_event_text(event), "an apple");
	CHECK(found);
}

TEST(a_long_answer_of_a_tool_is_cut)
{
	SHELF(shelf);
	HOST(h, CALLS_IT "reply when tool_result contains \"rest is cut off\"\n text \"long\"\n");
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 0; i < 20000; i++)
		str_adds(&text, "0123456789");
	shelf.answer = str_c(&text);
	ask(&h, &shelf);
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "long");
}

/* --- cancelling ------------------------------------------------------------------------ */

TEST(an_interrupt_does_not_wait_for_a_tool_and_the_call_is_finished_whenever)
{
	SHELF(shelf);
	HOST(h, CALLS_IT);

	ask(&h, &shelf);
	HOST_CALL(&h, awl_interrupt(h.session)); /* the tool is told later */
	CHECK_INT(shelf.cancelled, 0);
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "terminal_reason", "aborted_tools");
	CHECK_INT(shelf.cancelled, 1);
	finish(&shelf, "too late");
	for (int i = 0; i < 3; i++)
		awl_dispatch(h.awl);
	CHECK_INT(h.results, 1);
}

TEST(a_tool_may_finish_as_soon_as_it_is_cancelled)
{
	SHELF(shelf);
	HOST(h, CALLS_IT);

	shelf.finishes_on_cancel = true;
	ask(&h, &shelf);
	awl_interrupt(h.session);
	HOST_UNTIL(&h, h.results == 1);
	CHECK_INT(shelf.cancelled, 1);
	CHECK_INT(shelf.ncalls, 0);
}

TEST(a_call_finished_between_the_interrupt_and_the_next_step_is_not_cancelled)
{
	SHELF(shelf);
	HOST(h, CALLS_IT);

	ask(&h, &shelf);
	awl_interrupt(h.session);
	finish(&shelf, "just in time");
	HOST_UNTIL(&h, h.results == 1);
	CHECK_INT(shelf.cancelled, 0);
}

TEST(a_tool_that_cannot_be_cancelled_is_not_waited_for_either)
{
	SHELF(shelf);
	HOST(h, CALLS_IT);
	struct awl_tool tool = tool_of(&shelf);

	tool.cancel = NULL;
	shelf.host = &h;
	add(&h, &tool);
	host_open(&h, NULL);
	awl_prompt(h.session, "what is a?");
	HOST_UNTIL(&h, shelf.called == 1);
	awl_interrupt(h.session);
	HOST_UNTIL(&h, h.results == 1);
	finish(&shelf, "too late");
}

TEST(a_session_may_be_closed_while_a_tool_works)
{
	SHELF(shelf);
	HOST(h, CALLS_IT);

	ask(&h, &shelf);
	HOST_CALL(&h, awl_session_close(h.session));
	awl_run(h.awl); /* until it is gone */
	CHECK_INT(shelf.cancelled, 1);
	finish(&shelf, "too late");
	CHECK_INT(h.results, 0);
}

TEST(the_engine_may_be_closed_while_a_tool_works)
{
	for (int finishes = 0; finishes < 2; finishes++) {
		SHELF(shelf);
		HOST(h, CALLS_IT);

		shelf.finishes_on_cancel = finishes;
		ask(&h, &shelf);
		host_close(&h);
		CHECK_INT(shelf.cancelled, 1);
		CHECK_INT(shelf.released, 1);
		if (!finishes)
			finish(&shelf, "much too late");
	}
}

static void interrupt_at(struct host *h, __attribute__((unused)) const struct awl_event *event)
{
	if (h->events == h->at)
		awl_interrupt(h->session);
}

TEST(whenever_the_turn_is_interrupted_each_call_is_finished_or_cancelled)
{
	for (int k = 1; k <= 8; k++) {
		SHELF(shelf);
		HOST(h, CALLS_IT "reply when result_of contains lookup\n text \"done\"\n");

		add_shelf(&h, &shelf);
		shelf.finishes_on_cancel = true;
		host_open(&h, NULL);
		h.on_event = interrupt_at;
		h.at = k;
		awl_prompt(h.session, "what is a?");
		while (!h.results) {
			host_wait(&h);
			if (shelf.ncalls && k > 3)
				finish(&shelf, "apple");
		}
		CHECK_INT(shelf.ncalls, 0);
		CHECK(shelf.called <= 1 && shelf.cancelled <= shelf.called);
	}
}

/* --- which calls come through -------------------------------------------------------------- */

TEST(an_input_that_does_not_fit_the_schema_never_reaches_the_tool)
{
	SHELF(shelf);
	HOST(h, "reply when no result_of\n tool lookup {\"kye\":\"a\"}\n"
		"reply when tool_error contains \"key\"\n text \"I see\"\n");

	shelf.answer = "apple";
	ask(&h, &shelf);
	HOST_UNTIL(&h, h.results == 1);
	CHECK_INT(shelf.called, 0);
	host_check_result(&h, "result", "I see");
}

TEST(a_tool_that_changes_things_is_asked_about)
{
	SHELF(shelf);
	HOST(h, CALLS_IT "reply when tool_error\n text \"pity\"\n"
			 "reply when tool_result is apple\n text \"an apple\"\n");
	struct awl_tool tool = tool_of(&shelf);
	struct awl_session_options options = host_options(&h);

	tool.is_read_only = false;
	shelf.host = &h;
	shelf.answer = "apple";
	add(&h, &tool);
	options.send_questions = true;
	host_open(&h, &options);
	awl_prompt(h.session, "what is a?");
	HOST_UNTIL(&h, h.question.len);
	CHECK_INT(shelf.called, 0);
	awl_answer(h.session, str_c(&h.question), true, NULL);
	HOST_UNTIL(&h, h.results == 1);
	CHECK_INT(shelf.called, 1);
	host_check_result(&h, "result", "an apple");
}

TEST(without_anybody_to_ask_a_tool_that_changes_things_needs_a_rule)
{
	for (int rule = 0; rule < 2; rule++) {
		SHELF(shelf);
		HOST(h, CALLS_IT "reply when tool_error\n text \"pity\"\n"
				 "reply when tool_result is apple\n text \"an apple\"\n");
		struct awl_tool tool = tool_of(&shelf);
		struct awl_session_options options = host_options(&h);

		tool.is_read_only = false;
		shelf.host = &h;
		shelf.answer = "apple";
		add(&h, &tool);
		options.allowed_tools = rule ? "lookup" : NULL;
		host_open(&h, &options);
		awl_prompt(h.session, "what is a?");
		HOST_UNTIL(&h, h.results == 1);
		CHECK_INT(shelf.called, rule);
		host_check_result(&h, "result", rule ? "an apple" : "pity");
	}
}

/* Two calls in one answer: together, or one after the other. */
TEST(calls_run_side_by_side_only_when_the_tool_says_they_may)
{
	for (int concurrent = 0; concurrent < 2; concurrent++) {
		SHELF(shelf);
		HOST(h, "reply when no result_of\n tool lookup {\"key\":\"a\"}\n"
			" tool lookup {\"key\":\"b\"}\n"
			"reply when result_of contains lookup\n text \"done\"\n");
		struct awl_tool tool = tool_of(&shelf);

		tool.is_concurrent = concurrent;
		shelf.host = &h;
		add(&h, &tool);
		host_open(&h, NULL);
		awl_prompt(h.session, "what are a and b?");
		HOST_UNTIL(&h, shelf.called == (concurrent ? 2 : 1));
		HOST_UNTIL(&h, strstr(str_c(&h.log), "assistant\nassistant\n"));
		for (int i = 0; i < 5; i++)
			awl_dispatch(h.awl);
		CHECK_INT(shelf.called, concurrent ? 2 : 1);
		finish(&shelf, "apple");
		HOST_UNTIL(&h, shelf.called == 2);
		finish(&shelf, "bread");
		HOST_UNTIL(&h, h.results == 1);
		host_check_result(&h, "result", "done");
	}
}

TEST(a_tool_is_offered_to_sessions_opened_after_it_was_added_and_not_where_it_is_denied)
{
	SHELF(shelf);
	HOST(h, "reply forever when tools contains lookup\n text \"offered\"\n"
		"reply forever otherwise\n text \"not offered\"\n");
	struct awl_session_options options = host_options(&h);
	static const char *const expected[] = { "not offered", "offered", "not offered" };

	for (int i = 0; i < 3; i++) {
		options.disallowed_tools = i == 2 ? "lookup" : NULL;
		host_open(&h, &options);
		if (i == 0)
			add_shelf(&h, &shelf);
		h.results = 0;
		awl_prompt(h.session, "hi");
		HOST_UNTIL(&h, h.results == 1);
		host_check_result(&h, "result", expected[i]);
		awl_session_close(h.session);
	}
}

TEST(everything_about_a_tool_is_copied)
{
	SHELF(shelf);
	HOST(h, CALLS_IT "reply when tool_result is apple\n text \"an apple\"\n");
	struct awl_tool tool = tool_of(&shelf);
	char name[] = "lookup", description[] = "Looks up.", schema[] = "{\"type\":\"object\"}";

	tool.name = name;
	tool.description = description;
	tool.input_schema = schema;
	shelf.host = &h;
	shelf.answer = "apple";
	add(&h, &tool);
	memset(name, 'x', sizeof(name) - 1);
	memset(description, 'x', sizeof(description) - 1);
	memset(schema, 'x', sizeof(schema) - 1);
	host_open(&h, NULL);
	awl_prompt(h.session, "what is a?");
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "an apple");
}

/* --- adding -------------------------------------------------------------------------------- */

#define LONG_NAME "0123456789012345678901234567890123456789012345678901234567890123"

TEST(a_tool_that_cannot_be_meant_is_refused_with_the_reason)
{
	static const struct {
		const char *name, *schema, *error;
	} cases[] = {
		{ NULL, "{}", "a tool's name is" },
		{ "", "{}", "a tool's name is" },
		{ "look up", "{}", "not 'look up'" },
		{ "look\xc3\xbcp", "{}", "a tool's name is" },
		{ "a/b", "{}", "a tool's name is" },
		{ LONG_NAME "4", "{}", "1 to 64" },
		{ "Bash", "{}", "there is already a tool called Bash" },
		{ "there", "{}", "there is already a tool called there" },
		{ "StructuredOutput", "{}", "there is already a tool called StructuredOutput" },
		{ "lookup", NULL, "the tool lookup: its schema: line 1" },
		{ "lookup", "", "the tool lookup: its schema: line 1" },
		{ "lookup", "{\"type\":", "the tool lookup: its schema: line 1, column 9" },
		{ "lookup", "true", "must be a JSON object" },
		{ "lookup", "{\"type\":\"string\"}", "\"type\" must be \"object\"" },
		{ "lookup", "{\"properties\":7}", "properties" },
	};
	SHELF(shelf);
	HOST(h, NULL);
	struct awl_tool tool = tool_of(&shelf);

	tool.name = "there";
	add(&h, &tool);
	for (size_t i = 0; i < countof(cases); i++) {
		tool.name = cases[i].name;
		tool.input_schema = cases[i].schema;
		CHECK(awl_add_tool(h.awl, &tool) != AWL_OK);
		if (!strstr(awl_last_error(), cases[i].error))
			fail_msg("%s, %s: %s", cases[i].name, cases[i].schema, awl_last_error());
	}
	tool = tool_of(&shelf);
	tool.call = NULL;
	CHECK_RESULT(awl_add_tool(h.awl, &tool), AWL_ERR_INVALID);
	CHECK(strstr(awl_last_error(), "the tool lookup: it has no function to call"));
	host_close(&h);
	CHECK_INT(shelf.released, 1); /* of the one that was added */
}

TEST(a_tool_with_the_longest_name_and_no_description_is_fine)
{
	SHELF(shelf);
	HOST(h, NULL);
	struct awl_tool tool = tool_of(&shelf);

	tool.name = LONG_NAME;
	tool.description = NULL;
	tool.release = NULL;
	add(&h, &tool);
	host_open(&h, NULL);
}
