/* The link of streamable HTTP against scripted servers. */
#include "machine/servers.h"
#include "mcp/link/links.h"
#include "net/http.h"
#include "test.h"

#define URL  "https://mcp.example/mcp"
#define JSON "content-type: application/json"
#define SSE  "content-type: text/event-stream"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"

/* A world with one link; `log` has what the link reported. */
struct client {
	struct sim *world;
	struct http *http;
	struct mcp_link_env env;
	struct mcp_config config;
	struct op *link;
	struct str log;
	bool forgets; /* request 1, when a message comes */
};

static void on_message(void *owner, struct sv json)
{
	struct client *c = owner;

	str_addf(&c->log, "@%lld message %.*s\n", (long long)sim_elapsed(c->world), SV_ARG(json));
	if (c->forgets && sv_find(json, SV("\"id\":1")) != SIZE_MAX)
		mcp_link_forget(c->link, 1);
}

static void on_undelivered(void *owner, int64_t id, const struct mcp_failure *failure)
{
	static const char *const names[] = { "lost", "not sent", "expired", "unauthorized",
					     "refused" };
	struct client *c = owner;

	str_addf(&c->log, "@%lld %lld %s %d '%.*s'\n", (long long)sim_elapsed(c->world),
		 (long long)id, names[failure->what], failure->status, SV_ARG(failure->body));
	CHECK(failure->err && failure->err->text[0]);
}

static void on_over(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct client *c = owner;

	c->link = NULL;
	str_addf(&c->log, "over%s%s\n", why && why->kind != ERR_CANCELLED ? ": " : "",
		 why && why->kind != ERR_CANCELLED ? why->text : "");
}

static void client_init(struct client *c)
{
	static const struct mcp_link_events events = { .message = on_message,
						       .undelivered = on_undelivered };
	static const char *const env[] = { "HOME=/home/u", NULL };
	struct err err = ERR_INIT;

	*c = (struct client){ .world = sim_new(), .forgets = true };
	c->http = http_new(sim_loop(c->world), &(struct http_config){ .proxy = NULL }, &err);
	CHECK_OK(c->http != NULL, err);
	c->env = (struct mcp_link_env){ .loop = sim_loop(c->world), .http = c->http, .env = env };
	c->config = (struct mcp_config){ .name = "srv", .transport = MCP_HTTP, .url = URL };
	c->link = mcp_http_start(&c->env, &c->config, &events, THEN(on_over, c));
}

static void client_clear(struct client *c)
{
	op_cancel(c->link);
	CHECK(sim_run(c->world, SIZE_MAX));
	CHECK(!c->link);
	CHECK_INT(sim_live_ops(c->world), 0);
	http_free(c->http);
	str_clear(&c->log);
	sim_free(c->world);
}

#define CLIENT(name)                            \
	defer(client_clear) struct client name; \
	client_init(&name)

#define SERVE(client, verb, ...)                                                         \
	do {                                                                             \
		const struct sim_http_step steps_[] = { __VA_ARGS__ };                   \
		sim_http((client)->world, &(struct sim_http_rule){ .method = verb,       \
								   .url = URL,           \
								   .steps = steps_,      \
								   .n = countof(steps_), \
								   .uses = 1 });         \
	} while (0)

static void send_ping(struct client *c, bool is_initialize)
{
	mcp_link_send(c->link,
		      &(struct mcp_outgoing){
			      .json = SV("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
			      .id = 1,
			      .method = SV("ping"),
			      .is_initialize = is_initialize });
}

static void check_header(struct client *c, size_t i, const char *line, bool is_there)
{
	const struct sim_http_request *r = sim_http_received(c->world, i);

	CHECK(r != NULL);
	if ((sv_find(sv_of(&r->headers), sv_cstr(line)) != SIZE_MAX) != is_there)
		fail_msg("request %zu has %s'%s':\n%s", i, is_there ? "no " : "", line,
			 str_c(&r->headers));
}

static void run(struct client *c)
{
	CHECK(sim_run(c->world, SIZE_MAX));
}

TEST(a_message_is_posted_and_its_answer_is_delivered)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON) }, { SIM_HTTP_BODY, 0, SV(PONG) });
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 message " PONG "\n");
	check_header(&c, 0, "Accept: application/json, text/event-stream\n", true);
	check_header(&c, 0, "Content-Type: application/json\n", true);
	check_header(&c, 0, "Mcp-Session-Id", false);
	check_header(&c, 0, "MCP-Protocol-Version", false);
	check_header(&c, 0, "Mcp-Method", false);
}

TEST(an_event_stream_brings_notifications_and_the_answer)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("data: {\"method\":\"n\"}\n\n: comment\n\n") },
	      { SIM_HTTP_WAIT, 7, SV("") }, { SIM_HTTP_BODY, 0, SV("data: " PONG "\n\n") });
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 message {\"method\":\"n\"}\n@7 message " PONG "\n");
}

TEST(a_batch_is_delivered_one_by_one)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON) },
	      { SIM_HTTP_BODY, 0, SV(" [{\"method\":\"n\"}, " PONG "]\n") });
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 message {\"method\":\"n\"}\n@0 message " PONG "\n");
}

TEST(a_session_is_named_in_every_request_and_deleted_at_the_end)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON "\nmcp-session-id: s1") },
	      { SIM_HTTP_BODY, 0, SV(PONG) });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 202, SV("") });
	SERVE(&c, "GET", { SIM_HTTP_HEAD, 405, SV("") });
	SERVE(&c, "DELETE", { SIM_HTTP_HEAD, 200, SV("") });
	send_ping(&c, true);
	run(&c);
	mcp_link_agreed(c.link, "2025-11-25", false);
	mcp_link_send(c.link, &(struct mcp_outgoing){ .json = SV("{\"method\":\"x\"}"),
						      .method = SV("x") });
	mcp_link_listen(c.link);
	run(&c);
	op_cancel(c.link);
	run(&c);
	check_header(&c, 0, "Mcp-Session-Id", false);
	for (size_t i = 1; i < 4; i++) {
		check_header(&c, i, "Mcp-Session-Id: s1\n", true);
		check_header(&c, i, "MCP-Protocol-Version: 2025-11-25\n", true);
	}
	CHECK_STR(sim_http_received(c.world, 3)->method, "DELETE");
	CHECK_STR(str_c(&c.log), "@0 message " PONG "\nover\n");
}

TEST(a_session_that_the_server_has_forgotten_is_reported)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON "\nmcp-session-id: s1") },
	      { SIM_HTTP_BODY, 0, SV(PONG) });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 404, SV(JSON) }, { SIM_HTTP_BODY, 0, SV("{}") });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 404, SV("") });
	send_ping(&c, true);
	run(&c);
	send_ping(&c, false);
	run(&c);
	send_ping(&c, true); /* it begins anew, and this 404 is another one */
	run(&c);
	CHECK_STR(str_c(&c.log),
		  "@0 message " PONG "\n@0 1 expired 404 '{}'\n@0 1 refused 404 ''\n");
}

TEST(a_server_of_2024_is_spoken_to_as_it_wants)
{
	static const struct sim_http_step accepted[] = { { SIM_HTTP_HEAD, 202, SV_INIT("") } };
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 405, SV("") });
	SERVE(&c, "GET", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("event: endpoint\ndata: /post\n\n") },
	      { SIM_HTTP_WAIT, 5, SV("") }, { SIM_HTTP_BODY, 0, SV("data: " PONG "\n\n") },
	      { SIM_HTTP_WAIT, 5, SV("") });
	sim_http(c.world, &(struct sim_http_rule){
				  .url = "https://mcp.example/post", .steps = accepted, .n = 1 });
	send_ping(&c, true);
	sim_advance(c.world, 7);
	CHECK_STR(str_c(&c.log), "@5 message " PONG "\n");
	mcp_link_agreed(c.link, "2024-11-05", false);
	mcp_link_listen(c.link);
	send_ping(&c, false);
	run(&c);
	CHECK_STR(sim_http_received(c.world, 3)->url, "https://mcp.example/post");
	CHECK(!sim_http_received(c.world, 4));
	CHECK(sv_ends(sv_of(&c.log), SV("over: srv has closed the connection\n")));
}

TEST(a_server_that_knows_neither_transport_has_refused)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 404, SV("") }, { SIM_HTTP_BODY, 0, SV("gone") });
	SERVE(&c, "GET", { SIM_HTTP_HEAD, 404, SV("") });
	send_ping(&c, true);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 1 refused 404 'gone'\n");
}

TEST(a_stateless_request_says_what_it_is_in_headers)
{
	static const struct http_header params[] = {
		{ SV_INIT("Mcp-Param-Plain"), SV_INIT("eu west") },
		{ SV_INIT("Mcp-Param-Wide"), SV_INIT("Gr\xc3\xbc\xc3\x9f") },
		{ SV_INIT("Mcp-Param-Blank"), SV_INIT(" x ") },
		{ SV_INIT("Mcp-Param-Control"), SV_INIT("a\nb") },
		{ SV_INIT("Mcp-Param-Like"), SV_INIT("=?base64?eA==?=") },
	};
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON) }, { SIM_HTTP_BODY, 0, SV(PONG) });
	mcp_link_agreed(c.link, "2026-07-28", true);
	mcp_link_send(c.link, &(struct mcp_outgoing){ .json = SV("{\"id\":1}"),
						      .id = 1,
						      .method = SV("tools/call"),
						      .name = SV("look"),
						      .params = params,
						      .nparams = countof(params) });
	mcp_link_listen(c.link); /* there is no such stream */
	run(&c);
	check_header(&c, 0, "Mcp-Method: tools/call\n", true);
	check_header(&c, 0, "Mcp-Name: look\n", true);
	check_header(&c, 0, "Mcp-Param-Plain: eu west\n", true);
	check_header(&c, 0, "Mcp-Param-Wide: =?base64?R3LDvMOf?=\n", true);
	check_header(&c, 0, "Mcp-Param-Blank: =?base64?IHgg?=\n", true);
	check_header(&c, 0, "Mcp-Param-Control: =?base64?YQpi?=\n", true);
	check_header(&c, 0, "Mcp-Param-Like: =?base64?PT9iYXNlNjQ/ZUE9PT89?=\n", true);
	CHECK(!sim_http_received(c.world, 1));
}

TEST(a_stream_that_the_server_cuts_is_resumed_after_the_pause_it_asked_for)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("id: e7\nretry: 500\ndata:\n\n") });
	SERVE(&c, "GET", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("id: e8\ndata: " PONG "\n\n") });
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@500 message " PONG "\n");
	check_header(&c, 1, "Last-Event-ID: e7\n", true);
}

TEST(a_stream_without_ids_that_ends_early_has_lost_the_answer)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("data: {\"method\":\"n\"}\n\n") });
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 message {\"method\":\"n\"}\n@0 1 lost 200 ''\n");
}

TEST(a_stream_that_never_comes_back_is_given_up)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("id: a\ndata:\n\n") }, { SIM_HTTP_RESET, 0, SV("") });
	send_ping(&c, false);
	run(&c);
	CHECK(sv_ends(sv_of(&c.log), SV("1 lost 200 ''\n")) ||
	      sv_ends(sv_of(&c.log), SV("1 not sent 200 ''\n")));
	CHECK(sim_elapsed(c.world) < 120 * 1000);
}

TEST(what_the_server_says_by_itself_is_heard_and_listened_for_again)
{
	CLIENT(c);

	SERVE(&c, "GET", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("id: 1\ndata: {\"method\":\"a\"}\n\n") });
	SERVE(&c, "GET", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("data: {\"method\":\"b\"}\n\n") },
	      { SIM_HTTP_STALL, 0, SV("") });
	mcp_link_listen(c.link);
	sim_advance(c.world, 5000);
	CHECK_STR(str_c(&c.log),
		  "@0 message {\"method\":\"a\"}\n@1000 message {\"method\":\"b\"}\n");
	check_header(&c, 1, "Last-Event-ID: 1\n", true);
}

TEST(errors_are_reported_with_what_the_server_said)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 400, SV(JSON) }, { SIM_HTTP_BODY, 0, SV("{\"e\":1}") });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV("content-type: text/html") },
	      { SIM_HTTP_BODY, 0, SV("<p>") });
	SERVE(&c, "POST", { SIM_HTTP_FAIL, ERR_DNS, SV("") });
	SERVE(&c, "POST", { SIM_HTTP_RESET, 0, SV("") });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 401, SV("") }, { SIM_HTTP_BODY, 0, SV("no") });
	for (int i = 0; i < 5; i++) {
		send_ping(&c, false);
		run(&c);
	}
	CHECK_STR(str_c(&c.log), "@0 1 refused 400 '{\"e\":1}'\n@0 1 refused 200 '<p>'\n"
				 "@0 1 not sent 0 ''\n@0 1 lost 0 ''\n@0 1 refused 401 'no'\n");
}

TEST(an_error_with_the_id_of_the_request_is_its_answer)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 400, SV(JSON) },
	      { SIM_HTTP_BODY, 0, SV("{\"id\":1,\"error\":{\"code\":-32022}}") });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 400, SV(JSON) },
	      { SIM_HTTP_BODY, 0, SV("{\"id\":null,\"error\":{}}") });
	send_ping(&c, false);
	run(&c);
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 message {\"id\":1,\"error\":{\"code\":-32022}}\n"
				 "@0 1 refused 400 '{\"id\":null,\"error\":{}}'\n");
}

TEST(a_request_that_is_not_wanted_any_more_is_ended)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE) }, { SIM_HTTP_STALL, 0, SV("") });
	send_ping(&c, false);
	sim_advance(c.world, 1000);
	mcp_link_forget(c.link, 1);
	run(&c);
	CHECK_STR(str_c(&c.log), "");
	CHECK_INT(sim_live_ops(c.world), 1); /* the link */
}

TEST(a_stream_that_stays_open_after_the_answer_is_closed)
{
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("data: " PONG "\n\n") }, { SIM_HTTP_STALL, 0, SV("") });
	send_ping(&c, false);
	run(&c);
	CHECK_INT(sim_live_ops(c.world), 1);
	CHECK_INT(sim_elapsed(c.world), 2000);
}

TEST(a_redirect_is_followed_inside_the_same_origin_only)
{
	static const struct sim_http_step pong[] = { { SIM_HTTP_HEAD, 200, SV_INIT(JSON) },
						     { SIM_HTTP_BODY, 0, SV_INIT(PONG) } };
	CLIENT(c);

	SERVE(&c, "POST", { SIM_HTTP_HEAD, 307, SV("location: /mcp/") });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 307, SV("location: https://evil.example/mcp") });
	sim_http(c.world, &(struct sim_http_rule){ .url = URL "/", .steps = pong, .n = 2 });
	send_ping(&c, false);
	run(&c);
	send_ping(&c, false);
	run(&c);
	CHECK_STR(str_c(&c.log), "@0 message " PONG "\n@0 1 lost 0 ''\n");
	CHECK(sim_http_received(c.world, 2) && !sim_http_received(c.world, 3));
}

TEST(headers_of_the_configuration_and_of_its_helper_are_sent)
{
	static const struct mcp_pair pairs[] = { { "X-Key", "k" }, { "X-Old", "1" } };
	static const struct sim_child_step prints[] = {
		{ SIM_CHILD_OUT, 0, SV_INIT("{\"x-old\":\"2\",\"X-New\":\"3\"}\n") }
	};
	CLIENT(c);

	c.config.headers = pairs;
	c.config.nheaders = countof(pairs);
	c.config.headers_helper = "print-headers";
	sim_child(c.world, "/bin/sh -c print-headers", prints, countof(prints), 0);
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON) }, { SIM_HTTP_BODY, 0, SV(PONG) });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON) }, { SIM_HTTP_BODY, 0, SV(PONG) });
	send_ping(&c, false);
	send_ping(&c, false);
	run(&c);
	check_header(&c, 0, "X-Key: k\n", true);
	check_header(&c, 0, "X-Old: 2\n", true);
	check_header(&c, 1, "X-New: 3\n", true);
	CHECK(!sim_spawned(c.world, 1)); /* it ran once */
}

TEST(a_helper_is_asked_again_when_its_headers_are_refused)
{
	static const struct sim_child_step first[] = { { SIM_CHILD_OUT, 0,
							 SV_INIT("{\"K\":\"old\"}") } };
	static const struct sim_child_step second[] = { { SIM_CHILD_OUT, 0,
							  SV_INIT("{\"K\":\"new\"}") } };
	CLIENT(c);

	c.config.headers_helper = "h";
	sim_child(c.world, "/bin/sh -c h", first, 1, 1);
	sim_child(c.world, "/bin/sh -c h", second, 1, 1);
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 401, SV("") });
	SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(JSON) }, { SIM_HTTP_BODY, 0, SV(PONG) });
	send_ping(&c, false);
	run(&c);
	check_header(&c, 0, "K: old\n", true);
	check_header(&c, 1, "K: new\n", true);
	CHECK_STR(str_c(&c.log), "@0 message " PONG "\n");
}

TEST(a_helper_that_fails_or_prints_nonsense_fails_the_request)
{
	static const struct sim_child_step ways[][2] = {
		{ { SIM_CHILD_OUT, 0, SV_INIT("[]") }, { SIM_CHILD_EXIT, 0, SV_INIT("") } },
		{ { SIM_CHILD_OUT, 0, SV_INIT("{\"a b\":\"c\"}") },
		  { SIM_CHILD_EXIT, 0, SV_INIT("") } },
		{ { SIM_CHILD_OUT, 0, SV_INIT("{\"a\":\"c\\r\\nd\"}") },
		  { SIM_CHILD_EXIT, 0, SV_INIT("") } },
		{ { SIM_CHILD_OUT, 0, SV_INIT("{\"a\":1}") }, { SIM_CHILD_EXIT, 0, SV_INIT("") } },
		{ { SIM_CHILD_OUT, 0, SV_INIT("{}") }, { SIM_CHILD_EXIT, 3, SV_INIT("") } },
		{ { SIM_CHILD_OUT, 0, SV_INIT("{}") }, { SIM_CHILD_HANG, 0, SV_INIT("") } },
	};

	for (size_t i = 0; i < countof(ways); i++) {
		CLIENT(c);

		c.config.headers_helper = "h";
		sim_child(c.world, "/bin/sh -c h", ways[i], 2, 0);
		send_ping(&c, false);
		run(&c);
		CHECK(sv_find(sv_of(&c.log), SV(" 1 ")) != SIZE_MAX);
		CHECK(!sim_http_received(c.world, 0));
	}
}

TEST(a_link_can_be_cancelled_at_any_step)
{
	bool is_natural = false;

	for (size_t k = 0; !is_natural; k++) {
		static const struct sim_child_step prints[] = {
			{ SIM_CHILD_WAIT, 5, SV_INIT("") }, { SIM_CHILD_OUT, 0, SV_INIT("{}") }
		};
		CLIENT(c);

		c.config.headers_helper = "h";
		sim_child(c.world, "/bin/sh -c h", prints, countof(prints), 0);
		SERVE(&c, "POST", { SIM_HTTP_HEAD, 200, SV(SSE "\nmcp-session-id: s") },
		      { SIM_HTTP_BODY, 0, SV("id: e7\nretry: 5\ndata:\n\n") });
		SERVE(&c, "GET", { SIM_HTTP_HEAD, 200, SV(SSE) },
		      { SIM_HTTP_BODY, 0, SV("id: e8\ndata: " PONG "\n\n") },
		      { SIM_HTTP_WAIT, 3, SV("") });
		send_ping(&c, true);
		is_natural = sim_run(c.world, k);
	}
}
