/* The public interface, on the real machine. */
#include "host.h"

#define SAYS_HELLO "reply forever\n text \"hello\"\n"

/* What a turn without tools tells. */
#define WHOLE_TURN                               \
	"system session_state_changed running\n" \
	"system init\n"                          \
	"assistant\n"                            \
	"result success\n"                       \
	"system session_state_changed idle\n"

/* --- the engine -------------------------------------------------------------------- */

TEST(an_engine_opens_and_closes_with_and_without_sessions)
{
	for (int sessions = 0; sessions < 3; sessions++) {
		HOST(h, NULL);

		CHECK(awl_is_demo(h.awl));
		CHECK(!awl_record_error(h.awl));
		for (int i = 0; i < sessions; i++)
			host_open(&h, NULL);
		if (sessions == 2)
			awl_session_close(h.session);
		awl_run(h.awl); /* nothing to do: returns */
		host_close(&h);
		CHECK_INT(h.events, 0);
		CHECK(!fs_exists(h.config));
	}
}

TEST(closing_nothing_is_fine)
{
	awl_close(NULL);
	awl_session_close(NULL);
}

TEST(the_library_says_its_version)
{
	CHECK_STR(awl_version(), AWL_VERSION);
	CHECK_INT(awl_api_version(), AWL_API_MAJOR * 1000 + AWL_API_MINOR);
}

TEST(an_engine_that_cannot_be_opened_says_why_in_the_room_there_is)
{
	struct awl_options options = AWL_OPTIONS_INIT;
	char error[AWL_ERROR_SIZE] = "", small[8] = "1234567";

	host_forget_models();
	options.replay = "/does/not/exist";
	CHECK(!awl_open(&options, error, sizeof(error)));
	CHECK(strstr(error, "/does/not/exist"));
	CHECK(!awl_open(&options, small, sizeof(small)));
	CHECK_INT(strlen(small), 7);
	CHECK(strncmp(small, error, 7) == 0);
	CHECK(!awl_open(&options, error, 0));
	CHECK(!awl_open(&options, NULL, 0));
}

/* A program built against a header whose structures ended earlier. */
TEST(options_of_an_older_program_are_those_it_knows)
{
	struct awl_options options = AWL_OPTIONS_INIT;
	char error[AWL_ERROR_SIZE] = "";
	struct awl *awl;

	host_forget_models();
	options.config_dir = "/tmp/x";
	options.replay = "/does/not/exist";
	options.size = offsetof(struct awl_options, replay);
	awl = awl_open(&options, error, sizeof(error));
	CHECK(awl != NULL); /* it knows of no replay */
	awl_close(awl);
	options.size = offsetof(struct awl_options, replay_timed);
	CHECK(!awl_open(&options, error, sizeof(error)));
	options.size = sizeof(options) + 100; /* and of a newer one */
	CHECK(!awl_open(&options, error, sizeof(error)));
}

TEST(options_that_do_not_say_their_size_are_refused_not_ignored)
{
	HOST(h, NULL);
	struct awl_options engine = { .replay = "/does/not/exist" };
	struct awl_session_options session = { .disallowed_tools = "Bash" };
	struct awl_tool tool = { .name = "lookup" };

	CHECK(!awl_open(&engine, h.error, sizeof(h.error)));
	CHECK(strstr(h.error, "AWL_OPTIONS_INIT"));
	CHECK(!awl_session_open(h.awl, &session, NULL, NULL, h.error, sizeof(h.error)));
	CHECK(strstr(h.error, "AWL_SESSION_OPTIONS_INIT"));
	CHECK(!awl_add_tool(h.awl, &tool, h.error, sizeof(h.error)));
	CHECK(strstr(h.error, "AWL_TOOL_INIT"));
}

/* --- a turn, three ways ------------------------------------------------------------- */

TEST(a_prompt_is_answered_by_events_to_the_callback)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	CHECK(awl_session_is_idle(h.session));
	CHECK_INT(strlen(awl_session_id(h.session)), 36);
	HOST_CALL(&h, awl_prompt(h.session, "hi"));
	CHECK(!awl_session_is_idle(h.session));
	awl_run(h.awl);
	CHECK_STR(str_c(&h.log), WHOLE_TURN);
	CHECK(awl_session_is_idle(h.session));
	host_check_result(&h, "session_id", awl_session_id(h.session));
	host_check_result(&h, "terminal_reason", "completed");
}

TEST(without_a_callback_events_wait_to_be_taken)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	struct awl_session *s =
		awl_session_open(h.awl, &options, NULL, NULL, h.error, sizeof(h.error));
	const struct awl_event *event;

	CHECK(!awl_next(s));
	awl_prompt(s, "hi");
	awl_run(h.awl);
	awl_prompt(s, "and again");
	awl_run(h.awl);
	while ((event = awl_next(s)))
		host_take(&h, event);
	CHECK_STR(str_c(&h.log), WHOLE_TURN WHOLE_TURN);
	CHECK(!awl_next(s));
}

TEST(events_that_nobody_took_are_gone_with_the_session)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	struct awl_session *s =
		awl_session_open(h.awl, &options, NULL, NULL, h.error, sizeof(h.error));

	awl_prompt(s, "hi");
	awl_run(h.awl);
	CHECK(awl_next(s));
	awl_session_close(s);
}

TEST(with_a_callback_there_is_nothing_to_take)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	awl_prompt(h.session, "/help");
	CHECK(!awl_next(h.session)); /* it waits for its callback */
	awl_run(h.awl);
	CHECK_STR(str_c(&h.log), "assistant\nresult success\n");
}

TEST(a_program_with_a_loop_of_its_own_waits_for_the_descriptor)
{
	HOST(h, SAYS_HELLO);

	host_open(&h, NULL);
	HOST_CALL(&h, awl_prompt(h.session, "hi"));
	HOST_UNTIL(&h, h.results == 1);
	HOST_UNTIL(&h, awl_session_is_idle(h.session) && host_has(&h, "changed idle"));
	CHECK_STR(str_c(&h.log), WHOLE_TURN);
	host_check_result(&h, "result", "hello");
	CHECK(!awl_is_demo(h.awl));
	/* An idle engine is silent. */
	for (int i = 0; i < 10; i++)
		awl_dispatch(h.awl);
	CHECK_INT(poll(&(struct pollfd){ .fd = awl_fd(h.awl), .events = POLLIN }, 1, 0), 0);
}

static void prompt_again(struct host *h, const struct awl_event *event)
{
	if (strcmp(event->type, "result") == 0 && h->results < 3)
		awl_prompt(h->session, "more");
}

TEST(a_callback_may_prompt_again_and_the_run_goes_on)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	h.on_event = prompt_again;
	awl_prompt(h.session, "hi");
	awl_run(h.awl);
	CHECK_INT(h.results, 3);
	CHECK(awl_session_is_idle(h.session));
}

static void stop_at_init(struct host *h, const struct awl_event *event)
{
	if (strcmp(event->subtype, "init") == 0)
		awl_stop(h->awl);
}

TEST(a_run_can_be_stopped_and_taken_up_again)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	h.on_event = stop_at_init;
	awl_prompt(h.session, "hi");
	awl_run(h.awl);
	CHECK_INT(h.results, 0);
	CHECK(!awl_session_is_idle(h.session));
	awl_run(h.awl);
	CHECK_STR(str_c(&h.log), WHOLE_TURN);
}

TEST(pieces_of_an_answer_are_told_when_asked_for)
{
	HOST(h, SAYS_HELLO);
	struct awl_session_options options = host_options(&h);

	options.include_partial_messages = true;
	host_open(&h, &options);
	awl_prompt(h.session, "hi");
	HOST_UNTIL(&h, h.results == 1);
	CHECK(host_has(&h, "system status\nstream_event\nstream_event\n"));
}

/* --- interrupting and closing ------------------------------------------------------- */

static void interrupt_at(struct host *h, __attribute__((unused)) const struct awl_event *event)
{
	if (h->events == h->at)
		awl_interrupt(h->session);
}

/* Events 1 to 3 come before the answer is whole, 4 and 5 after it. */
TEST(an_interrupt_at_any_event_ends_the_turn_with_one_result)
{
	for (int k = 1; k <= 5; k++) {
		HOST(h, SAYS_HELLO);

		host_open(&h, NULL);
		h.on_event = interrupt_at;
		h.at = k;
		awl_prompt(h.session, "hi");
		HOST_UNTIL(&h, host_has(&h, "changed idle"));
		CHECK_INT(h.results, 1);
		if (k != 3) /* then it may just have been whole */
			host_check_result(&h, "terminal_reason",
					  k < 3 ? "aborted_streaming" : "completed");
		CHECK(awl_session_is_idle(h.session));
		h.on_event = NULL;
		awl_prompt(h.session, "and now?");
		HOST_UNTIL(&h, h.results == 2);
		host_check_result(&h, "result", "hello");
	}
}

TEST(an_interrupt_calls_back_later_and_without_a_turn_not_at_all)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	awl_interrupt(h.session);
	awl_run(h.awl);
	CHECK_INT(h.events, 0);
	awl_prompt(h.session, "hi");
	HOST_CALL(&h, awl_interrupt(h.session)); /* before it has looked around */
	HOST_CALL(&h, awl_interrupt(h.session));
	awl_run(h.awl);
	CHECK_INT(h.results, 1);
	host_check_result(&h, "terminal_reason", "aborted_streaming");
}

static void close_at(struct host *h, __attribute__((unused)) const struct awl_event *event)
{
	CHECK(h->events <= h->at); /* none comes after it */
	if (h->events == h->at)
		awl_session_close(h->session);
}

TEST(a_session_may_be_closed_from_inside_its_callback_at_any_event)
{
	for (int k = 1; k <= 5; k++) {
		HOST(h, SAYS_HELLO);

		host_open(&h, NULL);
		h.on_event = close_at;
		h.at = k;
		awl_prompt(h.session, "hi");
		HOST_UNTIL(&h, h.events == k);
		for (int i = 0; i < 3; i++)
			awl_dispatch(h.awl);
		CHECK_INT(h.events, k);
		/* The engine is still good for another. */
		h.on_event = NULL;
		h.results = 0;
		host_open(&h, NULL);
		awl_prompt(h.session, "hi");
		HOST_UNTIL(&h, h.results == 1);
	}
}

TEST(a_session_closed_from_inside_a_run_lets_the_run_end)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	h.on_event = close_at;
	h.at = 2;
	awl_prompt(h.session, "hi");
	awl_run(h.awl);
	CHECK_INT(h.events, 2);
}

/* Several at a time, each closed when it has answered. */
struct crowd {
	int closed;
};

static void close_when_answered(void *arg, struct awl_session *session,
				const struct awl_event *event)
{
	struct crowd *crowd = arg;

	if (strcmp(event->type, "result") != 0)
		return;
	crowd->closed++;
	awl_session_close(session);
}

TEST(a_run_ends_when_the_last_of_its_sessions_is_done_not_the_first)
{
	HOST(h, NULL);
	struct crowd crowd = { .closed = 0 };
	struct awl_session_options options = host_options(&h);

	for (int i = 0; i < 5; i++) {
		struct awl_session *s = awl_session_open(h.awl, &options, close_when_answered,
							 &crowd, h.error, sizeof(h.error));

		awl_prompt(s, "hi");
		if (i % 2)
			awl_prompt(s, "and this");
	}
	awl_run(h.awl);
	CHECK_INT(crowd.closed, 5);
}

TEST(the_engine_may_be_closed_in_the_middle_of_a_turn)
{
	for (int k = 0; k <= 5; k++) {
		HOST(h, "reply forever\n text \"hello\"\n tool Bash {\"command\":\"sleep 60\"}\n");
		struct awl_session_options options = host_options(&h);
		int events;

		options.tools = "Bash";
		options.permission_mode = "bypassPermissions";
		host_open(&h, &options);
		awl_prompt(h.session, "hi");
		if (k == 5)
			awl_interrupt(h.session);
		else
			HOST_UNTIL(&h, h.events >= k);
		events = h.events;
		HOST_CALL(&h, host_close(&h));
		CHECK_INT(h.events, events);
	}
}

/* --- ops as JSON ---------------------------------------------------------------------- */

static bool send(struct host *h, const char *json)
{
	bool fine;

	h->error[0] = '\0';
	HOST_CALL(h, fine = awl_send(h->session, json, strlen(json), h->error, sizeof(h->error)));
	return fine;
}

TEST(what_is_no_op_is_refused_with_the_reason_and_nothing_happens)
{
	static const struct {
		const char *json, *error;
	} cases[] = {
		{ "", "line 1, column 1" },
		{ "{", "line 1, column 2" },
		{ "{\"type\":\"user\"} x", "line 1, column 17" },
		{ "\xff", "line 1, column 1" },
		{ "[]", "an op is a JSON object" },
		{ "{}", "\"type\"" },
		{ "{\"type\":\"user\",\"message\":\"hi\"}", "\"message\" must be an object" },
		{ "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[1]}}",
		  "content block 1" },
		{ "{\"type\":\"control_request\"}", "\"request_id\"" },
	};
	HOST(h, NULL);

	host_open(&h, NULL);
	for (size_t i = 0; i < countof(cases); i++) {
		CHECK(!send(&h, cases[i].json));
		if (!strstr(h.error, cases[i].error))
			fail_msg("%s: %s", cases[i].json, h.error);
	}
	CHECK(!awl_send(h.session, NULL, 0, NULL, 0));
	CHECK(awl_session_is_idle(h.session));
	awl_run(h.awl);
	CHECK_INT(h.events, 0);
}

TEST(an_op_of_an_unknown_type_is_ignored_and_an_unknown_request_answered_with_an_error)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	CHECK(send(&h, "{\"type\":\"keep_alive\"}"));
	CHECK(send(&h, "{\"type\":\"of_tomorrow\"}"));
	CHECK(send(&h, "{\"type\":\"control_cancel_request\",\"request_id\":\"r\"}"));
	CHECK(send(&h, "{\"type\":\"control_response\",\"response\":{\"request_id\":\"r\"}}"));
	awl_run(h.awl);
	CHECK_INT(h.events, 0);
	CHECK(send(&h, "{\"type\":\"control_request\",\"request_id\":\"r\","
		       "\"request\":{\"subtype\":\"dance\"}}"));
	CHECK(send(&h, "{\"type\":\"control_request\",\"request_id\":\"s\","
		       "\"request\":{\"subtype\":\"set_permission_mode\",\"mode\":\"plan\"}}"));
	awl_run(h.awl);
	CHECK_STR(str_c(&h.log), "control_response\ncontrol_response\nsystem status\n");
}

#define USER(content, more) \
	"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":" content "}" more "}"

TEST(a_prompt_may_come_as_json)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	CHECK(send(&h, USER("\"hi\"", "")));
	awl_run(h.awl);
	CHECK_STR(str_c(&h.log), WHOLE_TURN);
	CHECK(send(&h, USER("\" /help\"", "")));
	awl_run(h.awl);
	CHECK(strstr(str_c(&h.result), "\"local_command\":\"help\""));
}

/* A service refuses a message that says nothing, and with it the whole conversation. */
TEST(a_prompt_of_nothing_is_said_to_be_one)
{
	static const char *const empty[] = { USER("\"\"", ""), USER("[]", ""),
					     USER("\" \\n\"", "") };
	for (size_t i = 0; i <= countof(empty); i++) {
		HOST(fresh, "reply when prompt contains \"(empty message)\"\n text \"yes\"\n"
			    "reply otherwise\n text \"no\"\n");

		host_open(&fresh, NULL);
		if (i < countof(empty))
			CHECK(send(&fresh, empty[i]));
		else
			awl_prompt(fresh.session, "");
		HOST_UNTIL(&fresh, fresh.results == 1);
		host_check_result(&fresh, "result", "yes");
	}
}

TEST(a_message_that_asks_for_no_answer_ends_idle)
{
	HOST(h, "reply when request contains \"remember this\"\n text \"I do\"\n");

	host_open(&h, NULL);
	CHECK(send(&h, USER("\"remember this\"", ",\"shouldQuery\":false")));
	HOST_UNTIL(&h, h.results == 1);
	HOST_UNTIL(&h, awl_session_is_idle(h.session));
	awl_dispatch(h.awl);
	CHECK_STR(str_c(&h.log), "system session_state_changed running\nsystem init\n"
				 "result success\nsystem session_state_changed idle\n");
	awl_prompt(h.session, "what?");
	HOST_UNTIL(&h, h.results == 2);
	host_check_result(&h, "result", "I do");
}

/* Takes `n` events and checks that they answer the requests from number `from` on. */
static void take_replies(struct awl_session *s, int from, int n)
{
	for (int i = from; i < from + n; i++) {
		const struct awl_event *event = awl_next(s);
		defer(str_clear) struct str id = STR_INIT;
		char expected[16];

		CHECK(event != NULL);
		host_member(&id, event, "response.request_id");
		snprintf(expected, sizeof(expected), "%d", i);
		CHECK_STR(str_c(&id), expected);
	}
}

TEST(events_are_taken_in_order_however_many_wait)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	int sent = 0, taken = 0;

	h.session = awl_session_open(h.awl, &options, NULL, NULL, h.error, sizeof(h.error));
	for (int round = 1; round < 60; round++) {
		int n = round * 7 % 31; /* now more come, now more are taken */

		for (int i = 0; i < 15; i++) {
			defer(str_clear) struct str request = STR_INIT;

			str_addf(&request,
				 "{\"type\":\"control_request\",\"request_id\":\"%d\","
				 "\"request\":{\"subtype\":\"initialize\"}}",
				 sent++);
			CHECK(send(&h, str_c(&request)));
		}
		n = min_of(n, sent - taken);
		take_replies(h.session, taken, n);
		taken += n;
	}
	take_replies(h.session, taken, sent - taken);
	CHECK(!awl_next(h.session));
}

/* --- questions ------------------------------------------------------------------------ */

#define WRITES                                                     \
	"reply when tool_error\n text \"pity\"\n"                  \
	"reply when result_of contains Write\n text \"written\"\n" \
	"reply\n tool Write {\"file_path\":\"a.txt\",\"content\":\"A\"}\n"

static void open_asking(struct host *h)
{
	struct awl_session_options options = host_options(h);

	options.tools = "default";
	options.answers_questions = true;
	host_open(h, &options);
}

TEST(a_question_is_answered_yes_or_no)
{
	for (int allow = 0; allow < 2; allow++) {
		HOST(h, WRITES);
		PATH_IN(path, h.dir, "a.txt");

		open_asking(&h);
		awl_prompt(h.session, "write");
		HOST_UNTIL(&h, h.question.len);
		awl_answer(h.session, "of nobody", !allow, NULL);
		awl_answer(h.session, "", !allow, NULL);
		HOST_CALL(&h, awl_answer(h.session, str_c(&h.question), allow,
					 allow ? NULL : "not here"));
		awl_answer(h.session, str_c(&h.question), !allow, NULL); /* too late */
		HOST_UNTIL(&h, h.results == 1);
		host_check_result(&h, "result", allow ? "written" : "pity");
		CHECK_INT(fs_exists(path), allow);
		CHECK(host_has(&h, "changed requires_action\ncontrol_request\n"
				   "system session_state_changed running\n"));
	}
}

TEST(nobody_to_ask_means_no)
{
	HOST(h, WRITES);
	struct awl_session_options options = host_options(&h);

	options.tools = "default";
	host_open(&h, &options);
	awl_prompt(h.session, "write");
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "pity");
	CHECK(host_has(&h, "system permission_denied\n"));
}

/* Two calls that run side by side, each of which has to be asked about. */
#define READS_TWICE                                             \
	"reply when result_of contains Read\n text \"seen\"\n"  \
	"reply\n tool Read {\"file_path\":\"/etc/hostname\"}\n" \
	" tool Read {\"file_path\":\"/etc/hosts\"}\n"

static int count(const struct host *h, struct sv line)
{
	struct sv rest = sv_of(&h->log), next;
	int n = 0;

	while (sv_cut_line(&rest, &next))
		n += sv_eq(next, line);
	return n;
}

#define RUNS  SV("system session_state_changed running")
#define WAITS SV("system session_state_changed requires_action")

TEST(a_session_that_still_waits_for_an_answer_does_not_say_that_it_runs)
{
	HOST(h, READS_TWICE);

	open_asking(&h);
	awl_prompt(h.session, "read");
	HOST_UNTIL(&h, count(&h, SV("assistant")) == 2);
	CHECK_INT(count(&h, WAITS), 1); /* one question at a time */
	awl_answer(h.session, str_c(&h.question), true, NULL);
	HOST_UNTIL(&h, count(&h, WAITS) == 2);
	CHECK_INT(count(&h, RUNS), 1);
	awl_answer(h.session, str_c(&h.question), true, NULL);
	HOST_UNTIL(&h, h.results == 1);
	CHECK_INT(count(&h, RUNS), 2);
	host_check_result(&h, "result", "seen");
}

TEST(an_interrupt_takes_back_the_question)
{
	HOST(h, WRITES);

	open_asking(&h);
	awl_prompt(h.session, "write");
	HOST_UNTIL(&h, h.question.len);
	HOST_CALL(&h, awl_interrupt(h.session));
	HOST_UNTIL(&h, h.results == 1);
	CHECK(host_has(&h, "control_cancel_request\nsystem session_state_changed running\n"));
	host_check_result(&h, "terminal_reason", "aborted_tools");
}

/* --- what a session starts with ---------------------------------------------------------- */

#define TEXT_AT(member) offsetof(struct awl_session_options, member)

TEST(a_session_that_cannot_be_opened_says_why)
{
	static const struct {
		size_t member;
		const char *value, *error;
	} cases[] = {
		{ TEXT_AT(cwd), "/does/not/exist", "/does/not/exist" },
		{ TEXT_AT(effort), "utmost", "utmost" },
		{ TEXT_AT(thinking), "-5", "-5" },
		{ TEXT_AT(tools), "Bsah", "did you mean 'Bash'?" },
		{ TEXT_AT(allowed_tools), "Bash(", "Bash(" },
		{ TEXT_AT(permission_mode), "yolo", "yolo" },
		{ TEXT_AT(session_id), "seven", "seven" },
		{ TEXT_AT(resume), "00000000-0000-4000-8000-000000000000", "00000000" },
		{ TEXT_AT(json_schema), "{\"type\":\"array\"}", "schema of the answer" },
	};
	HOST(h, NULL);

	for (size_t i = 0; i < countof(cases); i++) {
		struct awl_session_options options = host_options(&h);
		const char **member = (void *)((char *)&options + cases[i].member);

		*member = cases[i].value;
		CHECK(!awl_session_open(h.awl, &options, host_on_event, &h, h.error,
					sizeof(h.error)));
		if (!strstr(h.error, cases[i].error))
			fail_msg("%s: %s", cases[i].value, h.error);
		CHECK(!awl_session_open(h.awl, &options, NULL, NULL, NULL, 0));
	}
}

TEST(a_session_option_that_an_older_program_does_not_know_is_not_set)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);

	options.permission_mode = "yolo";
	options.size = offsetof(struct awl_session_options, permission_mode);
	host_open(&h, &options);
}

TEST(a_kept_session_can_be_resumed_by_another_engine_and_an_unkept_one_not)
{
	char id[40];

	for (int keep = 0; keep < 2; keep++) {
		HOST(h, "reply when request contains \"the word is xyzzy\"\n text \"xyzzy\"\n");
		struct awl_session_options options = host_options(&h);

		options.no_persistence = !keep;
		host_open(&h, &options);
		snprintf(id, sizeof(id), "%s", awl_session_id(h.session));
		awl_prompt(h.session, "the word is xyzzy");
		HOST_UNTIL(&h, h.results == 1);
		HOST_UNTIL(&h, awl_session_is_idle(h.session));
		awl_session_close(h.session);
		options.resume = id;
		options.no_persistence = true;
		h.session = awl_session_open(h.awl, &options, host_on_event, &h, h.error,
					     sizeof(h.error));
		CHECK_INT(h.session != NULL, keep);
		if (keep)
			CHECK_STR(awl_session_id(h.session), id);
	}
}

/* --- recordings --------------------------------------------------------------------------- */

/* One prompt in `cwd` with these options; the result is left in `out`. */
static void record_or_replay(struct str *out, const struct awl_options *options, const char *cwd)
{
	struct host h = { .at = -1 };
	struct awl_session_options session = host_options(&h);

	session.cwd = cwd;
	session.model = "demo"; /* whatever would be chosen otherwise */
	h.awl = awl_open(options, h.error, sizeof(h.error));
	if (!h.awl)
		fail_msg("%s", h.error);
	host_open(&h, &session);
	awl_prompt(h.session, "hi");
	awl_run(h.awl);
	CHECK(!awl_record_error(h.awl));
	awl_close(h.awl);
	CHECK_STR(str_c(&h.log), WHOLE_TURN);
	str_add(out, sv_of(&h.result));
	str_clear(&h.result);
	str_clear(&h.log);
	str_clear(&h.question);
}

static void result_text(struct str *out, const struct str *json)
{
	host_member(out, &(struct awl_event){ .json = str_c(json), .length = json->len }, "result");
}

TEST(what_was_recorded_can_be_replayed)
{
	TEMP_DIR(dir);
	PATH_IN(tape, dir, "tape.jsonl");
	PATH_IN(config, dir, "config");
	defer(str_clear) struct str first = STR_INIT, second = STR_INIT;
	defer(str_clear) struct str said = STR_INIT, repeated = STR_INIT;
	struct awl_options options = AWL_OPTIONS_INIT;

	host_forget_models();
	options.config_dir = config;
	options.record = tape;
	record_or_replay(&first, &options, str_c(&dir));
	options.record = NULL;
	options.replay = tape;
	record_or_replay(&second, &options, str_c(&dir));
	result_text(&said, &first);
	result_text(&repeated, &second);
	CHECK(strstr(str_c(&said), "No model is configured"));
	CHECK_STR(str_c(&repeated), str_c(&said));
}

/* --- the program around it ---------------------------------------------------------------- */

/* setenv() may move the whole environment. */
TEST(a_program_may_change_its_environment_after_the_engine_was_opened)
{
	HOST(h, "reply when result_of contains Bash\n text \"done\"\n"
		"reply\n tool Bash {\"command\":\"test -n \\\"$PATH\\\" && echo fine >out\"}\n");
	PATH_IN(out, h.dir, "out");
	struct awl_session_options options = host_options(&h);
	char name[32];

	options.tools = "Bash";
	options.permission_mode = "bypassPermissions";
	host_open(&h, &options);
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "AWL_TEST_%d", i);
		host_env(name, "x");
	}
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, h.results == 1);
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "AWL_TEST_%d", i);
		host_env(name, NULL);
	}
	CHECK_FILE(out, "fine\n");
}
