/* The public interface: what an event says without a JSON parser, result codes, and control
 * requests with their replies. */
#include "core/host.h"

/* --- result codes -------------------------------------------------------------------- */

TEST(every_result_has_a_name_of_its_own)
{
	for (int i = 0; i <= AWL_ERR_LIMIT; i++) {
		CHECK(*awl_result_name((enum awl_result)i));
		for (int k = 0; k < i; k++)
			CHECK(strcmp(awl_result_name((enum awl_result)i),
				     awl_result_name((enum awl_result)k)) != 0);
	}
	CHECK_STR(awl_result_name((enum awl_result)1000), "failed");
	CHECK_STR(awl_result_name(AWL_ERR_TOO_LARGE), "too-large");
}

/* A program built with a header whose structure has one more member. */
struct newer_options {
	struct awl_options known;
	const char *unknown;
};

TEST(a_newer_structure_is_accepted_only_while_what_is_new_in_it_is_zero)
{
	struct newer_options options = { .known = AWL_OPTIONS_INIT };
	struct awl *awl;
	TEMP_DIR(dir);

	host_forget_models();
	options.known.size = sizeof(options);
	options.known.config_dir = str_c(&dir);
	CHECK_RESULT(awl_open(&awl, &options.known), AWL_OK);
	awl_close(awl);
	options.unknown = "forbid everything";
	CHECK_RESULT(awl_open(&awl, &options.known), AWL_ERR_UNSUPPORTED);
	CHECK(!awl);
	CHECK(strstr(awl_last_error(), "AWL_OPTIONS_INIT"));
}

/* --- accessors ------------------------------------------------------------------------- */

#define USES_A_TOOL                                                               \
	"reply when result_of contains Bash\n text \"first\"\n text \"second\"\n" \
	"reply\n thinking \"hm\"\n tool Bash {\"command\":\"echo out; exit 3\"}\n"

struct seen {
	struct str calls, results, texts, thoughts, stream;
	int64_t input, output;
	char id[64];
	int kinds[AWL_EVENT_HOOK + 1];
};

static void seen_clear(struct seen *s)
{
	str_clear(&s->calls);
	str_clear(&s->results);
	str_clear(&s->texts);
	str_clear(&s->thoughts);
	str_clear(&s->stream);
}

static void see(void *arg, struct awl_session *session, const struct awl_event *event)
{
	struct seen *s = arg;
	enum awl_event_kind kind = awl_event_kind(event);

	s->kinds[kind]++;
	if (kind != AWL_EVENT_REPLY)
		CHECK_STR(awl_event_session_id(event), awl_session_id(session));
	CHECK_STR(awl_event_parent_tool_use_id(event), "");
	if (kind == AWL_EVENT_STREAM)
		str_adds(&s->stream, awl_event_text(event));
	if (kind == AWL_EVENT_ASSISTANT && *awl_event_tool_name(event)) {
		str_addf(&s->calls, "%s %s", awl_event_tool_name(event),
			 awl_event_tool_input(event));
		CHECK_STR(awl_event_tool_input(event), awl_event_tool_input(event));
		snprintf(s->id, sizeof(s->id), "%s", awl_event_tool_use_id(event));
	} else if (kind == AWL_EVENT_ASSISTANT) {
		str_addf(&s->texts, "%s;", awl_event_text(event));
		str_adds(&s->thoughts, awl_event_thinking(event));
	} else if (kind == AWL_EVENT_USER) {
		CHECK(awl_event_is_error(event));
		CHECK_RESULT(awl_event_result(event), AWL_ERR_FAILED);
		CHECK_STR(awl_event_tool_use_id(event), s->id);
		str_adds(&s->results, awl_event_text(event));
	} else if (kind == AWL_EVENT_RESULT) {
		CHECK_INT(strlen(awl_event_uuid(event)), 36);
		CHECK_STR(awl_event_text(event), "second");
		CHECK_INT(awl_event_num_turns(event), 2);
		CHECK(awl_event_duration_ms(event) >= 0);
		CHECK(awl_event_cost_usd(event) >= 0);
		s->input = awl_event_tokens(event, AWL_TOKENS_INPUT);
		s->output = awl_event_tokens(event, AWL_TOKENS_OUTPUT);
		CHECK_INT(awl_event_tokens(event, (enum awl_tokens)9), 0);
	}
}

TEST(a_program_without_a_json_parser_follows_a_turn)
{
	HOST(h, USES_A_TOOL);
	struct awl_session_options options = host_options(&h);
	defer(seen_clear) struct seen s = { .id = "" };

	options.tools = "Bash";
	options.permission_mode = "bypassPermissions";
	options.send_partial_messages = true;
	CHECK_RESULT(awl_session_open(&h.session, h.awl, &options, see, &s), AWL_OK);
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, s.kinds[AWL_EVENT_RESULT] == 1);
	CHECK_INT(s.kinds[AWL_EVENT_INIT], 1);
	CHECK_STR(str_c(&s.calls), "Bash {\"command\":\"echo out; exit 3\"}");
	CHECK(strstr(str_c(&s.results), "out"));
	CHECK_STR(str_c(&s.texts), ";first;second;");
	CHECK_STR(str_c(&s.thoughts), "hm");
	CHECK_STR(str_c(&s.stream), "firstsecond");
	CHECK(s.input > 0 && s.output > 0);
}

TEST(a_question_says_what_it_is_about)
{
	HOST(h, "reply when tool_error\n text \"pity\"\n"
		"reply\n tool Write {\"file_path\":\"a.txt\",\"content\":\"A\"}\n");
	struct awl_session_options options = host_options(&h);
	defer(str_clear) struct str input = STR_INIT;
	const struct awl_event *event;
	struct awl_session *s;

	options.tools = "default";
	options.send_questions = true;
	CHECK_RESULT(awl_session_open(&s, h.awl, &options, NULL, NULL), AWL_OK);
	awl_prompt(s, "write");
	do {
		while (!(event = awl_next_event(s)))
			host_wait(&h);
	} while (awl_event_kind(event) != AWL_EVENT_QUESTION);
	CHECK_STR(awl_event_tool_name(event), "Write");
	str_addf(&input, "{\"file_path\":\"%s/a.txt\",\"content\":\"A\"}", str_c(&h.dir));
	CHECK_STR(awl_event_tool_input(event), input.ptr);
	CHECK(*awl_event_request_id(event) && *awl_event_tool_use_id(event));
	CHECK(*awl_event_text(event));
	awl_answer(s, awl_event_request_id(event), false, NULL);
	do {
		while (!(event = awl_next_event(s)))
			host_wait(&h);
	} while (awl_event_kind(event) != AWL_EVENT_RESULT);
	CHECK_STR(awl_event_text(event), "pity");
	CHECK_RESULT(awl_event_result(event), AWL_OK);
	CHECK_STR(awl_event_request_id(event), "");
}

/* Waits for an event of this kind. */
static const struct awl_event *next_of(struct host *h, enum awl_event_kind kind)
{
	const struct awl_event *event;

	do {
		while (!(event = awl_next_event(h->session)))
			host_wait(h);
	} while (awl_event_kind(event) != kind);
	return event;
}

TEST(an_answer_may_change_the_input_and_add_rules)
{
	HOST(h, "reply when result_of contains Write and prompt is more\n text \"done\"\n"
		"reply when result_of contains Write\n text \"written\"\n"
		"reply\n tool Write {\"file_path\":\"a.txt\",\"content\":\"A\"}\n");
	struct awl_session_options options = host_options(&h);
	defer(str_clear) struct str answer = STR_INIT;
	const struct awl_event *event;
	PATH_IN(path, h.dir, "a.txt");

	options.tools = "default";
	options.send_questions = true;
	CHECK_RESULT(awl_session_open(&h.session, h.awl, &options, NULL, NULL), AWL_OK);
	awl_prompt(h.session, "write");
	event = next_of(&h, AWL_EVENT_QUESTION);
	CHECK(*awl_event_suggestions(event) == '[');
	CHECK_RESULT(awl_answer_json(h.session, awl_event_request_id(event), "{"), AWL_ERR_PARSE);
	CHECK_RESULT(awl_answer_json(h.session, awl_event_request_id(event), "{}"),
		     AWL_ERR_INVALID);
	str_addf(&answer,
		 "{\"behavior\":\"allow\",\"updatedInput\":{\"file_path\":\"%s\","
		 "\"content\":\"B\"},\"updatedPermissions\":%s}",
		 path, awl_event_suggestions(event));
	CHECK_RESULT(awl_answer_json(h.session, awl_event_request_id(event), str_c(&answer)),
		     AWL_OK);
	CHECK_STR(awl_event_text(next_of(&h, AWL_EVENT_RESULT)), "written");
	CHECK_FILE(path, "B");
}

TEST(the_result_of_a_turn_has_a_code)
{
	static const struct {
		const char *script;
		enum awl_result result;
	} cases[] = {
		{ "reply\n text \"x\"\n", AWL_OK },
		{ "fail 401 authentication_error \"no\"\n", AWL_ERR_CREDENTIALS },
		{ "fail 404 not_found_error \"no\"\n", AWL_ERR_NOT_FOUND },
		{ "fail 400 invalid_request_error \"no\"\n", AWL_ERR_INVALID },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		HOST(h, cases[i].script);

		host_open(&h, NULL);
		awl_prompt(h.session, "hi");
		HOST_UNTIL(&h, h.results == 1);
		if (h.outcome != cases[i].result)
			fail_msg("%s: %s", cases[i].script, awl_result_name(h.outcome));
	}
}

TEST(an_interrupted_turn_and_one_that_reached_a_limit_have_codes_too)
{
	HOST(h, "reply forever\n tool Bash {\"command\":\"true\"}\n");
	struct awl_session_options options = host_options(&h);

	options.tools = "Bash";
	options.permission_mode = "bypassPermissions";
	options.max_turns = 1;
	host_open(&h, &options);
	awl_prompt(h.session, "hi");
	HOST_UNTIL(&h, h.results == 1);
	CHECK_RESULT(h.outcome, AWL_ERR_LIMIT);
	awl_prompt(h.session, "hi");
	awl_interrupt(h.session);
	HOST_UNTIL(&h, h.results == 2);
	CHECK_RESULT(h.outcome, AWL_ERR_CANCELLED);
}

/* --- control requests --------------------------------------------------------------------- */

struct replies {
	struct host *host;
	struct str log;
	bool closes; /* the session, from inside the callback */
};

static void on_reply(void *arg, struct awl_session *session, const struct awl_event *reply)
{
	struct replies *r = arg;

	CHECK(!r->host->is_calling);
	CHECK(session == r->host->session);
	if (!reply)
		str_adds(&r->log, "closed;");
	else if (awl_event_is_error(reply))
		str_addf(&r->log, "error %s;", awl_event_text(reply));
	else
		str_addf(&r->log, "%s;", awl_event_response(reply));
	if (r->closes)
		awl_session_close(session);
}

#define REPLIES(name, h) struct replies name = { .host = &(h), .log = STR_INIT }

TEST(a_reply_goes_to_the_callback_of_its_request_and_to_nobody_else)
{
	HOST(h, NULL);
	REPLIES(r, h);

	host_open(&h, NULL);
	HOST_CALL(&h, CHECK_RESULT(awl_request(h.session,
					       "{\"subtype\":\"set_permission_mode\",\"mode\":"
					       "\"plan\"}",
					       on_reply, &r),
				   AWL_OK));
	CHECK_RESULT(awl_request(h.session, "{\"subtype\":\"nonsense\"}", on_reply, &r), AWL_OK);
	CHECK_RESULT(awl_request(h.session, "{\"subtype\":\"interrupt\"}", NULL, NULL), AWL_OK);
	CHECK_INT(r.log.len, 0);
	awl_run(h.awl);
	CHECK_STR(str_c(&r.log), "{\"mode\":\"plan\"};"
				 "error Unsupported control request subtype: nonsense;");
	CHECK(!host_has(&h, "control_response"));
	CHECK_STR(awl_session_permission_mode(h.session), "plan");
	str_clear(&r.log);
}

TEST(replies_are_delivered_without_a_callback_for_events_too)
{
	HOST(h, NULL);
	struct awl_session_options options = host_options(&h);
	REPLIES(r, h);

	CHECK_RESULT(awl_session_open(&h.session, h.awl, &options, NULL, NULL), AWL_OK);
	CHECK_RESULT(awl_set_permission_mode(h.session, "plan"), AWL_OK);
	CHECK_RESULT(awl_request(h.session, "{\"subtype\":\"interrupt\"}", on_reply, &r), AWL_OK);
	CHECK_RESULT(awl_set_permission_mode(h.session, "default"), AWL_OK);
	awl_run(h.awl);
	CHECK_STR(str_c(&r.log), "{\"still_queued\":[]};");
	CHECK_INT(awl_event_kind(awl_next_event(h.session)), AWL_EVENT_STATUS);
	CHECK_INT(awl_event_kind(awl_next_event(h.session)), AWL_EVENT_STATUS);
	CHECK(!awl_next_event(h.session));
	str_clear(&r.log);
}

TEST(a_withdrawn_request_gets_no_reply_even_one_that_is_due)
{
	HOST(h, NULL);
	REPLIES(kept, h);
	REPLIES(due, h);
	REPLIES(r, h);

	host_open(&h, NULL);
	CHECK_RESULT(awl_request(h.session, "{\"subtype\":\"interrupt\"}", on_reply, &kept),
		     AWL_OK);
	CHECK_RESULT(awl_request(h.session, "{\"subtype\":\"interrupt\"}", on_reply, &due), AWL_OK);
	CHECK_RESULT(awl_request(h.session,
				 "{\"subtype\":\"call_tool\",\"tool\":\"Bash\",\"arguments\":"
				 "{\"command\":\"sleep 1000\"}}",
				 on_reply, &r),
		     AWL_OK);
	awl_cancel_request(h.session, on_reply, &due);
	awl_cancel_request(h.session, on_reply, &r);
	awl_run(h.awl);
	CHECK_STR(str_c(&kept.log), "{\"still_queued\":[]};");
	CHECK_INT(due.log.len + r.log.len, 0);
	CHECK(!host_has(&h, "control_response"));
	str_clear(&kept.log);
}

TEST(what_is_not_a_request_is_refused)
{
	static const char *const cases[] = { "", "7", "[]", "{", "{\"subtype\":7}", "{}" };
	HOST(h, NULL);
	REPLIES(r, h);

	host_open(&h, NULL);
	for (size_t i = 0; i < countof(cases); i++)
		CHECK(awl_request(h.session, cases[i], on_reply, &r) != AWL_OK);
	CHECK_RESULT(awl_request(h.session, "{", on_reply, &r), AWL_ERR_PARSE);
	CHECK_RESULT(awl_request(h.session, "{}", on_reply, &r), AWL_ERR_INVALID);
	awl_run(h.awl);
	CHECK_INT(h.events + (int)r.log.len, 0);
}

TEST(every_request_hears_that_its_session_was_closed)
{
	for (int engine = 0; engine < 2; engine++) {
		HOST(h, NULL);
		REPLIES(r, h);

		host_open(&h, NULL);
		for (int i = 0; i < 3; i++)
			CHECK_RESULT(
				awl_request(h.session, "{\"subtype\":\"interrupt\"}", on_reply, &r),
				AWL_OK);
		r.closes = !engine; /* after the first reply */
		if (engine)
			awl_close(h.awl);
		else
			awl_run(h.awl);
		if (engine)
			h.awl = NULL;
		CHECK_STR(str_c(&r.log), engine ? "closed;closed;closed;"
						: "{\"still_queued\":[]};closed;closed;");
		str_clear(&r.log);
	}
}

/* --- model and mode ----------------------------------------------------------------------- */

TEST(model_and_mode_can_be_read_and_changed)
{
	HOST(h, NULL);

	host_open(&h, NULL);
	CHECK_STR(awl_session_model(h.session), "demo");
	CHECK_STR(awl_session_permission_mode(h.session), "default");
	CHECK_RESULT(awl_set_permission_mode(h.session, "plan"), AWL_OK);
	CHECK_STR(awl_session_permission_mode(h.session), "plan");
	CHECK_RESULT(awl_set_permission_mode(h.session, "yolo"), AWL_ERR_INVALID);
	CHECK_RESULT(awl_set_permission_mode(h.session, "bypassPermissions"), AWL_ERR_DENIED);
	CHECK_STR(awl_session_permission_mode(h.session), "plan");
	CHECK_RESULT(awl_set_model(h.session, "claude-opus-4-1"), AWL_OK);
	CHECK_STR(awl_session_model(h.session), "claude-opus-4-1");
	CHECK_RESULT(awl_set_model(h.session, ""), AWL_OK);
	CHECK_STR(awl_session_model(h.session), "demo");
	awl_run(h.awl);
	CHECK_INT(h.events, 1); /* the mode */
}
