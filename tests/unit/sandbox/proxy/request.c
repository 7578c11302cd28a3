#include "sandbox/proxy/request.h"

#include "base/limits.h"
#include "test.h"

struct wire_case {
	struct sv bytes;
	enum proxy_request_state state;
	const char *host;
	int port;
	struct sv rest, request;
};

#define SOCKS_HELLO  "\5\1\0"
#define SOCKS_ASK    "\5\1\0\3"
#define SOCKS_ASK_V4 "\5\1\0\1"

static const struct wire_case cases[] = {
	{ SV_INIT("CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\nhello"),
	  PROXY_REQUEST_COMPLETE, "example.org", 443, SV_INIT("hello"), SV_INIT("") },
	{ SV_INIT("CONNECT [::1]:443 HTTP/1.1\r\n\r\n"), PROXY_REQUEST_COMPLETE, "::1", 443,
	  SV_INIT(""), SV_INIT("") },
	{ SV_INIT("GET http://Example.org/a?b HTTP/1.1\r\nHost: other\r\nX: y\r\n"
		  "Proxy-Authorization: z\r\nConnection: keep-alive\r\n\r\nbody"),
	  PROXY_REQUEST_COMPLETE, "example.org", 80, SV_INIT("body"),
	  SV_INIT("GET /a?b HTTP/1.1\r\nHost: Example.org\r\nX: y\r\nConnection: close\r\n\r\n") },
	{ SV_INIT("GET http://example.org:8080?q HTTP/1.0\r\n\r\n"), PROXY_REQUEST_COMPLETE,
	  "example.org", 8080, SV_INIT(""),
	  SV_INIT("GET /?q HTTP/1.1\r\nHost: example.org:8080\r\nConnection: close\r\n\r\n") },
	{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\13example.org\1\273tail"), PROXY_REQUEST_COMPLETE,
	  "example.org", 443, SV_INIT("tail"), SV_INIT("") },
	{ SV_INIT("\5\2\2\0" SOCKS_ASK_V4 "\12\0\0\1\0\120"), PROXY_REQUEST_COMPLETE, "10.0.0.1",
	  80, SV_INIT(""), SV_INIT("") },
	{ SV_INIT(SOCKS_HELLO "\5\1\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\120"),
	  PROXY_REQUEST_COMPLETE, "::1", 80, SV_INIT(""), SV_INIT("") },

	/* malformed */
	{ SV_INIT("CONNECT example.org HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("CONNECT ::1:443 HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("CONNECT example.org:0 HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("CONNECT example.org:4294967739 HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("CONNECT evil.example\0.example.org:443 HTTP/1.1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("CONNECT example.org:443\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET https://example.org/ HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET http://user@example.org/ HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET http://example.org\\@evil.example/ HTTP/1.1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET http://example.org/ HTTP/1.1\r\nbad header\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET http://example.org/ HTTP/1.1\r\nX: a\rb\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("GET http://ex\xc3\xa4mple.org/ HTTP/1.1\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("\4\1\0\120\1\2\3\4\0\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("\5\1\2"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("\5\0"), PROXY_REQUEST_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\5\2\0\3\1a\0\120"), PROXY_REQUEST_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\5\3\0\3\1a\0\120"), PROXY_REQUEST_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\5\1\0\2\1a\0\120"), PROXY_REQUEST_REFUSED },
	{ SV_INIT(SOCKS_HELLO "\4\1\0\3\1a\0\120"), PROXY_REQUEST_REFUSED },
	{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\0\1\273"), PROXY_REQUEST_REFUSED },
	/* The end of a request must be unambiguous. */
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: "
		  "chunked\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 0x1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length:\r\n\r\n"), PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\nContent-Length : 1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT("POST http://a.b/ HTTP/1.1\r\n Content-Length: 1\r\n\r\n"),
	  PROXY_REQUEST_REFUSED },
	{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\31evil.example\0.example.org\1\273"),
	  PROXY_REQUEST_REFUSED },
};

static void check_case(const struct wire_case *c, const struct proxy_request *r)
{
	if (r->state != c->state)
		print_error("%.*s: %d\n", SV_ARG(c->bytes), r->state);
	CHECK_INT(r->state, c->state);
	if (r->state != PROXY_REQUEST_COMPLETE)
		return;
	CHECK_STR(r->host.name, c->host);
	CHECK_INT(r->host.port, c->port);
	CHECK_SV_EQ(sv_of(&r->in), c->rest);
	CHECK_SV_EQ(sv_of(&r->head), c->request);
}

TEST(proxy_request_parses_any_split)
{
	for (size_t i = 0; i < countof(cases); i++) {
		for (size_t cut = 0; cut <= cases[i].bytes.len; cut++) {
			defer(proxy_request_clear) struct proxy_request r = PROXY_REQUEST_INIT;

			proxy_request_feed(&r, sv_slice(cases[i].bytes, 0, cut));
			proxy_request_feed(&r, sv_skip(cases[i].bytes, cut));
			check_case(&cases[i], &r);
		}
	}
}

TEST(proxy_request_waits_for_every_byte)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(proxy_request_clear) struct proxy_request r = PROXY_REQUEST_INIT;
		size_t head = cases[i].bytes.len - cases[i].rest.len;

		if (cases[i].state != PROXY_REQUEST_COMPLETE)
			continue;
		for (size_t n = 0; n + 1 < head; n++) {
			proxy_request_feed(&r, sv_slice(cases[i].bytes, n, n + 1));
			CHECK_INT(r.state, PROXY_REQUEST_PARTIAL);
		}
	}
}

TEST(proxy_request_has_a_limit)
{
	defer(proxy_request_clear) struct proxy_request r = PROXY_REQUEST_INIT;
	defer(str_clear) struct str filler = STR_INIT;

	while (filler.len < 1000)
		str_adds(&filler, "X: y\r\n");
	proxy_request_feed(&r, SV("GET http://example.org/ HTTP/1.1\r\n"));
	while (r.in.len + filler.len <= LIMIT_PROXY_HEAD)
		proxy_request_feed(&r, sv_of(&filler));
	CHECK_INT(r.state, PROXY_REQUEST_PARTIAL);
	proxy_request_feed(&r, sv_of(&filler));
	CHECK_INT(r.state, PROXY_REQUEST_REFUSED);
	CHECK(sv_starts(sv_of(&r.answer), SV("HTTP/1.1 403")));
}

TEST(proxy_request_answers_in_its_own_protocol)
{
	static const struct {
		struct sv bytes;
		struct sv open, denied;
	} talks[] = {
		{ SV_INIT("CONNECT a.b:1 HTTP/1.1\r\n\r\n"), SV_INIT("HTTP/1.1 200 "),
		  SV_INIT("HTTP/1.1 403 ") },
		{ SV_INIT("GET http://a.b/ HTTP/1.1\r\n\r\n"), SV_INIT(""),
		  SV_INIT("HTTP/1.1 403 ") },
		{ SV_INIT(SOCKS_HELLO SOCKS_ASK "\3a.b\0\1"), SV_INIT("\5\0\0\1\0\0\0\0\0\0"),
		  SV_INIT("\5\2\0\1\0\0\0\0\0\0") },
	};

	for (size_t i = 0; i < countof(talks); i++) {
		defer(proxy_request_clear) struct proxy_request r = PROXY_REQUEST_INIT;
		defer(str_clear) struct str open = STR_INIT;
		defer(str_clear) struct str denied = STR_INIT;

		proxy_request_feed(&r, talks[i].bytes);
		CHECK_INT(r.state, PROXY_REQUEST_COMPLETE);
		proxy_request_answer(&r, PROXY_CONNECTED, "", &open);
		proxy_request_answer(&r, PROXY_DENIED, "no", &denied);
		CHECK(sv_starts(sv_of(&open), talks[i].open));
		CHECK(sv_starts(sv_of(&denied), talks[i].denied));
	}
}
