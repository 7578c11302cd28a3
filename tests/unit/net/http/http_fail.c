/* Every way a request can fail has its own kind, and its text tells no secret. */
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "net/http.h"
#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "test.h"

TEST(a_request_that_cannot_be_meant_is_refused_before_anything_is_sent)
{
	static const struct {
		struct http_request request;
		const char *text;
	} cases[] = {
		{ { .url = "ftp://host/" }, "neither with http:// nor with https://" },
		{ { .url = "file:///etc/passwd" }, "neither with http:// nor with https://" },
		{ { .url = "host/path" }, "neither with http:// nor with https://" },
		{ { .url = "" }, "neither with http:// nor with https://" },
		{ { .url = "http://" }, "no host" },
		{ { .url = "http://user:pass@/x" }, "no host" },
		{ { .url = "https://b\303\274cher.example/" }, "xn--" },
		{ { .url = "http://host:http/" }, "port" },
		{ { .url = "http://host:65536/" }, "port" },
		{ { .url = "http://[::1]x/" }, "port" },
		{ { .url = "http://ho st/" }, "at byte 10" },
		{ { .url = "http://host/\r\nHost: other" }, "at byte 13" },
		{ { .url = "http://host\\@other/" }, "at byte 12" },
		{ { .url = "http://host/", .method = "GE T" }, "method" },
		{ { .url = "http://host/", .method = "" }, "method" },
		{ { .url = "http://host/", .method = "GET / HTTP/1.1\r\nX: y" }, "method" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		FETCH(f, NULL);

		fetch_start(&f, &cases[i].request);
		CHECK_INT(f.dones, 0);
		fetch_run(&f);
		CHECK_INT(f.dones, 1);
		CHECK_ERR(f.why, ERR_INVALID, cases[i].text);
		CHECK(!strstr(f.why.text, "pass"));
	}
}

TEST(a_header_cannot_smuggle_in_another)
{
	static const struct http_header cases[] = {
		{ SV_INIT("a"), SV_INIT("b\r\nc: d") },
		{ SV_INIT("a"), SV_INIT("b\nc") },
		{ SV_INIT("a"), SV_INIT("b\rc") },
		{ SV_INIT("a"), SV_INIT("b\0c") },
		{ SV_INIT("a\r\nb"), SV_INIT("c") },
		{ SV_INIT("a: b"), SV_INIT("c") },
		{ SV_INIT(""), SV_INIT("c") },
		{ SV_INIT("a\0b"), SV_INIT("c") },
		{ SV_INIT("a b"), SV_INIT("c") },
		{ SV_INIT("Content-Length"), SV_INIT("7") },
		{ SV_INIT("Transfer-Encoding"), SV_INIT("chunked") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		FETCH(f, NULL);

		fetch_start(&f, &(struct http_request){ .url = "http://host/",
							.headers = &cases[i],
							.nheaders = 1 });
		fetch_run(&f);
		CHECK_INT(f.why.kind, ERR_INVALID);
	}
}

TEST(a_failure_names_scheme_host_and_port_and_no_secret)
{
	FETCH(f, NULL);
	char url[128], expected[128];
	int port, held = unused_port(&port);

	snprintf(url, sizeof(url), "http://me:hush@127.0.0.1:%d/path?key=hush", port);
	snprintf(expected, sizeof(expected), "http://127.0.0.1:%d: Connection refused", port);
	fetch_start(&f, &(struct http_request){ .url = url });
	fetch_run(&f);
	close(held);
	CHECK_INT(f.why.kind, ERR_REFUSED);
	CHECK_STR(f.why.text, expected);
}

TEST(a_host_that_does_not_exist_is_a_failure_of_DNS)
{
	FETCH(f, NULL);

	fetch_start(&f, &(struct http_request){ .url = "http://no-such-host.invalid/" });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_DNS, "http://no-such-host.invalid: ");
}

TEST(a_peer_that_speaks_nonsense_is_a_failure_of_protocol)
{
	static const struct sv cases[] = {
		SV_INIT("SSH-2.0-OpenSSH_9.2\r\n"),
		SV_INIT("HTTP/1.1 abc OK\r\n\r\n"),
		SV_INIT("HTTP/1.1\r\n\r\n"),
		SV_INIT("HTTP/1.1 99999 OK\r\n\r\n"),
		SV_INIT("HTTP/7.3 200 OK\r\n\r\n"),
		SV_INIT("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n"),
		SV_INIT("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
			"ffffffffffffffffff\r\nx"),
		SV_INIT("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"),
		SV_INIT("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"),
		SV_INIT("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nthis is not gzip"),
		SV_INIT("\r\n\r\n\r\n"),
		SV_INIT("\0\0\0\0\0\0\0\0"),
	};

	for (size_t i = 0; i < countof(cases); i++) {
		PEER(peer, DO(ACCEPT), DO(REQUEST), SEND_BYTES(cases[i]), DO(TURNS));
		FETCH(f, &peer);

		fetch_get(&f);
		if (f.why.kind != ERR_PROTOCOL)
			fail_msg("case %zu: %s \"%s\"", i, err_kind_name(f.why.kind), f.why.text);
	}
}

TEST(a_connection_reset_in_the_middle_is_a_reset_after_what_had_come)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"),
	     DO(TURNS), DO(RESET));
	FETCH(f, &peer);

	fetch_get(&f);
	CHECK_ERR(f.why, ERR_RESET, "closed in the middle");
	CHECK_SV(sv_of(&f.body), "ab");
}

TEST(a_body_longer_than_allowed_is_too_big)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST),
	     SEND("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd"), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){ .url = peer.url, .max_body = 3 });
	fetch_run(&f);
	CHECK_ERR(f.why, ERR_TOO_BIG, "longer than 3 bytes");
	CHECK_INT(f.dones, 1);
}

TEST(a_body_exactly_as_long_as_allowed_is_not_too_big)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST),
	     SEND("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd"), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){ .url = peer.url, .max_body = 4 });
	fetch_run(&f);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&f.body), "abcd");
}

TEST(a_header_without_end_is_too_big)
{
	static const struct sv cases[] = { SV_INIT("X: y\r\n"),
					   SV_INIT("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") };

	for (size_t i = 0; i < countof(cases); i++) {
		PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\nA: "),
		     { .kind = ACT_FLOOD, .bytes = cases[i] });
		FETCH(f, &peer);

		fetch_get(&f);
		CHECK_INT(f.why.kind, ERR_TOO_BIG);
		CHECK_INT(f.heads, 0);
		CHECK(atomic_load(&peer.sent) < 32 * MIB);
	}
}
