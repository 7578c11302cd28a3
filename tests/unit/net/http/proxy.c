#include "net/http/proxy.h"

#include "test.h"

TEST(a_proxy_is_chosen_by_scheme_unless_the_host_is_excepted)
{
	static const struct {
		const char *except, *url;
		const char *proxy; /* NULL: none */
	} cases[] = {
		{ NULL, "http://host/", "plain" },
		{ NULL, "https://host/", "tls" },
		{ NULL, "HTTPS://host/", "tls" },
		{ "", "http://host/", "plain" },
		{ "*", "http://host/", NULL },
		{ "example.org", "http://example.org/", NULL },
		{ "example.org", "http://EXAMPLE.org:81/", NULL },
		{ "example.org", "http://api.example.org/", NULL },
		{ "example.org", "http://badexample.org/", "plain" },
		{ "example.org", "http://example.org.evil.net/", "plain" },
		{ ".example.org", "http://api.example.org/", NULL },
		{ ".example.org", "http://example.org/", NULL },
		{ "*.example.org", "http://api.example.org/", NULL },
		{ "a.net, example.org", "http://example.org/", NULL },
		{ "a.net example.org", "http://example.org/", NULL },
		{ "a.net,,b.net", "http://example.org/", "plain" },
		{ "example.org:8080", "http://example.org:8080/", NULL },
		{ "example.org:8080", "http://example.org/", "plain" },
		{ "example.org:443", "https://example.org/", NULL },
		{ "127.0.0.1", "http://127.0.0.1:5/", NULL },
		{ "10.0.0.0/8", "http://10.200.3.4/", NULL },
		{ "10.0.0.0/8", "http://11.0.0.1/", "plain" },
		{ "10.128.0.0/9", "http://10.127.0.1/", "plain" },
		{ "10.128.0.0/9", "http://10.129.0.1/", NULL },
		{ "0.0.0.0/0", "http://9.9.9.9/", NULL },
		{ "10.0.0.0/33", "http://10.0.0.0/", "plain" },
		{ "10.0.0.0/x", "http://10.0.0.0/", "plain" },
		{ "10.0.0.0/8", "http://host/", "plain" },
		{ "::1", "http://[::1]/", NULL },
		{ "[::1]:80", "http://[::1]/", NULL },
		{ "fd00::/8", "http://[fd12::1]:8080/", NULL },
		{ "fd00::/8", "http://[fe00::1]/", "plain" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct proxy_rules rules = { "plain", "tls", cases[i].except };
		struct http_url url;
		struct err err = ERR_INIT;
		const char *proxy;

		CHECK_OK(http_url_parse(&url, cases[i].url, &err), err);
		proxy = proxy_for(&rules, &url);
		if (!proxy != !cases[i].proxy || (proxy && strcmp(proxy, cases[i].proxy) != 0))
			fail_msg("%s with NO_PROXY=%s: %s", cases[i].url, cases[i].except,
				 proxy ? proxy : "direct");
	}
}

TEST(an_empty_proxy_is_none)
{
	struct proxy_rules rules = { "", NULL, NULL };
	struct http_url url;
	struct err err = ERR_INIT;

	CHECK_OK(http_url_parse(&url, "http://host/", &err), err);
	CHECK(!proxy_for(&rules, &url));
	CHECK_OK(http_url_parse(&url, "https://host/", &err), err);
	CHECK(!proxy_for(&rules, &url));
}

TEST(the_origin_of_a_url_has_no_user_path_or_query)
{
	static const struct {
		const char *url, *origin;
	} cases[] = {
		{ "http://host", "http://host" },
		{ "https://host:8443/a?b#c", "https://host:8443" },
		{ "http://user:p@ss@host/", "http://host" },
		{ "http://host?x=user@other", "http://host" },
		{ "http://[2001:db8::1]:80/", "http://[2001:db8::1]:80" },
		{ "http://u@[::1]/", "http://[::1]" },
		{ "http://host:/", "http://host" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str origin = STR_INIT;
		struct http_url url;
		struct err err = ERR_INIT;

		CHECK_OK(http_url_parse(&url, cases[i].url, &err), err);
		http_url_origin(&origin, &url);
		CHECK_STR(str_c(&origin), cases[i].origin);
	}
}
