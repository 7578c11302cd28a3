#include "model/script/replay.h"

#include "model/script/request_diff.h"
#include "tape.h"

static void body_of(struct str *out, const char *text)
{
	str_addf(out,
		 "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\","
		 "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}]}",
		 text);
}

/* Asks with a user's text, and runs to the end. */
static void send_text(struct listener *l, const char *name, const char *text)
{
	defer(str_clear) struct str body = STR_INIT;
	struct call c = { .op = NULL };

	body_of(&body, text);
	call_start(&c, l, name, str_c(&body), (struct http_request){ .nheaders = 0 });
	listener_run(l);
	CHECK_INT(c.dones, 1);
}

static const char session[] =
	"reply when prompt is one\n delay 5ms\n raw \"\\xe2\\x82\\xac a\"\n"
	" split 1 pause 3ms\n"
	"fail 529 overloaded_error \"Later\" when prompt is two\n"
	"reply when prompt is two\n raw abc\n delay 2ms\n reset after 2\n"
	"reply when prompt is two\n stall forever\n"
	"reply when prompt is two\n text \"there\"\n usage input=1 output=2\n";

static void record_session(struct listener *l)
{
	listener_script(l, session);
	listener_record(l, &no_secrets);
	send_text(l, "a", "one");
	for (int i = 0; i < 4; i++)
		send_text(l, "a", "two");
}

/* What the owner of a request was told, without the times. */
static void read_log(struct str *out, struct listener *l)
{
	listener_lines(out, l, "a");
}

TEST(a_recorded_run_is_replayed_byte_for_byte_with_its_failures_in_no_time)
{
	LISTENER(l);
	defer(str_clear) struct str before = STR_INIT, after = STR_INIT;
	int64_t began;

	record_session(&l);
	read_log(&before, &l);
	CHECK(strstr(str_c(&before), "failed reset") != NULL);
	CHECK(strstr(str_c(&before), "failed timeout-first-byte") != NULL);
	listener_replay(&l, (struct replay_opts){ .in_order = true });
	began = sim_elapsed(l.world);
	send_text(&l, "a", "one");
	for (int i = 0; i < 4; i++)
		send_text(&l, "a", "two");
	read_log(&after, &l);
	CHECK_STR(str_c(&after), str_c(&before));
	CHECK_INT(sim_elapsed(l.world), began);
}

TEST(a_recorded_run_is_replayed_at_its_own_speed)
{
	LISTENER(l);
	defer(str_clear) struct str before = STR_INIT;

	listener_script(&l, session);
	listener_record(&l, &no_secrets);
	send_text(&l, "a", "one");
	str_add(&before, sv_of(&l.log));
	listener_replay(&l, (struct replay_opts){ .timed = true });
	sim_advance(l.world, 100 - sim_elapsed(l.world));
	send_text(&l, "a", "one");
	CHECK_STR(str_c(&before), "@5 a head 200\n@5 a '\xe2'\n@8 a '\x82\xac a'\n@8 a done\n");
	CHECK_STR(str_c(&l.log),
		  "@105 a head 200\n@105 a '\xe2'\n@108 a '\x82\xac a'\n@108 a done\n");
}

TEST(requests_that_ran_at_the_same_time_may_come_in_another_order)
{
	LISTENER(l);
	defer(str_clear) struct str out = STR_INIT;

	listener_script(&l, "reply when prompt is x\n raw X\nreply when prompt is y\n raw Y\n");
	listener_record(&l, &no_secrets);
	send_text(&l, "a", "x");
	send_text(&l, "a", "y");
	listener_replay(&l, (struct replay_opts){ .timed = false });
	send_text(&l, "a", "y");
	send_text(&l, "a", "x");
	read_log(&out, &l);
	CHECK_STR(str_c(&out), "head 200\n'Y'\ndone\nhead 200\n'X'\ndone\n");
	listener_replay(&l, (struct replay_opts){ .in_order = true });
	send_text(&l, "a", "y");
	CHECK(strstr(str_c(&l.log), "failed stale: the request differs from recorded request 1"));
}

TEST(a_request_that_differs_is_told_with_its_first_difference)
{
	LISTENER(l);

	listener_script(&l, "reply forever\n raw X\n");
	listener_record(&l, &no_secrets);
	send_text(&l, "a", "please count the files in this directory, all of them");
	listener_replay(&l, (struct replay_opts){ .timed = false });
	send_text(&l, "a", "please count the files in this repository, all of them");
	CHECK_STR(
		strstr(str_c(&l.log), "failed"),
		"failed stale: the request differs from recorded request 1: "
		"messages[0].content[0].text: recorded \"...les in this directory, all of them\", "
		"now \"...les in this repository, all of them\"\n");
	CHECK_SV(replay_difference(l.transport),
		 "--- recorded\n+++ now\n@@ -8,5 +8,5 @@\n"
		 "         {\n"
		 "           \"type\": \"text\",\n"
		 "-          \"text\": \"please count the files in this directory, all of them\"\n"
		 "+          \"text\": \"please count the files in this repository, all of them\"\n"
		 "         }\n"
		 "       ]\n");
	/* It is not used up by that. */
	send_text(&l, "a", "please count the files in this directory, all of them");
	CHECK_SV(replay_difference(l.transport), "");
	send_text(&l, "a", "more");
	CHECK(strstr(str_c(&l.log),
		     "the recording has no more requests: all 1 have been replayed"));
}

TEST(a_secret_that_was_replaced_is_replaced_in_what_is_compared)
{
	LISTENER(l);
	defer(redact_clear) struct redact old = REDACT_INIT, new = REDACT_INIT;

	redact_add(&old, SV("first-secret"));
	redact_add(&new, SV("second-secret"));
	listener_script(&l, "reply forever\n raw X\n");
	listener_record(&l, &old);
	send_text(&l, "a", "my first-secret");
	listener_replay(&l, (struct replay_opts){ .secrets = &new });
	send_text(&l, "a", "my second-secret");
	CHECK(strstr(str_c(&l.log), "'X'"));
}

TEST(requests_without_a_body_are_told_apart_by_their_path)
{
	LISTENER(l);
	struct call c = { .op = NULL };

	listener_script(&l, "model x\nreply\n");
	listener_record(&l, &no_secrets);
	call_start(&c, &l, "a", "",
		   (struct http_request){ .url = "http://a/v1/models?key=k", .method = "GET" });
	listener_run(&l);
	listener_replay(&l, (struct replay_opts){ .timed = false });
	call_start(&c, &l, "a", "",
		   (struct http_request){ .url = "http://b/v1/models", .method = "GET" });
	listener_run(&l);
	CHECK(strstr(str_c(&l.log), "recorded GET /v1/models?key=[redacted], now GET /v1/models"));
	call_start(&c, &l, "b", "",
		   (struct http_request){ .url = "http://b/v1/models?key=z", .method = "GET" });
	listener_run(&l);
	CHECK(strstr(str_c(&l.log), "b head 200"));
}

TEST(notes_of_a_name_are_given_back_one_by_one)
{
	LISTENER(l);
	struct sv first;

	listener_script(&l, "reply forever\n raw X\n");
	listener_record(&l, &no_secrets);
	record_note(l.transport, "day", SV("Monday"));
	send_text(&l, "a", "one");
	record_note(l.transport, "place", sv_from("at \xff\x00", 5));
	record_note(l.transport, "day", SV("Tuesday"));
	send_text(&l, "a", "two");
	listener_replay(&l, (struct replay_opts){ .in_order = true });
	first = replay_note(l.transport, "day");
	CHECK_SV(replay_note(l.transport, "day"), "Tuesday");
	CHECK_SV(replay_note(l.transport, "day"), "");
	CHECK_SV(replay_note(l.transport, "night"), "");
	CHECK(sv_eq(replay_note(l.transport, "place"), sv_from("at \xff\x00", 5)));
	send_text(&l, "a", "one");
	send_text(&l, "a", "two");
	CHECK_SV(first, "Monday");
}

/* --- recordings that are none -------------------------------------------- */

#define BEGINS "{\"type\":\"recording\",\"version\":1,\"wall\":0}\n"
#define HEAD   "{\"type\":\"head\",\"id\":1,\"ms\":0,\"status\":200,\"headers\":[]}\n"
#define BODY   "{\"type\":\"body\",\"id\":1,\"ms\":0,\"text\":\"x\"}\n"
#define REQUEST                                                                  \
	"{\"type\":\"request\",\"id\":1,\"method\":\"POST\",\"url\":\"http://a/" \
	"\",\"text\":\"x\"}\n"

TEST(an_answer_that_the_recording_lacks_the_end_of_breaks_off)
{
	static const char *const ends[] = { "", HEAD, HEAD BODY };

	for (size_t i = 0; i < countof(ends); i++) {
		LISTENER(l);
		defer(str_clear) struct str file = STR_INIT;
		struct call c = { .op = NULL };

		str_addf(&file, BEGINS REQUEST "%s", ends[i]);
		sim_put(l.world, "/tape", sv_of(&file));
		listener_replay(&l, (struct replay_opts){ .timed = false });
		call_start(&c, &l, "a", "x", (struct http_request){ .nheaders = 0 });
		listener_run(&l);
		CHECK(strstr(str_c(&l.log), "failed reset: the recording ends in the middle"));
	}
}

TEST(runs_appended_to_one_file_follow_each_other)
{
	LISTENER(l);
	defer(str_clear) struct str out = STR_INIT;

	for (int i = 0; i < 2; i++) {
		transport_free(l.transport);
		listener_script(&l, i ? "reply\n raw second\n" : "reply\n raw first\n");
		listener_record(&l, &no_secrets);
		send_text(&l, "a", "hi");
	}
	listener_replay(&l, (struct replay_opts){ .timed = false });
	send_text(&l, "a", "hi");
	send_text(&l, "a", "hi");
	read_log(&out, &l);
	CHECK_STR(str_c(&out), "head 200\n'first'\ndone\nhead 200\n'second'\ndone\n");
}

TEST(a_file_that_is_no_recording_is_refused_with_its_line)
{
	static const struct {
		const char *text, *what;
	} cases[] = {
		{ "", "/tape: the recording is empty" },
		{ BEGINS, "/tape: the recording is empty" },
		{ "hello\n", "/tape:1: " },
		{ BEGINS "[]\n", "/tape:2: expected an object with \"type\"" },
		{ "{\"type\":\"recording\",\"version\":2}\n",
		  "/tape:1: recording version 2 is not supported" },
		{ BEGINS "{\"type\":\"head\",\"id\":1}\n", "/tape:2: no request 1 precedes it" },
		{ BEGINS "{\"type\":\"request\",\"id\":1}\n", "/tape:2: \"method\"" },
		{ BEGINS "{\"type\":\"request\",\"id\":2,\"method\":\"GET\",\"url\":\"x\","
			 "\"text\":\"\"}\n",
		  "/tape:2: request 2 is out of order" },
		{ BEGINS REQUEST "{\"type\":\"body\",\"id\":9}\n",
		  "/tape:3: no request 9 precedes it" },
		{ BEGINS "{\"type\":\"request\",\"id\":1,\"method\":\"GET\",\"url\":\"x\","
			 "\"base64\":\"?\"}\n",
		  "/tape:2: " },
		{ BEGINS "{\"type\":\"note\",\"text\":\"x\"}\n", "/tape:2: \"name\" is missing" },
		{ BEGINS "{\"type\":\"note\",\"name\":\"x\"}\n", "/tape:2: \"base64\" is missing" },
		{ BEGINS "{\"type\":\"note\",\"name\":\"x\",\"text\":\"y\"}\n",
		  "/tape: the recording is empty" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		LISTENER(l);
		struct replay_opts opts = { .path = "/tape", .secrets = &no_secrets };
		struct err err = ERR_INIT;

		sim_put(l.world, "/tape", sv_cstr(cases[i].text));
		CHECK(!transport_replay(sim_loop(l.world), &opts, &err));
		if (!strstr(err.text, cases[i].what))
			fail_msg("%s: %s", cases[i].what, err.text);
	}
}

TEST(a_line_that_lies_about_its_bytes_fails_the_answer)
{
	LISTENER(l);
	struct call c = { .op = NULL };

	sim_put(l.world, "/tape",
		SV(BEGINS REQUEST "{\"type\":\"body\",\"id\":1,\"base64\":\"?\"}\n"));
	listener_replay(&l, (struct replay_opts){ .timed = false });
	call_start(&c, &l, "a", "x", (struct http_request){ .nheaders = 0 });
	listener_run(&l);
	CHECK(strstr(str_c(&l.log), "a failed parse: "));
}

/* --- differences --------------------------------------------------------- */

TEST(a_difference_is_named_by_its_place_in_the_json)
{
	static const struct {
		const char *old, *new, *expected;
	} cases[] = {
		{ "{\"a\":1}", "{\"a\":1}", "" },
		{ "{\"a\":1}", "{\"a\":2}", "a: recorded \"1\", now \"2\"" },
		{ "{\"a\":1}", "{}", "a: recorded \"1\", now \"nothing\"" },
		{ "{}", "{\"a\":[1]}", "a: recorded \"nothing\", now \"[1]\"" },
		{ "[1,{\"b\":\"x\"}]", "[1,{\"b\":\"y\"}]", "[1].b: recorded \"x\", now \"y\"" },
		{ "[1]", "[1,2]", "[1]: recorded \"nothing\", now \"2\"" },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}",
		  "byte 3: recorded \"{\\\"a\\\":1,\\\"b\\\":2}\", now "
		  "\"{\\\"b\\\":2,\\\"a\\\":1}\"" },
		{ "{\"a\":1}", "{\"a\": 1}",
		  "byte 6: recorded \"{\\\"a\\\":1}\", now \"{\\\"a\\\": 1}\"" },
		{ "no json", "no jsun", "byte 6: recorded \"no json\", now \"no jsun\"" },
		{ "", "x", "byte 1: recorded \"\", now \"x\"" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		request_difference(&out, sv_cstr(cases[i].old), sv_cstr(cases[i].new));
		CHECK_STR(str_c(&out), cases[i].expected);
	}
}

TEST(the_lines_of_a_diff_are_cut_around_the_difference)
{
	defer(str_clear) struct str old = STR_INIT, new = STR_INIT, out = STR_INIT;

	str_adds(&old, "{\"system\":\"");
	for (int i = 0; i < 1000; i++)
		str_adds(&old, "many words ");
	str_add(&new, sv_of(&old));
	str_adds(&old, "old");
	str_adds(&new, "new");
	for (int i = 0; i < 1000; i++) {
		str_adds(&old, " and more");
		str_adds(&new, " and more");
	}
	str_adds(&old, "\"}");
	str_adds(&new, "\"}");
	request_diff(&out, sv_of(&old), sv_of(&new));
	CHECK(out.len < 600);
	CHECK(strstr(str_c(&out), "many words old and more"));
	CHECK(strstr(str_c(&out), "many words new and more"));
}
