/* The link of HTTP with SSE (2024-11-05) against scripted servers. */
#include "machine/servers.h"
#include "mcp/link/links.h"
#include "net/http.h"
#include "test.h"

#define URL "https://mcp.example/sse"
#define SSE "content-type: text/event-stream"

struct client {
	struct sim *world;
	struct http *http;
	struct mcp_link_env env;
	struct mcp_config config;
	struct op *link;
	struct str log;
};

static void on_message(void *owner, struct sv json)
{
	str_addf(&((struct client *)owner)->log, "message %.*s\n", SV_ARG(json));
}

static void on_undelivered(void *owner, int64_t id, const struct mcp_failure *failure)
{
	str_addf(&((struct client *)owner)->log, "undelivered %lld %d %d\n", (long long)id,
		 (int)failure->what, failure->status);
}

static void on_over(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct client *c = owner;

	c->link = NULL;
	str_addf(&c->log, "over: %s\n", why ? why->text : "");
}

static void client_init(struct client *c)
{
	struct err err = ERR_INIT;

	*c = (struct client){ .world = sim_new() };
	c->http = http_new(sim_loop(c->world), &(struct http_config){ .proxy = NULL }, &err);
	CHECK_OK(c->http != NULL, err);
	c->env = (struct mcp_link_env){ .loop = sim_loop(c->world), .http = c->http };
	c->config = (struct mcp_config){ .name = "srv", .transport = MCP_SSE, .url = URL };
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

static void start(struct client *c)
{
	static const struct mcp_link_events events = { .message = on_message,
						       .undelivered = on_undelivered };

	c->link = mcp_sse_start(&c->env, &c->config, &events, THEN(on_over, c));
	mcp_link_send(c->link, &(struct mcp_outgoing){ .json = SV("{\"id\":1}"), .id = 1 });
}

#define SERVE(client, verb, address, ...)                                                \
	do {                                                                             \
		const struct sim_http_step steps_[] = { __VA_ARGS__ };                   \
		sim_http((client)->world, &(struct sim_http_rule){ .method = verb,       \
								   .url = address,       \
								   .steps = steps_,      \
								   .n = countof(steps_), \
								   .uses = 1 });         \
	} while (0)

TEST(messages_wait_for_the_endpoint_and_answers_come_on_the_stream)
{
	CLIENT(c);

	SERVE(&c, "GET", URL, { SIM_HTTP_HEAD, 200, SV(SSE) }, { SIM_HTTP_WAIT, 5, SV("") },
	      { SIM_HTTP_BODY, 0, SV("event: endpoint\ndata: /messages?s=1\n\n") },
	      { SIM_HTTP_WAIT, 5, SV("") }, { SIM_HTTP_BODY, 0, SV("data: {\"id\":1}\n\n") },
	      { SIM_HTTP_STALL, 0, SV("") });
	SERVE(&c, "POST", "https://mcp.example/messages?s=1", { SIM_HTTP_HEAD, 202, SV("") });
	start(&c);
	sim_advance(c.world, 100);
	CHECK_STR(str_c(&c.log), "message {\"id\":1}\n");
	CHECK_STR(str_c(&sim_http_received(c.world, 1)->body), "{\"id\":1}");
}

TEST(a_stream_that_ends_ends_the_link)
{
	CLIENT(c);

	SERVE(&c, "GET", URL, { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("event: endpoint\ndata: m\n\n") });
	SERVE(&c, "POST", "https://mcp.example/m", { SIM_HTTP_STALL, 0, SV("") });
	start(&c);
	CHECK(sim_run(c.world, SIZE_MAX));
	CHECK(sv_ends(sv_of(&c.log), SV("over: srv has closed the connection\n")));
}

TEST(an_endpoint_on_another_host_is_refused)
{
	CLIENT(c);

	SERVE(&c, "GET", URL, { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("event: endpoint\ndata: https://evil.example/m\n\n") },
	      { SIM_HTTP_STALL, 0, SV("") });
	start(&c);
	CHECK(sim_run(c.world, SIZE_MAX));
	CHECK_STR(str_c(&c.log), "over: srv: messages would go to another host\n");
	CHECK(!sim_http_received(c.world, 1));
}

TEST(a_response_that_is_not_a_stream_ends_the_link)
{
	CLIENT(c);

	SERVE(&c, "GET", URL, { SIM_HTTP_HEAD, 404, SV("") }, { SIM_HTTP_BODY, 0, SV("no") });
	start(&c);
	CHECK(sim_run(c.world, SIZE_MAX));
	CHECK_STR(str_c(&c.log),
		  "over: srv answered with status 404, and not with an event stream\n");
}

TEST(a_message_that_the_endpoint_refuses_is_reported)
{
	CLIENT(c);

	SERVE(&c, "GET", URL, { SIM_HTTP_HEAD, 200, SV(SSE) },
	      { SIM_HTTP_BODY, 0, SV("event: endpoint\ndata: /m\n\n") },
	      { SIM_HTTP_STALL, 0, SV("") });
	SERVE(&c, "POST", "https://mcp.example/m", { SIM_HTTP_HEAD, 400, SV("") });
	start(&c);
	sim_advance(c.world, 100);
	CHECK_STR(str_c(&c.log), "undelivered 1 4 400\n");
}

TEST(an_sse_link_can_be_cancelled_at_any_step)
{
	bool is_natural = false;

	for (size_t k = 0; !is_natural; k++) {
		CLIENT(c);

		SERVE(&c, "GET", URL, { SIM_HTTP_HEAD, 200, SV(SSE) },
		      { SIM_HTTP_BODY, 0, SV("event: endpoint\ndata: /m\n\n") },
		      { SIM_HTTP_WAIT, 5, SV("") },
		      { SIM_HTTP_BODY, 0, SV("data: {\"id\":1}\n\n") });
		SERVE(&c, "POST", "https://mcp.example/m", { SIM_HTTP_WAIT, 3, SV("") },
		      { SIM_HTTP_HEAD, 202, SV("") });
		start(&c);
		is_natural = sim_run(c.world, k);
	}
}
