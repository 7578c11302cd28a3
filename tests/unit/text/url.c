#include "text/url.h"

#include "base/limits.h"
#include "test.h"

struct resolve_case {
	const char *ref, *target; /* NULL: none */
};

TEST(reference_resolves_as_in_a_browser)
{
	static const struct resolve_case cases[] = {
		{ "g", "https://h.example:8/b/c/g" },
		{ "./g", "https://h.example:8/b/c/g" },
		{ "g/", "https://h.example:8/b/c/g/" },
		{ "/g", "https://h.example:8/g" },
		{ "//o.example/g", "https://o.example/g" },
		{ "//o.example", "https://o.example/" },
		{ "?y", "https://h.example:8/b/c/d?y" },
		{ "g?y#s", "https://h.example:8/b/c/g?y#s" },
		{ "#s", "https://h.example:8/b/c/d?q#s" },
		{ "", "https://h.example:8/b/c/d?q" },
		{ ".", "https://h.example:8/b/c/" },
		{ "..", "https://h.example:8/b/" },
		{ "../g", "https://h.example:8/b/g" },
		{ "../../../../g", "https://h.example:8/g" },
		{ "/./g/../h", "https://h.example:8/h" },
		{ "g;x=1/../y", "https://h.example:8/b/c/y" },
		{ "a//b", "https://h.example:8/b/c/a//b" },
		{ "http://o.example", "http://o.example/" },
		{ "HTTP://o.example/a/../b?c", "HTTP://o.example/b?c" },
		{ "mailto:a@b.example", "mailto:a@b.example" },
		{ "javascript:alert(1)", "javascript:alert(1)" },
		{ " \n g\n\th ", "https://h.example:8/b/c/gh" },
		{ "1:x", "https://h.example:8/b/c/1:x" },
		{ "http:", "http:" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		CHECK(url_resolve(&out, SV("https://h.example:8/b/c/d?q#f"),
				  sv_cstr(cases[i].ref)));
		CHECK_STR(str_c(&out), cases[i].target);
	}
}

TEST(relative_reference_without_a_base_is_refused)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK(!url_resolve(&out, SV(""), SV("/g")));
	CHECK(!url_resolve(&out, SV("file:///x"), SV("g")));
	CHECK_INT(out.len, 0);
	CHECK(url_resolve(&out, SV(""), SV("https://h.example/g")));
}

TEST(url_over_the_limit_is_refused)
{
	defer(str_clear) struct str long_one = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&long_one, "https://h.example/");
	while (long_one.len < LIMIT_URL)
		str_addc(&long_one, 'x');
	CHECK(url_resolve(&out, SV(""), sv_of(&long_one)));
	CHECK_INT(out.len, LIMIT_URL);
	str_addc(&long_one, 'x');
	CHECK(!url_resolve(&out, SV(""), sv_of(&long_one)));
	CHECK_INT(out.len, LIMIT_URL);
	CHECK(!url_resolve(&out, SV("https://h.example/a"), sv_skip(sv_of(&long_one), 18)));
}

struct split_case {
	const char *url, *host, *port;
	bool has_user, is_web;
};

TEST(url_host_is_the_connection_target)
{
	static const struct split_case cases[] = {
		{ "https://h.example/x", "h.example", "", false, true },
		{ "http://h.example:80", "h.example", "80", false, true },
		{ "https://good.example@evil.example/", "evil.example", "", true, true },
		{ "https://a@b@evil.example:1/@x", "evil.example", "1", true, true },
		{ "https://[::1]:8080/x", "::1", "8080", false, true },
		{ "https://h.example?@x", "h.example", "", false, true },
		{ "https://h.example#@x", "h.example", "", false, true },
		{ "https:///x", "", "", false, false },
		{ "ftp://h.example/", "h.example", "", false, false },
		{ "h.example/x", "", "", false, false },
		{ "", "", "", false, false },
		{ "https://[::1", "::1", "", false, true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct url url = url_split(sv_cstr(cases[i].url));

		CHECK_SV_EQ(url.host, sv_cstr(cases[i].host));
		CHECK_SV_EQ(url.port, sv_cstr(cases[i].port));
		CHECK_INT(url.has_user, cases[i].has_user);
		CHECK_INT(url_is_web(&url), cases[i].is_web);
	}
}

TEST(domain_contains_itself_and_its_subdomains)
{
	CHECK(url_host_is_in(SV("Example.com"), SV("example.COM")));
	CHECK(url_host_is_in(SV("a.example.com"), SV("example.com")));
	CHECK(!url_host_is_in(SV("badexample.com"), SV("example.com")));
	CHECK(!url_host_is_in(SV("com"), SV("example.com")));
	CHECK(!url_host_is_in(SV("example.com"), SV("")));
	CHECK(!url_host_is_in(SV(""), SV("example.com")));
}

TEST(an_origin_is_scheme_host_and_port)
{
	static const struct {
		const char *a, *b;
		bool is_same;
	} rows[] = {
		{ "https://h/a", "https://h/b?c", true },
		{ "https://h", "HTTPS://H:443/x", true },
		{ "http://h:80", "http://h", true },
		{ "http://[::1]:8/a", "http://[::1]:8", true },
		{ "https://h", "http://h", false },
		{ "https://h:444", "https://h", false },
		{ "https://h", "https://h.evil", false },
		{ "https://h", "https://h@evil", false },
		{ "h", "h", false },
		{ "", "", false },
	};

	for (size_t i = 0; i < countof(rows); i++)
		if (url_is_same_origin(sv_cstr(rows[i].a), sv_cstr(rows[i].b)) != rows[i].is_same)
			fail_msg("%s and %s", rows[i].a, rows[i].b);
}

TEST(a_websocket_begins_at_an_address_of_the_web)
{
	static const char *const rows[][2] = {
		{ "ws://h:8/a?b", "http://h:8/a?b" },
		{ "WSS://h", "https://h" },
		{ "https://h/ws://x", "https://h/ws://x" },
		{ "wsx://h", "wsx://h" },
		{ "", "" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str web = STR_INIT;

		url_add_web(&web, sv_cstr(rows[i][0]));
		CHECK_SV_EQ(sv_of(&web), sv_cstr(rows[i][1]));
	}
}
