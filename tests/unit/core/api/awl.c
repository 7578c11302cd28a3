/* The public interface, on the real machine. */
#include "core/host.h"

#define HELLO "reply forever\n text \"hello\"\n"

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

TEST(an_engine_that_cannot_be_opened_says_why)
{
	struct awl_options options = AWL_OPTIONS_INIT;
	struct awl *awl = (struct awl *)&options; /* not NULL */

	host_forget_models();
	options.replay = "/does/not/exist";
	CHECK_RESULT(awl_open(&awl, &options), AWL_ERR_NOT_FOUND);
	CHECK(strstr(awl_last_error(), "/does/not/exist"));
	CHECK(!awl);
}

/* A program built against a header whose structures ended earlier. */
TEST(options_of_an_older_program_are_those_it_knows)
{
	struct awl_options options = AWL_OPTIONS_INIT;
	struct awl *awl;
	TEMP_DIR(dir);

	host_forget_models();
	options.config_dir = str_c(&dir);
	options.replay = "/does/not/exist";
	options.size = offsetof(struct awl_options, replay);
	CHECK_RESULT(awl_open(&awl, &options), AWL_OK); /* it knows of no replay */
	awl_close(awl);
	options.size = offsetof(struct awl_options, replay_timed);
	CHECK_RESULT(awl_open(&awl, &options), AWL_ERR_NOT_FOUND);
}

TEST(options_that_do_not_say_their_size_are_refused_not_ignored)
{
	HOST(h, NULL);
	struct awl_options engine = { .replay = "/does/not/exist" };
	struct awl_session_options session = { .disallowed_tools = "Bash" };
	struct awl_tool tool = { .name = "lookup" };

	struct awl *awl;
	struct awl_session *opened;

	CHECK_RESULT(awl_open(&awl, &engine), AWL_ERR_INVALID);
	CHECK(strstr(awl_last_error(), "AWL_OPTIONS_INIT"));
	CHECK_RESULT(awl_session_open(&opened, h.awl, &session, NULL, NULL), AWL_ERR_INVALID);
	CHECK(strstr(awl_last_error(), "AWL_SESSION_OPTIONS_INIT"));
	CHECK_RESULT(awl_add_tool(h.awl, &tool), AWL_ERR_INVALID);
	CHECK(strstr(awl_last_error(), "AWL_TOOL_INIT"));
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
	CHECK_STR(str_c(&h.log), HOST_TURN);
	CHECK(awl_session_is_idle(h.session));
	host_check_result(&h, "session_id", awl_session_id(h.session));
	host_check_result(&h, "terminal_reason", "completed");
}

TEST(without_a_callback_events_wait_to_be_taken)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	struct awl_session *s;
	const struct awl_event *event;

	CHECK_RESULT(awl_session_open(&s, h.awl, &options, NULL, NULL), AWL_OK);
	CHECK(!awl_next_event(s));
	awl_prompt(s, "hi");
	awl_run(h.awl);
	awl_prompt(s, "and again");
	awl_run(h.awl);
	while ((event = awl_next_event(s)))
		host_take(&h, event);
	CHECK_STR(str_c(&h.log), HOST_TURN HOST_TURN);
	CHECK(!awl_next_event(s));
}

TEST(events_that_nobody_took_are_gone_with_the_session)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	struct awl_session *s;

	CHECK_RESULT(awl_session_open(&s, h.awl, &options, NULL, NULL), AWL_OK);
	awl_prompt(s, "hi");
	awl_run(h.awl);
	CHECK(awl_next_event(s));
	awl_session_close(s);
}

TEST(with_a_callback_there_is_nothing_to_take)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	awl_prompt(h.session, "/help");
	CHECK(!awl_next_event(h.session)); /* it waits for its callback */
	awl_run(h.awl);
	CHECK_STR(str_c(&h.log), "assistant\nresult success\n");
}

TEST(a_program_with_a_loop_of_its_own_waits_for_the_descriptor)
{
	HOST(h, HELLO);

	host_open(&h, NULL);
	HOST_CALL(&h, awl_prompt(h.session, "hi"));
	HOST_UNTIL(&h, h.results == 1);
	HOST_UNTIL(&h, awl_session_is_idle(h.session) && host_has(&h, "changed idle"));
	CHECK_STR(str_c(&h.log), HOST_TURN);
	host_check_result(&h, "result", "hello");
	CHECK(!awl_is_demo(h.awl));
	/* An idle engine is silent. */
	for (int i = 0; i < 10; i++)
		awl_dispatch(h.awl);
	CHECK_INT(poll(&(struct pollfd){ .fd = awl_fd(h.awl), .events = POLLIN }, 1, 0), 0);
}

static void prompt_again(struct host *h, const struct awl_event *event)
{
	if (awl_event_kind(event) == AWL_EVENT_RESULT && h->results < 3)
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
	if (awl_event_kind(event) == AWL_EVENT_INIT)
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
	CHECK_STR(str_c(&h.log), HOST_TURN);
}

TEST(pieces_of_an_answer_are_told_when_asked_for)
{
	HOST(h, HELLO);
	struct awl_session_options options = host_options(&h);

	options.send_partial_messages = true;
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
		HOST(h, HELLO);

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
		HOST(h, HELLO);

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

	if (awl_event_kind(event) != AWL_EVENT_RESULT)
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
		struct awl_session *s;

		CHECK_RESULT(awl_session_open(&s, h.awl, &options, close_when_answered, &crowd),
			     AWL_OK);
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

/* --- what a session starts with ---------------------------------------------------------- */

#define TEXT_AT(member) offsetof(struct awl_session_options, member)

TEST(a_session_that_cannot_be_opened_says_why)
{
	static const struct {
		size_t member;
		const char *value, *error;
		enum awl_result result;
	} cases[] = {
		{ TEXT_AT(cwd), "/does/not/exist", "/does/not/exist", AWL_ERR_NOT_FOUND },
		{ TEXT_AT(effort), "utmost", "utmost", AWL_ERR_INVALID },
		{ TEXT_AT(thinking), "-5", "-5", AWL_ERR_INVALID },
		{ TEXT_AT(tools), "Bsah", "did you mean 'Bash'?", AWL_ERR_INVALID },
		{ TEXT_AT(allowed_tools), "Bash(", "Bash(", AWL_ERR_INVALID },
		{ TEXT_AT(permission_mode), "yolo", "yolo", AWL_ERR_INVALID },
		{ TEXT_AT(session_id), "seven", "seven", AWL_ERR_INVALID },
		{ TEXT_AT(resume), "00000000-0000-4000-8000-000000000000", "00000000",
		  AWL_ERR_NOT_FOUND },
		{ TEXT_AT(json_schema), "{\"type\":\"array\"}", "schema of the answer",
		  AWL_ERR_INVALID },
	};
	HOST(h, NULL);

	for (size_t i = 0; i < countof(cases); i++) {
		struct awl_session_options options = host_options(&h);
		const char **member = (void *)((char *)&options + cases[i].member);

		*member = cases[i].value;
		CHECK_RESULT(awl_session_open(&h.session, h.awl, &options, host_on_event, &h),
			     cases[i].result);
		if (!strstr(awl_last_error(), cases[i].error))
			fail_msg("%s: %s", cases[i].value, awl_last_error());
		CHECK(!h.session);
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

		options.skip_transcript = !keep;
		host_open(&h, &options);
		snprintf(id, sizeof(id), "%s", awl_session_id(h.session));
		awl_prompt(h.session, "the word is xyzzy");
		HOST_UNTIL(&h, h.results == 1);
		HOST_UNTIL(&h, awl_session_is_idle(h.session));
		awl_session_close(h.session);
		options.resume = id;
		options.skip_transcript = true;
		CHECK_RESULT(awl_session_open(&h.session, h.awl, &options, host_on_event, &h),
			     keep ? AWL_OK : AWL_ERR_NOT_FOUND);
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
	CHECK_RESULT(awl_open(&h.awl, options), AWL_OK);
	host_open(&h, &session);
	awl_prompt(h.session, "hi");
	awl_run(h.awl);
	CHECK(!awl_record_error(h.awl));
	awl_close(h.awl);
	CHECK_STR(str_c(&h.log), HOST_TURN);
	str_add(out, sv_of(&h.result));
	str_clear(&h.result);
	str_clear(&h.log);
	str_clear(&h.question);
}

static void result_text(struct str *out, const struct str *json)
{
	host_member(out, sv_of(json), "result");
}

TEST(what_was_recorded_can_be_replayed)
{
	TEMP_DIR(dir);
	PATH_IN(tape, dir, "tape.jsonl");
	PATH_IN(config, dir, "config");
	defer(str_clear) struct str first = STR_INIT, second = STR_INIT;
	defer(str_clear) struct str text = STR_INIT, repeated = STR_INIT;
	struct awl_options options = AWL_OPTIONS_INIT;

	host_forget_models();
	options.config_dir = config;
	options.record = tape;
	record_or_replay(&first, &options, str_c(&dir));
	options.record = NULL;
	options.replay = tape;
	record_or_replay(&second, &options, str_c(&dir));
	result_text(&text, &first);
	result_text(&repeated, &second);
	CHECK(strstr(str_c(&text), "No model answers here"));
	CHECK_STR(str_c(&repeated), str_c(&text));
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
