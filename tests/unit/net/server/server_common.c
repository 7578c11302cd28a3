#include "net/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

/* --- a handler that the test steers -------------------------------------- */

struct stage {
	struct loop *loop;
	struct server *server;
	VEC(struct reply *) replies; /* open, oldest first */
	struct str asked;            /* "METHOD path [body]\n" each */
	size_t requests, gone, drained;
	size_t max_connections, turns;
	/* Called for each request; NULL leaves it open. */
	void (*answer)(struct stage *s, struct reply *reply, const struct server_request *request);
};

static void on_request(void *owner, struct reply *reply, const struct server_request *request)
{
	struct stage *s = owner;

	s->requests++;
	str_addf(&s->asked, "%.*s %.*s [%.*s]\n", SV_ARG(request->method), SV_ARG(request->path),
		 SV_ARG(sv_slice(request->body, 0, 40)));
	if (s->answer)
		s->answer(s, reply, request);
	else
		vec_push(&s->replies, reply);
}

static void on_gone(void *owner, struct reply *reply)
{
	struct stage *s = owner;

	s->gone++;
	for (size_t i = 0; i < s->replies.n; i++)
		if (s->replies.at[i] == reply) {
			vec_remove(&s->replies, i);
			return;
		}
	fail_msg("a reply that was not open has gone");
}

static void on_drained(void *owner, __attribute__((unused)) struct reply *reply)
{
	((struct stage *)owner)->drained++;
}

static void stage_open(struct stage *s, size_t max_body, int64_t request_ms)
{
	struct server_opts opts = { .max_body = max_body,
				    .request_ms = request_ms,
				    .max_connections = s->max_connections,
				    .on_request = on_request,
				    .on_gone = on_gone,
				    .on_drained = on_drained,
				    .owner = s };
	struct err err = ERR_INIT;

	s->loop = loop_new();
	s->server = server_new(s->loop, &opts, &err);
	CHECK_OK(s->server != NULL, err);
}

static void stage_close(struct stage *s)
{
	server_freep(&s->server);
	loop_run(s->loop);
	loop_freep(&s->loop);
	vec_clear(&s->replies);
	str_clear(&s->asked);
}

#define STAGE(name)                                                     \
	defer(stage_close) struct stage name = { .replies = VEC_INIT }; \
	stage_open(&name, 0, 0)

/* --- a client of plain sockets, turned together with the server ----------- */

struct client {
	struct stage *stage;
	int fd;
	struct str got;
	int ended; /* 0: still open; else 1, or the errno */
};

static void client_open(struct client *c, struct stage *s)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)server_port(s->server)),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	*c = (struct client){ .stage = s, .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	CHECK_INT(connect(c->fd, (struct sockaddr *)&address, sizeof(address)), 0);
}

static void client_close(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	str_clear(&c->got);
}

#define CLIENT(name, stage)                                    \
	defer(client_close) struct client name = { .fd = -1 }; \
	client_open(&name, stage)

static void client_send(struct client *c, struct sv text)
{
	CHECK_INT(send(c->fd, text.ptr, text.len, MSG_NOSIGNAL), text.len);
}

static void client_listen(struct client *c)
{
	char bytes[65536];
	ssize_t n = c->ended ? -1 : recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (c->ended || (n < 0 && errno == EAGAIN))
		return;
	if (n > 0)
		str_add(&c->got, sv_from(bytes, (size_t)n));
	else
		c->ended = n == 0 ? 1 : errno;
}

/* Turns the loop until `is_met`, giving up only when nothing at all happens. */
struct turner {
	struct task tick;
	struct stage *stage;
	struct client *client; /* may be NULL */
	bool (*is_met)(struct stage *s, struct client *c);
	size_t turns;
};

enum { PATIENCE = 50 * 1000 * 1000 };

static void run_tick(struct task *task)
{
	struct turner *t = container_of(task, struct turner, tick);

	if (t->client)
		client_listen(t->client);
	if (t->is_met(t->stage, t->client) || ++t->turns > PATIENCE) {
		loop_stop(t->stage->loop);
		return;
	}
	sched_yield();
	loop_post(t->stage->loop, &t->tick);
}

static void turn_until(struct stage *s, struct client *c,
		       bool (*is_met)(struct stage *, struct client *))
{
	struct turner t = { .tick.run = run_tick, .stage = s, .client = c, .is_met = is_met };

	loop_post(s->loop, &t.tick);
	loop_run(s->loop);
	if (t.turns > PATIENCE)
		fail_msg("gave up; the client got \"%s\"", c ? str_c(&c->got) : "");
}

static bool is_asked(struct stage *s, __attribute__((unused)) struct client *c)
{
	return s->replies.n > 0;
}

enum { MANY = 64 };

static bool all_asked(struct stage *s, __attribute__((unused)) struct client *c)
{
	return s->replies.n == MANY;
}

static bool two_asked(struct stage *s, __attribute__((unused)) struct client *c)
{
	return s->requests == 2;
}

static bool three_asked(struct stage *s, __attribute__((unused)) struct client *c)
{
	return s->requests == 3;
}

/* Long enough for the server to notice a client. */
static bool has_turned(struct stage *s, __attribute__((unused)) struct client *c)
{
	return ++s->turns > 100;
}

static bool is_gone(struct stage *s, __attribute__((unused)) struct client *c)
{
	return s->gone > 0;
}

static bool has_drained(struct stage *s, __attribute__((unused)) struct client *c)
{
	return s->drained > 0;
}

static bool has_ended(__attribute__((unused)) struct stage *s, struct client *c)
{
	return c->ended != 0;
}

static bool got_something(__attribute__((unused)) struct stage *s, struct client *c)
{
	return c->got.len > 0;
}

static bool got_all_asked_for(struct stage *s, struct client *c)
{
	size_t n = 0;

	for (struct sv rest = sv_of(&c->got); sv_find(rest, SV("\r\n\r\n.")) != SIZE_MAX; n++)
		rest = sv_skip(rest, sv_find(rest, SV("\r\n\r\n.")) + 5);
	return n == s->requests && n > 0;
}

static void answer_dot(__attribute__((unused)) struct stage *s, struct reply *reply,
		       __attribute__((unused)) const struct server_request *request)
{
	server_head(reply, 200, NULL, 0, 1);
	server_write(reply, SV("."));
	server_end(reply);
}

/* --- tests --------------------------------------------------------------- */

#define GET "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

TEST(a_request_reaches_the_handler_and_its_reply_the_client)
{
	STAGE(s);
	CLIENT(c, &s);
	struct http_header type = { .name = SV("content-type"), .value = SV("a/b") };

	client_send(&c, SV("POST /x?y HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n"
			   "Connection: close\r\n\r\nabc"));
	turn_until(&s, &c, is_asked);
	CHECK_STR(str_c(&s.asked), "POST /x?y [abc]\n");
	server_head(s.replies.at[0], 529, &type, 1, 2);
	server_write(s.replies.at[0], SV("hi"));
	server_end(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK_STR(str_c(&c.got), "HTTP/1.1 529 Overloaded\r\ncontent-type: a/b\r\n"
				 "content-length: 2\r\nconnection: close\r\n\r\nhi");
	CHECK_INT(c.ended, 1);
	CHECK_INT(s.gone, 0);
}

TEST(a_body_of_unknown_length_goes_out_in_the_pieces_it_was_written_in)
{
	STAGE(s);
	CLIENT(c, &s);

	client_send(&c, SV("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
	turn_until(&s, &c, is_asked);
	server_head(s.replies.at[0], 200, NULL, 0, -1);
	server_write(s.replies.at[0], SV("hello"));
	server_write(s.replies.at[0], SV_EMPTY);
	server_write(s.replies.at[0], SV("0123456789abcdef"));
	server_end(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK_STR(str_c(&c.got), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n"
				 "connection: close\r\n\r\n5\r\nhello\r\n10\r\n0123456789abcdef\r\n"
				 "0\r\n\r\n");
}

TEST(an_old_client_gets_a_body_that_ends_with_the_connection)
{
	STAGE(s);
	CLIENT(c, &s);

	client_send(&c, SV("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
	turn_until(&s, &c, is_asked);
	server_head(s.replies.at[0], 200, NULL, 0, -1);
	server_write(s.replies.at[0], SV("hello"));
	server_end(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK_STR(str_c(&c.got), "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello");
}

TEST(a_connection_serves_many_requests_also_when_they_come_at_once)
{
	STAGE(s);
	CLIENT(c, &s);

	s.answer = answer_dot;
	client_send(&c, SV(GET "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi" GET
			       "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
	turn_until(&s, &c, has_ended);
	CHECK_STR(str_c(&s.asked), "GET / []\nPOST /b [hi]\nGET / []\nGET /last []\n");
	CHECK(got_all_asked_for(&s, &c));
}

TEST(a_request_split_at_every_byte_is_answered)
{
	static const struct sv ask =
		SV_INIT("POST /b HTTP/1.1\r\nHost: x\r\n"
			"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n");
	STAGE(s);
	CLIENT(c, &s);

	s.answer = answer_dot;
	for (size_t i = 1; i < ask.len; i++) {
		s.requests = 0;
		str_truncate(&c.got, 0);
		client_send(&c, sv_slice(ask, 0, i));
		client_send(&c, sv_skip(ask, i));
		turn_until(&s, &c, got_all_asked_for);
	}
}

TEST(a_head_request_gets_the_head_alone)
{
	STAGE(s);
	CLIENT(c, &s);

	s.answer = answer_dot;
	client_send(&c, SV("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
	turn_until(&s, &c, has_ended);
	CHECK_STR(str_c(&c.got),
		  "HTTP/1.1 200 OK\r\ncontent-length: 1\r\nconnection: close\r\n\r\n");
}

TEST(a_client_that_waits_for_100_is_told_to_go_on)
{
	STAGE(s);
	CLIENT(c, &s);

	s.answer = answer_dot;
	client_send(&c, SV("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
			   "Expect: 100-continue\r\nConnection: close\r\n\r\n"));
	turn_until(&s, &c, got_something);
	CHECK_STR(str_c(&c.got), "HTTP/1.1 100 Continue\r\n\r\n");
	client_send(&c, SV("ok"));
	turn_until(&s, &c, has_ended);
	CHECK_STR(str_c(&s.asked), "POST / [ok]\n");
}

TEST(garbage_is_answered_with_400_and_never_reaches_the_handler)
{
	static const struct sv garbage[] = {
		SV_INIT("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
		SV_INIT("hello\r\n\r\n"),
		SV_INIT("GET / HTTP/1.1\n\n"),
		SV_INIT("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: z\r\n\r\n"),
	};
	STAGE(s);

	for (size_t i = 0; i < countof(garbage); i++) {
		CLIENT(c, &s);

		client_send(&c, garbage[i]);
		turn_until(&s, &c, has_ended);
		CHECK(sv_starts(sv_of(&c.got), SV("HTTP/1.1 400 Bad Request\r\n")));
		CHECK_INT(c.ended, 1);
	}
	CHECK_INT(s.requests, 0);
}

TEST(a_body_over_the_cap_is_refused_while_the_client_still_sends)
{
	defer(stage_close) struct stage s = { .replies = VEC_INIT };
	static const struct sv head = SV_INIT("POST / HTTP/1.1\r\nHost: x\r\n"
					      "Content-Length: 100000\r\n\r\n");
	defer(mem_freep) char *body = xcalloc(1, 100000);

	stage_open(&s, 1000, 0);
	CLIENT(c, &s);
	client_send(&c, head);
	client_send(&c, sv_from(body, 100000));
	turn_until(&s, &c, has_ended);
	CHECK(sv_starts(sv_of(&c.got), SV("HTTP/1.1 413 ")));
	CHECK_INT(c.ended, 1);
	CHECK_INT(s.requests, 0);
}

TEST(a_request_that_does_not_come_whole_in_time_is_given_up)
{
	defer(stage_close) struct stage s = { .replies = VEC_INIT };

	stage_open(&s, 0, 1);
	CLIENT(c, &s);
	client_send(&c, SV("GET / HT"));
	turn_until(&s, &c, has_ended);
	CHECK(sv_starts(sv_of(&c.got), SV("HTTP/1.1 408 ")));
}

TEST(a_client_that_leaves_is_noticed_while_nothing_is_sent)
{
	STAGE(s);
	CLIENT(c, &s);

	client_send(&c, SV(GET));
	turn_until(&s, NULL, is_asked);
	client_close(&c);
	turn_until(&s, NULL, is_gone);
	CHECK_INT(s.gone, 1);
	CHECK_INT(s.replies.n, 0);
}

TEST(a_client_that_leaves_is_noticed_in_the_middle_of_a_long_reply)
{
	STAGE(s);
	CLIENT(c, &s);
	defer(mem_freep) char *body = xcalloc(1, 32 * MIB);

	client_send(&c, SV(GET));
	turn_until(&s, NULL, is_asked);
	server_head(s.replies.at[0], 200, NULL, 0, -1);
	server_write(s.replies.at[0], sv_from(body, 32 * MIB));
	CHECK(server_waiting(s.replies.at[0]) > 0);
	client_close(&c);
	turn_until(&s, NULL, is_gone);
	CHECK_INT(s.gone, 1);
}

TEST(the_handler_hears_when_what_waited_has_been_taken)
{
	STAGE(s);
	CLIENT(c, &s);
	defer(mem_freep) char *body = xcalloc(1, 32 * MIB);

	client_send(&c, SV(GET));
	turn_until(&s, &c, is_asked);
	server_head(s.replies.at[0], 200, NULL, 0, 32 * MIB);
	server_write(s.replies.at[0], sv_from(body, 32 * MIB));
	CHECK(server_waiting(s.replies.at[0]) > 0);
	turn_until(&s, &c, has_drained);
	CHECK_INT(server_waiting(s.replies.at[0]), 0);
	server_cut(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK(sv_ends(sv_of(&c.got), sv_from(body, 32 * MIB)));
}

TEST(a_cut_reply_ends_without_its_last_chunk)
{
	STAGE(s);
	CLIENT(c, &s);

	client_send(&c, SV(GET));
	turn_until(&s, &c, is_asked);
	server_head(s.replies.at[0], 200, NULL, 0, -1);
	server_write(s.replies.at[0], SV("half"));
	server_cut(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK(sv_ends(sv_of(&c.got), SV("\r\n\r\n4\r\nhalf\r\n")));
	CHECK_INT(c.ended, 1);
	CHECK_INT(s.gone, 0);
}

TEST(a_reply_shorter_than_it_said_closes_the_connection)
{
	STAGE(s);
	CLIENT(c, &s);

	client_send(&c, SV(GET));
	turn_until(&s, &c, is_asked);
	server_head(s.replies.at[0], 200, NULL, 0, 10);
	server_write(s.replies.at[0], SV("half"));
	server_end(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK(sv_ends(sv_of(&c.got), SV("content-length: 10\r\n\r\nhalf")));
}

TEST(an_aborted_reply_is_reset_after_exactly_what_was_written)
{
	static const struct sv words = SV_INIT("HTTP/1.1 200 OK\r\n\r\nsome words");

	for (size_t n = 0; n <= words.len; n++) {
		STAGE(s);
		CLIENT(c, &s);

		client_send(&c, SV(GET));
		turn_until(&s, &c, is_asked);
		server_raw(s.replies.at[0], sv_slice(words, 0, n));
		server_abort(s.replies.at[0]);
		turn_until(&s, &c, has_ended);
		CHECK_SV_EQ(sv_of(&c.got), sv_slice(words, 0, n));
		CHECK_INT(c.ended, ECONNRESET);
		CHECK_INT(s.gone, 0);
	}
}

TEST(a_reset_waits_for_a_slow_reader)
{
	STAGE(s);
	CLIENT(c, &s);
	defer(mem_freep) char *body = xcalloc(1, 32 * MIB);

	client_send(&c, SV(GET));
	turn_until(&s, &c, is_asked);
	server_raw(s.replies.at[0], sv_from(body, 32 * MIB));
	server_abort(s.replies.at[0]);
	turn_until(&s, &c, has_ended);
	CHECK_INT(c.got.len, 32 * MIB);
	CHECK_INT(c.ended, ECONNRESET);
}

TEST(many_clients_are_served_side_by_side)
{
	STAGE(s);
	struct client clients[MANY];

	for (size_t i = 0; i < MANY; i++) {
		client_open(&clients[i], &s);
		client_send(&clients[i], SV(GET));
	}
	turn_until(&s, NULL, all_asked);
	for (size_t i = 0; i < MANY; i++)
		answer_dot(&s, s.replies.at[i], NULL);
	s.requests = 1;
	for (size_t i = 0; i < MANY; i++) {
		turn_until(&s, &clients[i], got_all_asked_for);
		client_close(&clients[i]);
	}
}

#define SMALL_STAGE(name)                                                                     \
	defer(stage_close) struct stage name = { .replies = VEC_INIT, .max_connections = 2 }; \
	stage_open(&name, 0, 0)

TEST(connections_over_the_cap_wait_for_one_to_end)
{
	SMALL_STAGE(s);
	CLIENT(first, &s);
	CLIENT(second, &s);
	CLIENT(late, &s);

	client_send(&first, SV(GET));
	client_send(&second, SV(GET));
	client_send(&late, SV(GET));
	turn_until(&s, NULL, two_asked);
	turn_until(&s, NULL, has_turned);
	CHECK_INT(s.requests, 2);
	client_close(&first);
	turn_until(&s, NULL, three_asked);
	CHECK_INT(s.gone, 1);
}

TEST(a_waiting_client_takes_the_place_of_a_connection_that_becomes_idle)
{
	SMALL_STAGE(s);
	CLIENT(first, &s);
	CLIENT(second, &s);
	CLIENT(late, &s);

	client_send(&first, SV(GET));
	client_send(&second, SV(GET));
	client_send(&late, SV(GET));
	turn_until(&s, NULL, two_asked);
	turn_until(&s, NULL, has_turned);
	answer_dot(&s, s.replies.at[0], NULL);
	turn_until(&s, NULL, three_asked);
	turn_until(&s, &first, has_ended);
	CHECK_INT(first.ended, 1);
	CHECK(sv_starts(sv_of(&first.got), SV("HTTP/1.1 200 OK\r\n")));
}

TEST(a_new_client_takes_the_place_of_an_idle_connection)
{
	SMALL_STAGE(s);
	CLIENT(first, &s);
	CLIENT(second, &s);
	CLIENT(late, &s);

	client_close(&late);
	s.answer = answer_dot;
	client_send(&first, SV(GET));
	turn_until(&s, &first, got_something);
	client_send(&second, SV(GET));
	turn_until(&s, &second, got_something);
	client_open(&late, &s);
	client_send(&late, SV(GET));
	turn_until(&s, &late, got_something);
	turn_until(&s, &first, has_ended);
	str_truncate(&second.got, 0);
	client_send(&second, SV(GET));
	turn_until(&s, &second, got_something);
	CHECK_INT(s.requests, 4);
}

TEST(freeing_the_server_drops_what_is_under_way)
{
	STAGE(s);
	CLIENT(c, &s);
	CLIENT(idle, &s);

	client_send(&c, SV(GET));
	turn_until(&s, &c, is_asked);
	server_freep(&s.server);
	loop_run(s.loop);
	while (!c.ended)
		client_listen(&c);
	CHECK_INT(s.gone, 0);
}

static void free_the_server(struct stage *s, __attribute__((unused)) struct reply *reply,
			    __attribute__((unused)) const struct server_request *request)
{
	server_freep(&s->server);
}

TEST(a_handler_may_free_the_server)
{
	STAGE(s);
	CLIENT(c, &s);

	s.answer = free_the_server;
	client_send(&c, SV(GET));
	loop_run(s.loop);
	CHECK(!s.server);
}

TEST(an_address_that_cannot_be_bound_is_named)
{
	STAGE(s);
	struct err err = ERR_INIT;
	struct server_opts opts = { .on_request = on_request, .port = server_port(s.server) };

	CHECK(!server_new(s.loop, &opts, &err));
	CHECK_ERR(err, ERR_BUSY, "127.0.0.1 port ");
	opts = (struct server_opts){ .on_request = on_request, .address = "nowhere" };
	CHECK(!server_new(s.loop, &opts, &err));
	CHECK_ERR(err, ERR_INVALID, "nowhere");
	opts.address = "127.0.0.1";
	opts.port = 70000;
	CHECK(!server_new(s.loop, &opts, &err));
	CHECK_ERR(err, ERR_INVALID, "70000");
}
