#include "machine/servers.h"

#include "base/limits.h"
#include "test.h"

struct reader {
	struct sim *world;
	struct http *http;
	struct op *op;
	int heads, bodies, dones, status;
	struct str body, type;
	struct err err;
};

static void on_head(void *owner, const struct http_head *head)
{
	struct reader *r = owner;

	r->heads++;
	r->status = head->status;
	str_add(&r->type, http_header(head, "Content-Type"));
}

static void on_body(void *owner, struct sv bytes)
{
	struct reader *r = owner;

	CHECK(bytes.len > 0);
	CHECK_INT(r->heads, 1);
	r->bodies++;
	str_add(&r->body, bytes);
}

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct reader *r = owner;

	r->dones++;
	r->op = NULL;
	if (why)
		r->err = *why;
}

static void reader_init(struct reader *r)
{
	struct err err;

	*r = (struct reader){ .world = sim_new() };
	r->http = http_new(sim_loop(r->world), &(struct http_config){ .proxy = NULL }, &err);
	CHECK_OK(r->http != NULL, err);
}

static void reader_clear(struct reader *r)
{
	str_clear(&r->body);
	str_clear(&r->type);
	http_free(r->http);
	sim_free(r->world);
}

#define READER(name)                            \
	defer(reader_clear) struct reader name; \
	reader_init(&name)

static void begin(struct reader *r, struct http_request request)
{
	if (!request.url)
		request.url = "https://a.test/";
	request.on_head = on_head;
	request.on_body = on_body;
	r->op = http_start(r->http, &request, THEN(on_done, r));
}

static void serve(struct reader *r, const struct sim_http_step *steps, size_t n, int uses)
{
	sim_http(r->world,
		 &(struct sim_http_rule){
			 .url = "https://a.test/*", .steps = steps, .n = n, .uses = uses });
}

static const struct sim_http_step hello[] = {
	{ SIM_HTTP_HEAD, 200, SV_INIT("content-type: text/plain\nx: y") },
	{ SIM_HTTP_BODY, 0, SV_INIT("hello ") },
	{ SIM_HTTP_BODY, 0, SV_INIT("world") },
};
static const struct sim_http_step gone[] = { { SIM_HTTP_HEAD, 410 } };

TEST(a_response_comes_in_the_pieces_of_its_script)
{
	READER(r);

	serve(&r, hello, countof(hello), 0);
	begin(&r, (struct http_request){ .url = NULL });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.status, 200);
	CHECK_SV(sv_of(&r.type), "text/plain");
	CHECK_SV(sv_of(&r.body), "hello world");
	CHECK_INT(r.bodies, 2);
	CHECK_INT(r.dones, 1);
	CHECK_INT(sim_wire_bytes(r.world), 11);
}

TEST(a_cut_wire_gives_more_pieces_and_the_same_bytes)
{
	READER(r);

	serve(&r, hello, countof(hello), 0);
	sim_cut_wire(r.world, SIM_CUT_AT, 2);
	begin(&r, (struct http_request){ .url = NULL });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.bodies, 3);
	sim_cut_wire(r.world, SIM_CUT_ALWAYS, 0);
	r.heads = 0;
	begin(&r, (struct http_request){ .url = NULL });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.bodies, 3 + 11);
	CHECK_SV(sv_of(&r.body), "hello worldhello world");
}

TEST(rules_are_used_in_order_and_used_up)
{
	READER(r);

	serve(&r, hello, countof(hello), 1);
	serve(&r, gone, countof(gone), 1);
	begin(&r, (struct http_request){ .url = NULL });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.status, 200);
	begin(&r, (struct http_request){ .url = NULL });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.status, 410);
	begin(&r, (struct http_request){ .url = NULL });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_ERR(r.err, ERR_REFUSED, "https://a.test");
}

TEST(what_was_sent_can_be_looked_at)
{
	const struct sv body[] = { SV("{\"a\":"), SV("1}") };
	const struct http_header header = { SV("X-Key"), SV("k") };
	const struct sim_http_request *seen;
	READER(r);

	serve(&r, hello, countof(hello), 0);
	begin(&r,
	      (struct http_request){ .headers = &header, .nheaders = 1, .body = body, .nbody = 2 });
	CHECK(sim_run(r.world, SIZE_MAX));
	seen = sim_http_received(r.world, 0);
	CHECK_STR(seen->method, "POST");
	CHECK_STR(seen->url, "https://a.test/");
	CHECK_SV(sv_of(&seen->headers), "X-Key: k\n");
	CHECK_SV(sv_of(&seen->body), "{\"a\":1}");
	CHECK(!sim_http_received(r.world, 1));
}

TEST(a_request_that_would_smuggle_a_line_is_refused_here_too)
{
	const struct http_header header = { SV("X"), SV("a\r\nY: b") };
	READER(r);

	serve(&r, hello, countof(hello), 0);
	begin(&r, (struct http_request){ .headers = &header, .nheaders = 1 });
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.err.kind, ERR_INVALID);
	CHECK(!sim_http_received(r.world, 0));
}

TEST(while_paused_a_peer_is_left_to_wait_once_the_buffer_is_full)
{
	defer(str_clear) struct str big = STR_INIT;
	struct sim_http_step steps[] = { { SIM_HTTP_HEAD, 200, SV_INIT("") }, { SIM_HTTP_BODY } };
	READER(r);

	while (big.len < LIMIT_HTTP_BUFFER + 5000)
		str_addc(&big, 'x');
	steps[1].text = sv_of(&big);
	serve(&r, steps, countof(steps), 0);
	begin(&r, (struct http_request){ .idle_ms = 1000 });
	http_pause(r.op, true);
	sim_advance(r.world, 3600000); /* the idle deadline stands still */
	CHECK_INT(r.bodies + r.heads, 0);
	CHECK_INT(sim_wire_bytes(r.world), LIMIT_HTTP_BUFFER);
	http_pause(r.op, false);
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.dones, 1);
	CHECK_INT(r.err.kind, ERR_NONE);
	CHECK_INT(r.body.len, big.len);
}

TEST(pausing_does_not_give_more_time_than_was_left)
{
	static const struct sim_http_step steps[] = { { SIM_HTTP_HEAD, 200, SV_INIT("") },
						      { SIM_HTTP_STALL } };
	READER(r);

	serve(&r, steps, countof(steps), 0);
	begin(&r, (struct http_request){ .idle_ms = 1000 });
	sim_advance(r.world, 400);
	http_pause(r.op, true);
	sim_advance(r.world, 5000);
	http_pause(r.op, false);
	sim_advance(r.world, 599);
	CHECK_INT(r.dones, 0);
	sim_advance(r.world, 1);
	CHECK_INT(r.dones, 1);
	CHECK_INT(r.err.kind, ERR_TIMEOUT_IDLE);
}

TEST(nothing_is_told_after_cancel)
{
	READER(r);

	serve(&r, hello, countof(hello), 0);
	begin(&r, (struct http_request){ .url = NULL });
	sim_happen(r.world);
	op_cancel(r.op);
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_INT(r.heads + r.bodies, 0);
	CHECK_INT(r.dones, 1);
	CHECK_INT(r.err.kind, ERR_CANCELLED);
}
