#include "net/server/incoming.h"

#include "base/limits.h"
#include "test.h"

#define POST "POST /v1/messages?beta=true HTTP/1.1\r\nHost: here\r\n"

/* Everything a request can be seen as, so that two readings can be compared. */
static void describe(struct str *out, const struct incoming *in, size_t left)
{
	str_addf(out, "%d -%zu ", (int)in->state, left);
	if (in->state == INCOMING_REFUSED) {
		str_addf(out, "%d %s", in->refusal_status, in->refusal);
		return;
	}
	if (in->state == INCOMING_HEAD)
		return;
	str_addf(out, "%.*s %.*s %d%s%s", SV_ARG(in->method), SV_ARG(in->path), in->version,
		 in->keep_alive ? " keep" : "", in->waits_for_100 ? " waits" : "");
	for (size_t i = 0; i < in->headers.n; i++)
		str_addf(out, " %.*s=%.*s", SV_ARG(in->headers.at[i].name),
			 SV_ARG(in->headers.at[i].value));
	str_addf(out, " [%.*s]", SV_ARG(sv_of(&in->body)));
}

/* Feeds `bytes` in pieces of at most `first`, then `step`. */
static void read_in_pieces(struct str *out, struct sv bytes, size_t first, size_t step)
{
	defer(incoming_clear) struct incoming in;
	size_t at = 0, n = first, took = SIZE_MAX;

	incoming_init(&in, 1000);
	while (at < bytes.len && took > 0) {
		took = incoming_feed(&in, sv_slice(bytes, at, at + n));
		at += took;
		n = step;
	}
	describe(out, &in, bytes.len - at);
}

static void check_read(struct sv bytes, const char *expected)
{
	defer(str_clear) struct str whole = STR_INIT;

	read_in_pieces(&whole, bytes, bytes.len, bytes.len);
	CHECK_STR(str_c(&whole), expected);
	for (size_t i = 0; i <= bytes.len; i++) {
		defer(str_clear) struct str split = STR_INIT;

		read_in_pieces(&split, bytes, max_of(i, (size_t)1), i ? bytes.len : 1);
		CHECK_STR(str_c(&split), expected);
	}
}

#define CHECK_READ(text, expected) check_read(SV(text), expected)

TEST(a_request_is_read_alike_however_it_is_split)
{
	CHECK_READ(POST "\r\n", "6 -0 POST /v1/messages?beta=true 11 keep Host=here []");
	CHECK_READ(POST "Content-Length: 5\r\nX-A:\t b \r\n\r\nhello",
		   "6 -0 POST /v1/messages?beta=true 11 keep Host=here Content-Length=5 X-A=b "
		   "[hello]");
	CHECK_READ("\r\n\r\nGET http://a:80/b HTTP/1.0\r\n\r\n", "6 -0 GET /b 10 []");
	CHECK_READ("GET http://a HTTP/1.0\r\nConnection: x, Keep-Alive\r\n\r\n",
		   "6 -0 GET / 10 keep Connection=x, Keep-Alive []");
	CHECK_READ("OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
		   "6 -0 OPTIONS * 11 host=a connection=close []");
}

TEST(a_chunked_body_is_joined)
{
	CHECK_READ(POST "Transfer-Encoding: Chunked\r\n\r\n"
			"5\r\nhello\r\n00A ; x=\"y\"\r\n 123456789\r\n0\r\nTrailer: t\r\n\r\n",
		   "6 -0 POST /v1/messages?beta=true 11 keep Host=here Transfer-Encoding=Chunked "
		   "[hello 123456789]");
}

TEST(bytes_after_the_request_are_left_alone)
{
	CHECK_READ(POST "Content-Length: 2\r\n\r\nhiGET / HTTP/1.1\r\n",
		   "6 -16 POST /v1/messages?beta=true 11 keep Host=here Content-Length=2 [hi]");
}

TEST(a_client_that_waits_for_100_is_noticed_only_when_a_body_follows)
{
	CHECK_READ(POST "Content-Length: 2\r\nExpect: 100-Continue\r\n\r\n",
		   "1 -0 POST /v1/messages?beta=true 11 keep waits Host=here Content-Length=2 "
		   "Expect=100-Continue []");
	CHECK_READ(POST "Expect: 100-continue\r\n\r\n",
		   "6 -0 POST /v1/messages?beta=true 11 keep Host=here Expect=100-continue []");
}

TEST(what_is_no_request_is_refused_with_its_status)
{
	static const struct {
		struct sv bytes;
		int status;
		const char *why;
	} cases[] = {
		{ SV_INIT("hello\r\n\r\n"), 400, "not an HTTP request" },
		{ SV_INIT("GET /\r\n\r\n"), 400, "no HTTP version" },
		{ SV_INIT("GET / FTP/1.1\r\n\r\n"), 400, "no HTTP version" },
		{ SV_INIT("GET / HTTP/2.0\r\n\r\n"), 505, "only HTTP/1.1" },
		{ SV_INIT("GET  / HTTP/1.1\r\n\r\n"), 400, "not an HTTP request" },
		{ SV_INIT("G(T / HTTP/1.1\r\n\r\n"), 400, "not an HTTP request" },
		{ SV_INIT("GET /\xc3\xa9 HTTP/1.1\r\n\r\n"), 400, "not an HTTP request" },
		{ SV_INIT("GET a HTTP/1.1\r\n\r\n"), 400, "no path" },
		{ SV_INIT("GET * HTTP/1.1\r\n\r\n"), 400, "no path" },
		{ SV_INIT("GET / HTTP/1.1\r\n\r\n"), 400, "no Host" },
		{ SV_INIT("GET / HTTP/1.1\nHost: a\n\n"), 400, "CR LF" },
		{ SV_INIT("GET / HTTP/1.1\rHost: a\r\n\r\n"), 400, "CR LF" },
		{ SV_INIT("\x16\x03\x01"), 400, "control character" },
		{ SV_INIT(POST "a\x01: b\r\n\r\n"), 400, "control character" },
		{ SV_INIT(POST "a : b\r\n\r\n"), 400, "header line" },
		{ SV_INIT(POST " folded\r\n\r\n"), 400, "header line" },
		{ SV_INIT(POST ": b\r\n\r\n"), 400, "header line" },
		{ SV_INIT(POST "Host: there\r\n\r\n"), 400, "said twice" },
		{ SV_INIT(POST "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400, "twice" },
		{ SV_INIT(POST "Content-Length: -1\r\n\r\n"), 400, "not a number" },
		{ SV_INIT(POST "Content-Length: 1001\r\n\r\n"), 413, "too long" },
		{ SV_INIT(POST "Content-Length: 99999999999999999999999999\r\n\r\n"), 413, "long" },
		{ SV_INIT(POST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400,
		  "two lengths" },
		{ SV_INIT(POST "Transfer-Encoding: gzip\r\n\r\n"), 501, "chunked" },
		{ SV_INIT("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400,
		  "two lengths" },
		{ SV_INIT(POST "Transfer-Encoding: chunked\r\n\r\nx\r\n"), 400, "not a number" },
		{ SV_INIT(POST "Transfer-Encoding: chunked\r\n\r\n\r\n"), 400, "no size" },
		{ SV_INIT(POST "Transfer-Encoding: chunked\r\n\r\n3e9\r\n"), 413, "too long" },
		{ SV_INIT(POST "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"), 413,
		  "too long" },
		{ SV_INIT(POST "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"), 400,
		  "longer than it says" },
		{ SV_INIT(POST "Transfer-Encoding: chunked\r\n\r\n1\n"), 400, "CR LF" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(incoming_clear) struct incoming in;

		incoming_init(&in, 1000);
		incoming_feed(&in, cases[i].bytes);
		CHECK_INT(in.state, INCOMING_REFUSED);
		CHECK_INT(in.refusal_status, cases[i].status);
		CHECK(strstr(in.refusal, cases[i].why) != NULL);
	}
}

/* Feeds `unit` until the request is refused or `max` bytes are in. */
static int feed_without_end(struct incoming *in, struct sv unit, size_t max)
{
	for (size_t at = 0; at < max && in->state != INCOMING_REFUSED; at += unit.len)
		incoming_feed(in, unit);
	return in->refusal_status;
}

TEST(a_head_without_end_is_refused_at_its_cap)
{
	static const struct sv units[] = { SV_INIT("x"), SV_INIT("x: y\r\n"),
					   SV_INIT("x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy") };

	for (size_t i = 0; i < countof(units); i++) {
		defer(incoming_clear) struct incoming in;

		incoming_init(&in, 1000);
		incoming_feed(&in, SV(POST));
		CHECK_INT(feed_without_end(&in, units[i], 2 * LIMIT_SERVER_HEAD), 431);
		CHECK(in.head.len <= LIMIT_SERVER_HEAD);
	}
}

TEST(lines_between_chunks_without_end_are_refused)
{
	static const struct sv units[] = { SV_INIT("1;xxxx"), SV_INIT("0\r\nx: y\r\nx: y\r\n") };

	for (size_t i = 0; i < countof(units); i++) {
		defer(incoming_clear) struct incoming in;

		incoming_init(&in, 1000);
		incoming_feed(&in, SV(POST "Transfer-Encoding: chunked\r\n\r\n"));
		CHECK_INT(feed_without_end(&in, units[i], 2 * LIMIT_SERVER_HEAD), 431);
	}
}

TEST(more_headers_than_the_cap_are_refused)
{
	defer(incoming_clear) struct incoming in;

	incoming_init(&in, 1000);
	incoming_feed(&in, SV(POST));
	for (size_t i = 0; i < LIMIT_SERVER_HEADERS; i++)
		incoming_feed(&in, SV("a: b\r\n"));
	incoming_feed(&in, SV("\r\n"));
	CHECK_INT(in.refusal_status, 431);
}

TEST(a_body_of_one_byte_chunks_passes_whole)
{
	defer(incoming_clear) struct incoming in;

	incoming_init(&in, 1 * MIB);
	incoming_feed(&in, SV(POST "Transfer-Encoding: chunked\r\n\r\n"));
	for (size_t i = 0; i < 1 * MIB; i++)
		incoming_feed(&in, SV("1\r\nx\r\n"));
	incoming_feed(&in, SV("0\r\n\r\n"));
	CHECK_INT(in.state, INCOMING_WHOLE);
	CHECK_INT(in.body.len, 1 * MIB);
}
