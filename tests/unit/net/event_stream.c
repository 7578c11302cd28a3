#include "net/event_stream.h"

#include "base/limits.h"
#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "test.h"

#define STREAM "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

/* All that the owner of one stream was told. */
struct received {
	struct fetch *client; /* whose op is the stream */
	struct str events;    /* "type=data;" each */
	struct err why;
	int heads, dones;
	bool refused;
	int status;
	struct str retry_after, body;
	bool cancel; /* at the first event */
};

static void received_clear(struct received *h)
{
	str_clear(&h->events);
	str_clear(&h->retry_after);
	str_clear(&h->body);
}

static void on_head(void *owner, __attribute__((unused)) const struct http_head *head)
{
	((struct received *)owner)->heads++;
}

static void on_event(void *owner, const struct sse_event *event)
{
	struct received *h = owner;

	str_addf(&h->events, "%.*s=%.*s;", SV_ARG(event->type), SV_ARG(event->data));
	if (h->cancel)
		op_cancel(h->client->op);
}

static void on_done(struct op *op, void *owner, const struct err *why)
{
	const struct events_refusal *refusal = events_refusal(op);
	struct received *h = owner;

	h->dones++;
	h->client->op = NULL;
	if (why)
		h->why = *why;
	h->refused = refusal != NULL;
	if (!refusal)
		return;
	h->status = refusal->head.status;
	str_add(&h->retry_after, http_header(&refusal->head, "retry-after"));
	str_add(&h->body, refusal->body);
}

static void listen_to(struct received *h, struct peer *peer)
{
	FETCH(f, peer);

	h->client = &f;
	f.op = events_start(f.http, &(struct http_request){ .url = peer->url, .on_head = on_head },
			    on_event, THEN(on_done, h));
	loop_post(f.loop, &f.tick);
	fetch_run(&f);
	CHECK_INT(h->dones, 1);
}

TEST(events_come_whole_wherever_the_stream_is_split)
{
	struct sv events = SV("event: a\ndata: 1\n\ndata: 2\ndata: 3\n\n: ping\n\n");

	for (size_t k = 0; k <= events.len; k++) {
		PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(STREAM),
		     SEND_BYTES(sv_slice(events, 0, k)), DO(TURNS), SEND_BYTES(sv_skip(events, k)));
		defer(received_clear) struct received h = { .dones = 0 };

		listen_to(&h, &peer);
		peer_stop(&peer);
		CHECK_OK(h.why.kind == ERR_NONE, h.why);
		CHECK_SV(sv_of(&h.events), "a=1;message=2\n3;");
		CHECK(!h.refused);
		CHECK_INT(h.heads, 1);
		CHECK(sv_find(sv_of(&peer.seen), SV("Accept: text/event-stream\r\n")) != SIZE_MAX);
		CHECK(sv_find(sv_of(&peer.seen), SV("Accept-Encoding: identity\r\n")) != SIZE_MAX);
	}
}

TEST(a_stream_that_ends_inside_an_event_was_cut)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(STREAM "data: 1\n\ndata: 2\n"));
	defer(received_clear) struct received h = { .dones = 0 };

	listen_to(&h, &peer);
	CHECK_ERR(h.why, ERR_RESET, "inside an event, at byte 17");
	CHECK_SV(sv_of(&h.events), "message=1;");
}

TEST(a_stream_whose_connection_is_lost_tells_how_far_it_came)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(STREAM "data: 1\n\n"), DO(TURNS), DO(RESET));
	defer(received_clear) struct received h = { .dones = 0 };

	listen_to(&h, &peer);
	CHECK_ERR(h.why, ERR_RESET, "in the middle, after 9 bytes of events");
	CHECK_SV(sv_of(&h.events), "message=1;");
}

TEST(an_answer_that_is_no_stream_is_handed_over_whole)
{
	static const struct {
		struct sv answer;
		int status;
		const char *body;
	} cases[] = {
		{ SV_INIT("HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 9\r\n"
			  "Content-Type: application/json\r\n\r\n{\"a\":\"b\"}"),
		  429, "{\"a\":\"b\"}" },
		{ SV_INIT("HTTP/1.1 500 Oh\r\nRetry-After: 7\r\nContent-Type: text/event-stream\r\n"
			  "Content-Length: 0\r\n\r\n"),
		  500, "" },
		{ SV_INIT("HTTP/1.1 200 OK\r\nRetry-After: 7\r\nContent-Length: 2\r\n"
			  "Content-Type: text/html\r\n\r\nhi"),
		  200, "hi" },
		{ SV_INIT("HTTP/1.1 200 OK\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nhi"), 200,
		  "hi" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		PEER(peer, DO(ACCEPT), DO(REQUEST), SEND_BYTES(cases[i].answer));
		defer(received_clear) struct received h = { .dones = 0 };

		listen_to(&h, &peer);
		CHECK_ERR(h.why, ERR_PROTOCOL, "not an event stream");
		CHECK(h.refused);
		CHECK_INT(h.status, cases[i].status);
		CHECK_SV(sv_of(&h.retry_after), "7");
		CHECK_STR(str_c(&h.body), cases[i].body);
		CHECK_INT(h.events.len, 0);
	}
}

TEST(an_answer_cut_short_that_is_no_stream_is_handed_over_as_far_as_it_came)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST),
	     SEND("HTTP/1.1 529 Busy\r\nContent-Length: 9\r\n\r\n{\"a"), DO(TURNS));
	defer(received_clear) struct received h = { .dones = 0 };

	listen_to(&h, &peer);
	CHECK_INT(h.why.kind, ERR_RESET);
	CHECK_INT(h.status, 529);
	CHECK_SV(sv_of(&h.body), "{\"a");
}

TEST(of_an_endless_answer_that_is_no_stream_only_the_start_is_taken)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 500 Oh\r\n\r\n"),
	     { .kind = ACT_FLOOD, .bytes = SV_INIT("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") });
	defer(received_clear) struct received h = { .dones = 0 };

	listen_to(&h, &peer);
	CHECK_INT(h.why.kind, ERR_PROTOCOL);
	CHECK_INT(h.body.len, LIMIT_HTTP_ERROR);
}

TEST(a_reader_that_cancels_gets_no_further_event)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(STREAM "data: 1\n\ndata: 2\n\n"), DO(HANGUP));
	defer(received_clear) struct received h = { .cancel = true };

	listen_to(&h, &peer);
	CHECK_INT(h.why.kind, ERR_CANCELLED);
	CHECK_SV(sv_of(&h.events), "message=1;");
}
