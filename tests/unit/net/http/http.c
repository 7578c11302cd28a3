#include "net/http.h"

#include <stdio.h>

#include "base/limits.h"
#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "sys/timer.h"
#include "test.h"

#define OK_EMPTY "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

TEST(a_response_comes_as_one_head_then_its_body_then_done)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST),
	     SEND("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nX-One:  a \r\n\r\nhello"));
	FETCH(f, &peer);

	fetch_get(&f);
	CHECK_INT(f.dones, 1);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_INT(f.heads, 1);
	CHECK_INT(f.status, 404);
	CHECK_INT(f.version, 11);
	CHECK_SV(sv_of(&f.headers), "Content-Length: 5\nX-One: a\n");
	CHECK_SV(sv_of(&f.body), "hello");
}

TEST(a_header_is_found_in_any_case_and_a_missing_one_is_empty)
{
	static const struct http_header headers[] = {
		{ SV_INIT("Retry-After"), SV_INIT("7") },
		{ SV_INIT("retry-after"), SV_INIT("8") },
	};
	struct http_head head = { .headers = headers, .nheaders = countof(headers) };

	CHECK_SV(http_header(&head, "RETRY-after"), "7");
	CHECK_SV(http_header(&head, "Retry"), "");
}

TEST(a_body_without_a_length_ends_with_the_connection)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.0 200 OK\r\n\r\nab"), DO(TURNS),
	     SEND("cd"));
	FETCH(f, &peer);

	fetch_get(&f);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_INT(f.version, 10);
	CHECK_SV(sv_of(&f.body), "abcd");
}

TEST(a_request_is_sent_as_it_was_given_its_slices_one_after_the_other)
{
	static const struct http_header headers[] = {
		{ SV_INIT("x-api-key"), SV_INIT("k e y") },
		{ SV_INIT("content-type"), SV_INIT("application/json") },
		{ SV_INIT("x-empty"), SV_INIT("  ") },
		{ SV_INIT("accept-encoding"), SV_INIT("identity") },
	};
	const struct sv body[] = { SV("{\"a\":"), SV(""), SV("1"), SV("}") };
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(OK_EMPTY));
	FETCH(f, &peer);
	defer(str_clear) struct str expected = STR_INIT;

	fetch_start(&f, &(struct http_request){ .url = peer.url,
						.headers = headers,
						.nheaders = countof(headers),
						.body = body,
						.nbody = countof(body) });
	fetch_run(&f);
	peer_stop(&peer);
	CHECK_INT(f.why.kind, ERR_NONE);
	str_addf(&expected,
		 "POST / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: awl/" AWL_VERSION
		 "\r\nAccept: */*\r\nx-api-key: k e y\r\ncontent-type: application/json\r\n"
		 "x-empty:\r\naccept-encoding: identity\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
		 peer.port);
	CHECK_SV_EQ(sv_of(&peer.seen), sv_of(&expected));
}

TEST(every_method_says_whether_it_has_a_body)
{
	static const struct {
		const char *method;
		bool body;
		struct sv line, length;
	} cases[] = {
		{ NULL, false, SV_INIT("GET / "), SV_INIT("") },
		{ NULL, true, SV_INIT("POST / "), SV_INIT("Content-Length: 1\r\n") },
		{ "HEAD", false, SV_INIT("HEAD / "), SV_INIT("") },
		{ "POST", false, SV_INIT("POST / "), SV_INIT("Content-Length: 0\r\n") },
		{ "PUT", false, SV_INIT("PUT / "), SV_INIT("Content-Length: 0\r\n") },
		{ "PUT", true, SV_INIT("PUT / "), SV_INIT("Content-Length: 1\r\n") },
		{ "DELETE", false, SV_INIT("DELETE / "), SV_INIT("") },
		{ "DELETE", true, SV_INIT("DELETE / "), SV_INIT("Content-Length: 1\r\n") },
		{ "GET", true, SV_INIT("GET / "), SV_INIT("Content-Length: 1\r\n") },
	};
	const struct sv body = SV("x");

	for (size_t i = 0; i < countof(cases); i++) {
		PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(OK_EMPTY));
		FETCH(f, &peer);

		fetch_start(&f, &(struct http_request){ .url = peer.url,
							.method = cases[i].method,
							.body = &body,
							.nbody = cases[i].body });
		fetch_run(&f);
		peer_stop(&peer);
		CHECK_OK(f.why.kind == ERR_NONE, f.why);
		CHECK(sv_starts(sv_of(&peer.seen), cases[i].line));
		if (cases[i].length.len)
			CHECK(sv_find(sv_of(&peer.seen), cases[i].length) != SIZE_MAX);
		else
			CHECK(sv_find(sv_of(&peer.seen), SV("Content-Length")) == SIZE_MAX);
		CHECK(sv_find(sv_of(&peer.seen), SV("Content-Type")) == SIZE_MAX);
		CHECK(sv_find(sv_of(&peer.seen), SV("Expect")) == SIZE_MAX);
	}
}

TEST(a_response_to_HEAD_is_complete_without_the_body_it_announces)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
	     DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){ .url = peer.url, .method = "HEAD" });
	fetch_run(&f);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&f.headers), "Content-Length: 9\n");
	CHECK_INT(f.pieces, 0);
}

TEST(a_connection_is_used_again)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(OK_EMPTY), DO(REQUEST), SEND(OK_EMPTY));
	FETCH(f, &peer);

	fetch_get(&f);
	fetch_get(&f);
	peer_stop(&peer);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_INT(f.dones, 2);
	CHECK_INT(peer.accepted, 1);
}

TEST(a_request_that_meets_a_dead_connection_is_sent_whole_on_a_new_one)
{
	const struct sv body[] = { SV("one "), SV("two") };
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(OK_EMPTY), DO(REQUEST), DO(ACCEPT), DO(REQUEST),
	     SEND(OK_EMPTY));
	FETCH(f, &peer);
	struct sv seen;
	size_t at;

	fetch_get(&f);
	fetch_start(&f, &(struct http_request){ .url = peer.url, .body = body, .nbody = 2 });
	fetch_run(&f);
	peer_stop(&peer);
	CHECK_OK(f.why.kind == ERR_NONE, f.why);
	CHECK_INT(peer.accepted, 2);
	seen = sv_of(&peer.seen);
	at = sv_find(seen, SV("\r\n\r\none two"));
	CHECK(at != SIZE_MAX);
	CHECK(sv_ends(sv_skip(seen, at + 8), SV("\r\n\r\none two")));
}

TEST(a_preconnect_leaves_a_connection_that_the_request_takes)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(OK_EMPTY), DO(HANGUP));
	FETCH(f, &peer);

	http_preconnect(f.http, peer.url);
	loop_run(f.loop);
	http_preconnect(f.http, peer.url);
	http_preconnect(f.http, "not a URL");
	loop_run(f.loop);
	fetch_get(&f);
	http_freep(&f.http);
	peer_stop(&peer);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_INT(peer.accepted, 1);
	CHECK(sv_starts(sv_of(&peer.seen), SV("GET / ")));
	CHECK(sv_find(sv_of(&peer.seen), SV("If-Modified-Since")) == SIZE_MAX);
}

TEST(a_client_can_be_freed_while_a_preconnect_is_under_way)
{
	defer(deaf_close) struct deaf deaf;
	char url[64];

	deaf_open(&deaf);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", deaf.port);
	{
		FETCH(f, NULL);

		http_preconnect(f.http, url);
	}
}

static void count_done(__attribute__((unused)) struct op *op, void *owner,
		       __attribute__((unused)) const struct err *why)
{
	++*(int *)owner;
}

TEST(the_library_can_be_loaded_ahead_on_a_worker)
{
	defer(loop_freep) struct loop *loop = loop_new();
	int loaded = 0;

	http_preload(loop, THEN(count_done, &loaded));
	loop_run(loop);
	CHECK_INT(loaded, 1);
}

TEST(a_packed_response_is_unpacked_unless_the_caller_chose_the_encoding)
{
	static const struct http_header own = { SV_INIT("Accept-Encoding"), SV_INIT("gzip") };
	struct sv packed = SV("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x07"
			      "\x00\x86\xa6\x10\x36\x05\x00\x00\x00");

	for (size_t chosen = 0; chosen < 2; chosen++) {
		PEER(peer, DO(ACCEPT), DO(REQUEST),
		     SEND("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), SEND_BYTES(packed));
		FETCH(f, &peer);

		fetch_start(&f, &(struct http_request){
					.url = peer.url, .headers = &own, .nheaders = chosen });
		fetch_run(&f);
		peer_stop(&peer);
		CHECK_INT(f.why.kind, ERR_NONE);
		CHECK_SV_EQ(sv_of(&f.body), chosen ? packed : SV("hello"));
		CHECK(sv_find(sv_of(&peer.seen), SV("Accept-Encoding: gzip\r\n")) != SIZE_MAX);
	}
}

/* Pauses at every piece and goes on a thousand turns later; gives up at last. */
static void pause_on_piece(struct fetch *f)
{
	http_pause(f->op, true);
	f->turns = 0;
}

static void resume_later(struct fetch *f)
{
	if (!f->pieces || f->turns < 1000)
		return;
	if (f->pieces == 4)
		op_cancel(f->op);
	else
		http_pause(f->op, false);
}

TEST(a_paused_reader_gets_nothing_and_holds_the_peer_back)
{
	static const char zeroes[65536];
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\n"),
	     { .kind = ACT_FLOOD, .bytes = { zeroes, sizeof(zeroes) } });
	FETCH(f, &peer);

	f.on_piece = pause_on_piece;
	f.on_turn = resume_later;
	fetch_get(&f);
	CHECK_INT(f.why.kind, ERR_CANCELLED);
	CHECK_INT(f.pieces, 4);
	CHECK(f.body.len <= 4 * (LIMIT_HTTP_BUFFER + 16 * KIB));
	CHECK(atomic_load(&peer.sent) < 32 * MIB);
}

static void pause_once(struct fetch *f)
{
	if (f->pieces == 1)
		http_pause(f->op, true);
}

static void resume_when_played(struct fetch *f)
{
	if (atomic_load(&f->peer->played))
		http_pause(f->op, false);
}

TEST(a_reader_that_paused_gets_every_byte_before_done)
{
	defer(str_clear) struct str body = STR_INIT;

	for (int i = 0; i < 200000; i++)
		str_addf(&body, "%d ", i);
	{
		PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\n"),
		     SEND_BYTES(sv_of(&body)));
		FETCH(f, &peer);

		f.on_piece = pause_once;
		f.on_turn = resume_when_played;
		fetch_get(&f);
		CHECK_INT(f.why.kind, ERR_NONE);
		CHECK_SV_EQ(sv_of(&f.body), sv_of(&body));
	}
}

static void restart(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;

	CHECK(!why);
	if (++f->dones < 3)
		f->op = http_start(f->http, &(struct http_request){ .url = f->peer->url },
				   THEN(restart, f));
	else
		f->op = NULL;
	(void)op;
}

TEST(a_request_may_be_started_from_the_end_of_another)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(OK_EMPTY), DO(REQUEST), SEND(OK_EMPTY),
	     DO(REQUEST), SEND(OK_EMPTY));
	FETCH(f, &peer);

	f.op = http_start(f.http, &(struct http_request){ .url = peer.url }, THEN(restart, &f));
	fetch_run(&f);
	CHECK_INT(f.dones, 3);
}
