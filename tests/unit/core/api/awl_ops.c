/* What a session can be told, on the real machine: prompts, ops as JSON, answers. */
#include "core/host.h"

static int count(const struct host *h, struct sv line)
{
	struct sv rest = sv_of(&h->log), next;
	int n = 0;

	while (sv_cut_line(&rest, &next))
		n += sv_eq(next, line);
	return n;
}

/* --- ops as JSON ---------------------------------------------------------------------- */

static bool send(struct host *h, const char *json)
{
	enum awl_result result;

	HOST_CALL(h, result = awl_send(h->session, json, strlen(json)));
	return result == AWL_OK;
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
		{ "[]", "an input message must be a JSON object" },
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
		if (!strstr(awl_last_error(), cases[i].error))
			fail_msg("%s: %s", cases[i].json, awl_last_error());
	}
	CHECK_RESULT(awl_send(h.session, NULL, 0), AWL_ERR_PARSE);
	CHECK_RESULT(awl_send(h.session, "[]", 2), AWL_ERR_INVALID);
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
	CHECK_STR(str_c(&h.log), HOST_TURN);
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
		const struct awl_event *event = awl_next_event(s);
		char expected[16];

		CHECK(event != NULL);
		snprintf(expected, sizeof(expected), "%d", i);
		CHECK_STR(awl_event_request_id(event), expected);
	}
}

TEST(events_are_taken_in_order_however_many_wait)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	int sent = 0, taken = 0;

	CHECK_RESULT(awl_session_open(&h.session, h.awl, &options, NULL, NULL), AWL_OK);
	for (int round = 1; round < 60; round++) {
		int n = round * 7 % 31; /* now more come, now more are taken */

		for (int i = 0; i < 15; i++) {
			defer(str_clear) struct str request = STR_INIT;

			str_addf(&request,
				 "{\"type\":\"control_request\",\"request_id\":\"%d\","
				 "\"request\":{\"subtype\":\"get_settings\"}}",
				 sent++);
			CHECK(send(&h, str_c(&request)));
		}
		n = min_of(n, sent - taken);
		take_replies(h.session, taken, n);
		taken += n;
	}
	take_replies(h.session, taken, sent - taken);
	CHECK(!awl_next_event(h.session));
}

/* --- what waits ------------------------------------------------------------------------ */

TEST(a_command_waits_for_the_turn_and_leaves_the_session_idle)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	awl_prompt(h.session, "hi");
	awl_prompt(h.session, "/help");
	awl_run(h.awl);
	CHECK_INT(h.results, 2);
	CHECK(strstr(str_c(&h.result), "\"local_command\":\"help\""));
	CHECK(sv_ends(sv_of(&h.log), SV("result success\nassistant\nresult success\n"
					"system session_state_changed idle\n")));
	CHECK_INT(count(&h, SV("system session_state_changed idle")), 1);
}

/* Each kind of thing that may wait, before and after each other one. */
TEST(whatever_waits_behind_whatever_is_dealt_with)
{
	static const char *const kinds[] = { USER("\"/help\"", ""),
					     USER("\"know this\"", ",\"shouldQuery\":false"),
					     USER("\"hi\"", "") };

	for (size_t i = 0; i < countof(kinds) * countof(kinds); i++) {
		HOST(h, "reply forever\n text \"hello\"\n");

		host_open(&h, NULL);
		CHECK(send(&h, kinds[i / countof(kinds)]));
		CHECK(send(&h, kinds[i % countof(kinds)]));
		CHECK(send(&h, kinds[0]));
		HOST_UNTIL(&h, awl_session_is_idle(h.session));
		for (int k = 0; k < 3; k++)
			awl_dispatch(h.awl);
		CHECK(strstr(str_c(&h.result), "\"local_command\":\"help\"")); /* the last */
		CHECK(!host_has(&h, "changed running") ||
		      sv_ends(sv_of(&h.log), SV("changed idle\n")));
	}
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
	options.send_questions = true;
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
