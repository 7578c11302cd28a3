#include "model/script/record.h"

#include "tape.h"
#include "text/json/json.h"

#define ASK    "{\"model\":\"m\",\"messages\":[],\"stream\":true}"
#define BEGINS "{\"type\":\"recording\",\"version\":1,\"wall\":1767323045000}\n"

static void ask(struct listener *l, const char *body, struct http_request request)
{
	struct call c = { .op = NULL };

	call_start(&c, l, "a", body, request);
	listener_run(l);
	CHECK_INT(c.dones, 1);
}

static void check_file(struct listener *l, const char *expected, int line)
{
	test_check_sv(sim_get(l->world, "/tape"), sv_cstr(expected), __FILE__, line);
}

#define CHECK_FILE(listener, expected) check_file(&(listener), expected, __LINE__)

TEST(an_exchange_is_written_down_with_its_times)
{
	LISTENER(l);
	struct http_header header = { .name = SV("accept"), .value = SV("text/event-stream") };

	listener_script(&l, "reply\n delay 5ms\n begin\n raw ab\n delay 7ms\n raw \"c\\nd\"\n");
	listener_record(&l, &no_secrets);
	ask(&l, "{\"messages\":[]}", (struct http_request){ .headers = &header, .nheaders = 1 });
	CHECK_FILE(
		l, BEGINS
		"{\"type\":\"request\",\"id\":1,\"method\":\"POST\",\"url\":\"https://model.test/"
		"v1/messages?beta=true\",\"headers\":[[\"accept\",\"text/event-stream\"]],"
		"\"text\":\"{\\\"messages\\\":[]}\"}\n"
		"{\"type\":\"head\",\"id\":1,\"ms\":5,\"status\":200,\"headers\":[[\"content-"
		"type\","
		"\"application/json\"],[\"request-id\",\"req_script_0001\"]]}\n"
		"{\"type\":\"body\",\"id\":1,\"ms\":5,\"text\":\"ab\"}\n"
		"{\"type\":\"body\",\"id\":1,\"ms\":12,\"text\":\"c\\nd\"}\n"
		"{\"type\":\"end\",\"id\":1,\"ms\":12}\n");
	CHECK_STR(str_c(&l.log), "@5 a head 200\n@5 a 'ab'\n@12 a 'c\nd'\n@12 a done\n");
}

TEST(a_failure_is_written_down_by_its_kind)
{
	LISTENER(l);

	listener_script(&l, "reply\n raw abc\n reset after 2\n");
	listener_record(&l, &no_secrets);
	ask(&l, ASK, (struct http_request){ .nheaders = 0 });
	CHECK(sv_ends(
		sim_get(l.world, "/tape"),
		SV("{\"type\":\"body\",\"id\":1,\"ms\":0,\"text\":\"ab\"}\n"
		   "{\"type\":\"end\",\"id\":1,\"ms\":0,\"error\":{\"kind\":\"reset\",\"text\":"
		   "\"the connection was reset during the response\"}}\n")));
}

TEST(bytes_that_are_no_text_are_kept_as_base64)
{
	LISTENER(l);

	listener_script(&l, "reply\n raw \"\\xe2\\x82\\xac\"\n split 1\n");
	listener_record(&l, &no_secrets);
	ask(&l, ASK, (struct http_request){ .nheaders = 0 });
	CHECK(sv_find(sim_get(l.world, "/tape"), SV("\"base64\":\"4g==\"}")) != SIZE_MAX);
	CHECK(sv_find(sim_get(l.world, "/tape"), SV("\"base64\":\"gqw=\"}")) != SIZE_MAX);
}

TEST(no_credential_is_written_down)
{
	static const struct http_header headers[] = {
		{ SV_INIT("Authorization"), SV_INIT("Bearer SECRET-1") },
		{ SV_INIT("X-Api-Key"), SV_INIT("SECRET-2") },
		{ SV_INIT("api-key"), SV_INIT("SECRET-3") },
		{ SV_INIT("Cookie"), SV_INIT("a=SECRET-4") },
		{ SV_INIT("x-amz-security-token"), SV_INIT("SECRET-5") },
		{ SV_INIT("x-goog-api-key"), SV_INIT("SECRET-6") },
		{ SV_INIT("Proxy-Authorization"), SV_INIT("SECRET-7") },
		{ SV_INIT("x-custom"), SV_INIT("prefix SECRET-KEY-8") },
		{ SV_INIT("anthropic-version"), SV_INIT("2023-06-01") },
	};
	LISTENER(l);
	defer(redact_clear) struct redact secrets = REDACT_INIT;
	struct sv file;

	redact_add(&secrets, SV("SECRET-KEY-8"));
	redact_add(&secrets, SV("short"));
	listener_script(&l, "reply\n header set-cookie: SECRET-9\n header x-a: a SECRET-KEY-8\n"
			    " header anthropic-ratelimit-tokens-limit: 5\n"
			    " raw \"you said SECRET-KEY-8 short\"\n");
	listener_record(&l, &secrets);
	ask(&l, "{\"messages\":[\"my key is SECRET-KEY-8\"]}",
	    (struct http_request){
		    .url = "https://user:SECRET-0@model.test/v1/messages?key=SECRET-1&alt=sse",
		    .headers = headers,
		    .nheaders = countof(headers) });
	file = sim_get(l.world, "/tape");
	CHECK(sv_find(file, SV("SECRET")) == SIZE_MAX);
	CHECK(sv_find(file, SV("[\"anthropic-version\",\"2023-06-01\"]")) != SIZE_MAX);
	CHECK(sv_find(file, SV("[\"x-custom\",\"prefix [redacted]\"]")) != SIZE_MAX);
	CHECK(sv_find(file, SV("[\"anthropic-ratelimit-tokens-limit\",\"5\"]")) != SIZE_MAX);
	CHECK(sv_find(file, SV("you said [redacted] short")) != SIZE_MAX);
	CHECK(sv_find(file, SV("my key is [redacted]")) != SIZE_MAX);
	CHECK(sv_find(file,
		      SV("https://[redacted]@model.test/v1/messages?key=[redacted]&alt=sse")) !=
	      SIZE_MAX);
	/* The one who asked gets what was sent. */
	CHECK(sv_find(sv_of(&l.log), SV("you said SECRET-KEY-8")) != SIZE_MAX);
}

TEST(a_note_is_written_between_the_exchanges_without_secrets)
{
	LISTENER(l);
	defer(redact_clear) struct redact secrets = REDACT_INIT;

	redact_add(&secrets, SV("SECRET-KEY-8"));
	listener_script(&l, "reply\n raw x\n");
	listener_record(&l, &secrets);
	record_note(l.transport, "surroundings", SV("on Monday\nwith SECRET-KEY-8"));
	record_note(l.transport, "bytes", sv_from("\xe2", 1));
	CHECK_FILE(l, BEGINS "{\"type\":\"note\",\"name\":\"surroundings\","
			     "\"text\":\"on Monday\\nwith [redacted]\"}\n"
			     "{\"type\":\"note\",\"name\":\"bytes\",\"base64\":\"4g==\"}\n");
	ask(&l, ASK, (struct http_request){ .nheaders = 0 });
	CHECK(sv_find(sim_get(l.world, "/tape"), SV("{\"type\":\"request\",\"id\":1,")) !=
	      SIZE_MAX);
}

TEST(exchanges_that_run_side_by_side_stand_mixed_under_their_numbers)
{
	LISTENER(l);
	struct call a = { .op = NULL }, b = { .op = NULL };
	defer(str_clear) struct str order = STR_INIT;
	struct sv rest, line;

	listener_script(&l, "reply\n raw a\n delay 5ms\n raw A\nreply\n delay 2ms\n raw b\n");
	listener_record(&l, &no_secrets);
	call_start(&a, &l, "a", ASK, (struct http_request){ .nheaders = 0 });
	call_start(&b, &l, "b", ASK, (struct http_request){ .nheaders = 0 });
	listener_run(&l);
	rest = sim_get(l.world, "/tape");
	while (sv_cut_line(&rest, &line)) {
		struct err err = ERR_INIT;
		struct json_doc *doc = json_parse(line, 0, &err);

		CHECK_OK(doc != NULL, err);
		str_addf(&order, "%lld", (long long)json_int_or(json_get(json_root(doc), "id"), 0));
		json_doc_free(doc);
	}
	CHECK_STR(str_c(&order), "01211222"
				 "11");
}

TEST(a_cancelled_exchange_ends_once_and_is_written_down_after_any_step)
{
	bool natural = false;

	for (size_t k = 0; !natural; k++) {
		LISTENER(l);
		struct call c = { .op = NULL };

		listener_script(&l, "reply\n raw ab\n delay 7ms\n raw cd\n");
		listener_record(&l, &no_secrets);
		call_start(&c, &l, "a", ASK, (struct http_request){ .nheaders = 0 });
		natural = sim_run(l.world, k);
		op_cancel(c.op);
		listener_run(&l);
		CHECK_INT(c.dones, 1);
		CHECK_INT(sim_live_ops(l.world), 0);
		CHECK(sv_find(sim_get(l.world, "/tape"), SV("\"type\":\"end\"")) != SIZE_MAX);
	}
}

static void on_error(void *owner, const struct err *why)
{
	CHECK_ERR(*why, ERR_FULL, "/tape");
	++*(int *)owner;
}

TEST(a_full_disk_is_told_once_and_does_not_disturb_the_exchange)
{
	LISTENER(l);
	int errors = 0;
	struct record_opts opts = {
		.path = "/tape", .secrets = &no_secrets, .on_error = on_error, .owner = &errors
	};
	struct err err = ERR_INIT;

	listener_script(&l, "reply\n raw ab\n raw cd\n");
	l.transport = transport_record(sim_loop(l.world), l.transport, &opts, &err);
	CHECK_OK(l.transport != NULL, err);
	sim_set_space(l.world, 10);
	ask(&l, ASK, (struct http_request){ .nheaders = 0 });
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'ab'\n@0 a 'cd'\n@0 a done\n");
	CHECK_INT(errors, 1);
	CHECK_FILE(l, BEGINS);
}

TEST(a_file_that_cannot_be_opened_is_named)
{
	LISTENER(l);
	struct record_opts opts = { .path = "/no/tape", .secrets = &no_secrets };
	struct err err = ERR_INIT;

	listener_script(&l, "reply\n");
	l.transport = transport_record(sim_loop(l.world), l.transport, &opts, &err);
	CHECK(!l.transport);
	CHECK_ERR(err, ERR_NOT_FOUND, "/no/tape");
}

TEST(a_reader_may_pause_through_the_recorder)
{
	LISTENER(l);
	struct call c = { .op = NULL };

	listener_script(&l, "reply\n delay 1ms\n raw x\n");
	listener_record(&l, &no_secrets);
	call_start(&c, &l, "a", ASK, (struct http_request){ .nheaders = 0 });
	l.transport->pause(l.transport, c.op, true);
	sim_advance(l.world, 1000);
	CHECK_INT(l.log.len, 0);
	l.transport->pause(l.transport, c.op, false);
	listener_run(&l);
	CHECK_STR(str_c(&l.log), "@1000 a head 200\n@1000 a 'x'\n@1000 a done\n");
}
