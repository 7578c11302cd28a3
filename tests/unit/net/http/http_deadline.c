/* Each deadline ends the request by its own name. The moments are short so that
 * the tests are; none is measured. */
#include <stdio.h>

#include "net/http.h"
#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "sys/timer.h"
#include "test.h"

enum { SOON = 20, NEVER = HTTP_NO_DEADLINE };

TEST(a_connection_that_is_not_made_in_time_is_given_up)
{
	defer(deaf_close) struct deaf deaf;
	char url[64];

	deaf_open(&deaf);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", deaf.port);
	{
		FETCH(f, NULL);

		fetch_start(&f, &(struct http_request){ .url = url, .connect_ms = SOON });
		fetch_run(&f);
		CHECK_ERR(f.why, ERR_TIMEOUT_CONNECT, "no connection in time");
	}
}

TEST(an_answer_that_does_not_begin_in_time_is_given_up)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 102 Processing\r\n\r\n"), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){
				.url = peer.url, .first_byte_ms = SOON, .idle_ms = NEVER });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_TIMEOUT_FIRST_BYTE, "no answer in time");
}

TEST(an_answer_that_falls_silent_is_given_up_after_what_had_come)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\nab"), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){
				.url = peer.url, .first_byte_ms = NEVER, .idle_ms = SOON });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_TIMEOUT_IDLE, "stopped in the middle");
	CHECK_SV(sv_of(&f.body), "ab");
}

TEST(a_request_that_is_not_complete_in_time_is_given_up_however_busy)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\n"),
	     { .kind = ACT_FLOOD, .bytes = SV_INIT("x") });
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){ .url = peer.url, .total_ms = SOON });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_TIMEOUT, "not complete in time");
}

static void pause_once(struct fetch *f)
{
	if (f->pieces == 1)
		http_pause(f->op, true);
}

static void open_gate(__attribute__((unused)) struct op *op, void *owner,
		      __attribute__((unused)) const struct err *why)
{
	atomic_store(&((struct fetch *)owner)->peer->gate, true);
}

static void resume_when_played(struct fetch *f)
{
	if (atomic_load(&f->peer->played))
		http_pause(f->op, false);
}

TEST(the_idle_clock_stands_still_for_a_paused_reader)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\nab"), DO(GATE),
	     SEND("cd"));
	FETCH(f, &peer);

	f.on_piece = pause_once;
	f.on_turn = resume_when_played;
	timer_start(f.loop, 10 * SOON, THEN(open_gate, &f));
	fetch_start(&f, &(struct http_request){
				.url = peer.url, .first_byte_ms = NEVER, .idle_ms = SOON });
	fetch_run(&f);
	CHECK_OK(f.why.kind == ERR_NONE, f.why);
	CHECK_SV(sv_of(&f.body), "abcd");
}

static void resume_and_open_gate(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;

	http_pause(f->op, false);
	open_gate(op, owner, why);
}

/* The server sends the rest only after the pause, which was longer than it may be silent. */
TEST(the_idle_clock_starts_again_after_a_pause)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\nab"), DO(GATE),
	     SEND("cd"));
	FETCH(f, &peer);

	f.on_piece = pause_once;
	timer_start(f.loop, 60 * SOON, THEN(resume_and_open_gate, &f));
	fetch_start(&f, &(struct http_request){
				.url = peer.url, .first_byte_ms = NEVER, .idle_ms = 50 * SOON });
	fetch_run(&f);
	CHECK_OK(f.why.kind == ERR_NONE, f.why);
	CHECK_SV(sv_of(&f.body), "abcd");
}

TEST(a_failure_does_not_wait_for_a_paused_reader)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n\r\nab"), DO(HANGUP));
	FETCH(f, &peer);

	f.on_piece = pause_once;
	fetch_start(&f, &(struct http_request){ .url = peer.url, .total_ms = SOON });
	fetch_run(&f);
	CHECK_INT(f.why.kind, ERR_TIMEOUT);
}
