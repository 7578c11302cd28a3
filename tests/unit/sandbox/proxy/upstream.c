#include "sandbox/proxy/upstream.h"

#include "test.h"

TEST(upstream_proxy_reads_urls_of_proxies)
{
	static const struct {
		const char *url, *host; /* NULL: invalid */
		int port;
		const char *credentials;
	} cases[] = {
		{ "http://proxy.example:8080", "proxy.example", 8080, "" },
		{ "http://proxy.example:8080/", "proxy.example", 8080, "" },
		{ "HTTP://Proxy.Example", "proxy.example", 1080, "" },
		{ "proxy.example:3128", "proxy.example", 3128, "" },
		{ "10.0.0.1:3128", "10.0.0.1", 3128, "" },
		{ "http://[::1]:3128", "::1", 3128, "" },
		{ "http://[::1]", "::1", 1080, "" },
		{ "http://user:pass@proxy.example:1", "proxy.example", 1, "Basic dXNlcjpwYXNz" },
		{ "http://us%65r:pa%73s@proxy.example:1", "proxy.example", 1,
		  "Basic dXNlcjpwYXNz" },
		{ "http://user:pass@proxy.example", "proxy.example", 1080, "Basic dXNlcjpwYXNz" },
		{ "http://a@b@proxy.example:1", "proxy.example", 1, "Basic YUBi" },
		{ "https://proxy.example:8080", NULL, 0, "" },
		{ "socks5h://proxy.example:8080", NULL, 0, "" },
		{ "http://", NULL, 0, "" },
		{ "http://proxy.example:0", NULL, 0, "" },
		{ "http://proxy.example:99999", NULL, 0, "" },
		{ "http://pro xy:1", NULL, 0, "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(upstream_proxy_clear) struct upstream_proxy up = { .credentials = STR_INIT };
		struct err err = ERR_INIT;
		bool ok = upstream_proxy_read(&up, cases[i].url, &err);

		if (ok != (cases[i].host != NULL))
			print_error("%s\n", cases[i].url);
		CHECK(ok == (cases[i].host != NULL));
		CHECK(ok || err.kind != ERR_NONE);
		if (!ok)
			continue;
		CHECK_STR(up.host.name, cases[i].host);
		CHECK_INT(up.host.port, cases[i].port);
		CHECK_STR(str_c(&up.credentials), cases[i].credentials);
	}
}

TEST(upstream_proxy_parses_answers_at_every_split)
{
	static const struct {
		struct sv answer;
		bool yes;
		const char *problem;
	} cases[] = {
		{ SV_INIT("HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n"), true, "" },
		{ SV_INIT("HTTP/1.0 200\r\n\r\n"), true, "" },
		{ SV_INIT("HTTP/1.1 407 Who are you\r\n\r\n"), false, "407 Who are you" },
		{ SV_INIT("echo what\r\n\r\n"), false, "sent an invalid response" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		for (size_t cut = 0; cut < cases[i].answer.len; cut++) {
			defer(str_clear) struct str received = STR_INIT;
			struct err refused;

			str_add(&received, sv_slice(cases[i].answer, 0, cut));
			CHECK(!upstream_proxy_read_answer(&received, &refused));
			str_add(&received, sv_skip(cases[i].answer, cut));
			str_adds(&received, "more");
			CHECK(upstream_proxy_read_answer(&received, &refused));
			CHECK((refused.kind == ERR_NONE) == cases[i].yes);
			if (cases[i].yes)
				CHECK_SV(sv_of(&received), "more");
			else
				CHECK(strstr(refused.text, cases[i].problem));
		}
}

TEST(upstream_proxy_limits_the_length_of_an_answer)
{
	defer(str_clear) struct str received = STR_INIT;
	struct err refused;

	while (!upstream_proxy_read_answer(&received, &refused))
		str_adds(&received, "HTTP/1.1 200 and on and on ");
	CHECK(refused.kind == ERR_PROXY);
	CHECK(received.len < 2 * LIMIT_PROXY_HEAD);
}
