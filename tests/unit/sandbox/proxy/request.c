#include "sandbox/proxy/request.h"

#include "base/limits.h"
#include "test.h"

struct wire_case {
	struct sv bytes;
	enum gate_state state;
	const char *host;
	int port;
	struct sv rest, request;
};

#define SOCKS_HELLO  "\5\1\0"
#define SOCKS_ASK    "\5\1\0\3"
#define SOCKS_ASK_V4 "\5\1\0\1"

static const struct wire_case cases[] = {
	{ SV_INIT("CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\nhello"), GATE_WANTS,
	  "example.org", 443, SV_INIT("hello"), SV_INIT("") },
	{ SV_INIT("CONNECT [::1]:443 HTTP/1.1\r\n\r\n"), GATE_WANTS, "::1", 443, SV_INIT(""),
	  SV_INIT("") },
	{ SV_INIT("GET http://Example.org/a?b HTTP/1.1\r\nHost: other\r\nX: y\r\n"
		  "Proxy-Authorization: z\r\nConnection: keep-alive\r\n\r\nbody"),
	  GATE_WANTS, "example.org", 80, SV_INIT("body"),
	  SV_INIT("GET /a?b HTTP/1.1\r\nHost: Example.org\r\nX: y\r\nConnection: close\r\n\r\n") },
	{ SV_INIT("GET http://example.org:8080?q HTTP/1.0\r\n\r\n"), GATE_WANTS, "example.org",
	  8080, SV_INIT(""),
	  SV_INIT("GET /?q HTTP/1.1\r\nHost: example.org:8080\r\nConnection: close\r\n\r\n") },
	{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\13example.org\1\273tail"), GATE_WANTS, "example.org", 443,
	  SV_INIT("tail"), SV_INIT("") },
	{ SV_INIT("\5\2\2\0" SOCKS_ASK_V4 "\12\0\0\1\0\120"), GATE_WANTS, "10.0.0.1", 80,
	  SV_INIT(""), SV_INIT("") },
	{ SV_INIT(SOCKS_HELLO "\5\1\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\120"), GATE_WANTS, "::1",
	  80, SV_INIT(""), SV_INIT("") },

	/* what is none */
	{ SV_INIT("CONNECT example.org HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("CONNECT ::1:443 HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("CONNECT example.org:0 HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("CONNECT example.org:4294967739 HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("CONNECT evil.example\0.example.org:443 HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("CONNECT example.org:443\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET https://example.org/ HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET http://user@example.org/ HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET http://example.org\\@evil.example/ HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET http://example.org/ HTTP/1.1\r\nbad header\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET http://example.org/ HTTP/1.1\r\nX: a\rb\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("GET http://ex\xc3\xa4mple.org/ HTTP/1.1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("\4\1\0\120\1\2\3\4\0\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("\5\1\2"), GATE_REFUSED },
	{ SV_INIT("\5\0"), GATE_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\5\2\0\3\1a\0\120"), GATE_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\5\3\0\3\1a\0\120"), GATE_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\5\1\0\2\1a\0\120"), GATE_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\4\1\0\3\1a\0\120"), GATE_REFUSED },
	{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\0\1\273"), GATE_REFUSED },
	/* Where a request ends must be as clear to everybody. */
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"),
	  GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: "
		  "chunked\r\n\r\n"),
	  GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 0x1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length:\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"),
	  GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length : 1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\n Content-Length: 1\r\n\r\n"), GATE_REFUSED },
	{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\31evil.example\0.example.org\1\273"), GATE_REFUSED },
};

static void check_case(const struct wire_case *c, const struct gate_wire *w)
{
	if (w->state != c->state)
		print_error("%.*s: %d\n", SV_ARG(c->bytes), w->state);
	CHECK_INT(w->state, c->state);
	if (w->state != GATE_WANTS)
		return;
	CHECK_STR(w->host.name, c->host);
	CHECK_INT(w->host.port, c->port);
	CHECK_SV_EQ(sv_of(&w->in), c->rest);
	CHECK_SV_EQ(sv_of(&w->request), c->request);
}

TEST(gate_wire_understands_requests_in_any_split)
{
	for (size_t i = 0; i < countof(cases); i++) {
		for (size_t cut = 0; cut <= cases[i].bytes.len; cut++) {
			defer(gate_wire_clear) struct gate_wire w = GATE_WIRE_INIT;

			gate_wire_feed(&w, sv_slice(cases[i].bytes, 0, cut));
			gate_wire_feed(&w, sv_skip(cases[i].bytes, cut));
			check_case(&cases[i], &w);
		}
	}
}

TEST(gate_wire_waits_for_every_byte)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(gate_wire_clear) struct gate_wire w = GATE_WIRE_INIT;
		size_t head = cases[i].bytes.len - cases[i].rest.len;

		if (cases[i].state != GATE_WANTS)
			continue;
		for (size_t n = 0; n + 1 < head; n++) {
			gate_wire_feed(&w, sv_slice(cases[i].bytes, n, n + 1));
			CHECK_INT(w.state, GATE_HEAD);
		}
	}
}

TEST(gate_wire_has_a_limit)
{
	defer(gate_wire_clear) struct gate_wire w = GATE_WIRE_INIT;
	defer(str_clear) struct str filler = STR_INIT;

	while (filler.len < 1000)
		str_adds(&filler, "X: y\r\n");
	gate_wire_feed(&w, SV("GET http://example.org/ HTTP/1.1\r\n"));
	while (w.in.len + filler.len <= LIMIT_GATE_HEAD)
		gate_wire_feed(&w, sv_of(&filler));
	CHECK_INT(w.state, GATE_HEAD);
	gate_wire_feed(&w, sv_of(&filler));
	CHECK_INT(w.state, GATE_REFUSED);
	CHECK(sv_starts(sv_of(&w.answer), SV("HTTP/1.1 403")));
}

TEST(gate_wire_answers_in_the_language_it_was_asked_in)
{
	static const struct {
		struct sv bytes;
		struct sv open, forbidden;
	} talks[] = {
		{ SV_INIT("CONNECT a.b:1 HTTP/1.1\r\n\r\n"), SV_INIT("HTTP/1.1 200 "),
		  SV_INIT("HTTP/1.1 403 ") },
		{ SV_INIT("GET http://a.b/ HTTP/1.1\r\n\r\n"), SV_INIT(""),
		  SV_INIT("HTTP/1.1 403 ") },
		{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\3a.b\0\1"), SV_INIT("\5\0\0\1\0\0\0\0\0\0"),
		  SV_INIT("\5\2\0\1\0\0\0\0\0\0") },
	};

	for (size_t i = 0; i < countof(talks); i++) {
		defer(gate_wire_clear) struct gate_wire w = GATE_WIRE_INIT;
		defer(str_clear) struct str open = STR_INIT;
		defer(str_clear) struct str forbidden = STR_INIT;

		gate_wire_feed(&w, talks[i].bytes);
		CHECK_INT(w.state, GATE_WANTS);
		gate_wire_answer(&w, GATE_OPEN, "", &open);
		gate_wire_answer(&w, GATE_FORBIDDEN, "no", &forbidden);
		CHECK(sv_starts(sv_of(&open), talks[i].open));
		CHECK(sv_starts(sv_of(&forbidden), talks[i].forbidden));
	}
}
