#include "sandbox/proxy/host.h"

#include "test.h"

TEST(proxy_host_accepts_only_one_spelling)
{
	static const struct {
		struct sv name;
		const char *taken; /* NULL: refused */
	} cases[] = {
		{ SV_INIT("example.org"), "example.org" },
		{ SV_INIT("EXAMPLE.Org"), "example.org" },
		{ SV_INIT("a_b-c.example.org"), "a_b-c.example.org" },
		{ SV_INIT("localhost"), "localhost" },
		{ SV_INIT("127.0.0.1"), "127.0.0.1" },
		{ SV_INIT("[::1]"), "::1" },
		{ SV_INIT("0:0:0:0:0:0:0:1"), "::1" },
		{ SV_INIT("[::FFFF:1.2.3.4]"), NULL },
		{ SV_INIT("::ffff:7f00:1"), NULL },
		{ SV_INIT("::7f00:1"), NULL },
		{ SV_INIT(""), NULL },
		{ SV_INIT("."), NULL },
		{ SV_INIT("example.org."), NULL },
		{ SV_INIT(".example.org"), NULL },
		{ SV_INIT("a..example.org"), NULL },
		{ SV_INIT("evil.example\0.example.org"), NULL },
		{ SV_INIT("example.org\0"), NULL },
		{ SV_INIT("evil.example\n.example.org"), NULL },
		{ SV_INIT("evil.example%00.example.org"), NULL },
		{ SV_INIT("evil.example/.example.org"), NULL },
		{ SV_INIT("evil.example#.example.org"), NULL },
		{ SV_INIT("user@example.org"), NULL },
		{ SV_INIT("example.org:80"), NULL },
		{ SV_INIT(" example.org"), NULL },
		{ SV_INIT("ex\xc3\xa4mple.org"), NULL },
		{ SV_INIT("example\xe3\x80\x82org"), NULL },
		{ SV_INIT("-example.org"), NULL },
		{ SV_INIT("127.1"), NULL },
		{ SV_INIT("2130706433"), NULL },
		{ SV_INIT("0x7f000001"), NULL },
		{ SV_INIT("0x7f.0.0.1"), NULL },
		{ SV_INIT("0177.0.0.1"), NULL },
		{ SV_INIT("1.2.3.4.5"), NULL },
		{ SV_INIT("example.0xff"), NULL },
		{ SV_INIT("[::1"), NULL },
		{ SV_INIT("::1]"), NULL },
		{ SV_INIT("[fe80::1%eth0]"), NULL },
		{ SV_INIT("[]"), NULL },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct proxy_host host = { .port = -1 };
		struct err err = ERR_INIT;
		bool ok = proxy_host_read(&host, cases[i].name, 443, &err);

		if (ok != (cases[i].taken != NULL))
			print_error("%.*s\n", SV_ARG(cases[i].name));
		CHECK(ok == (cases[i].taken != NULL));
		if (ok)
			CHECK_STR(host.name, cases[i].taken);
		else
			CHECK_INT(host.port, -1);
	}
}

TEST(proxy_host_names_have_limits)
{
	struct proxy_host host;
	struct err err;

	for (size_t len = 1; len < 400; len++) {
		defer(str_clear) struct str name = STR_INIT;
		defer(str_clear) struct str labels = STR_INIT;

		for (size_t i = 0; i < len; i++) {
			str_addc(&name, 'a');
			str_addc(&labels, i % 2 && i + 1 < len ? '.' : 'a');
		}
		CHECK(proxy_host_read(&host, sv_of(&name), 1, &err) == (len <= 63));
		CHECK(proxy_host_read(&host, sv_of(&labels), 1, &err) == (len <= 253));
	}
	CHECK(!proxy_host_read(&host, SV("a.b"), 0, &err));
	CHECK(!proxy_host_read(&host, SV("a.b"), 65536, &err));
	CHECK(proxy_host_read(&host, SV("a.b"), 65535, &err));
}

TEST(proxy_host_lists_match_whole_names)
{
	static const struct {
		const char *host, *entry;
		int port;
		bool allows, denies, exact;
	} cases[] = {
		{ "example.org", "example.org", 443, true, true, true },
		{ "example.org", "EXAMPLE.org", 443, true, true, true },
		{ "example.org", "example.org:443", 443, true, true, true },
		{ "example.org", "example.org:80", 443, false, false, false },
		{ "www.example.org", "example.org", 443, false, false, false },
		{ "www.example.org", "*.example.org", 443, true, true, false },
		{ "a.b.example.org", "*.example.org", 443, true, true, false },
		{ "a.example.org", "*.example.org:8443", 443, false, false, false },
		{ "example.org", "*.example.org", 443, false, false, false },
		{ "notexample.org", "*.example.org", 443, false, false, false },
		{ "example.org.evil.example", "*.example.org", 443, false, false, false },
		{ "example.org.evil.example", "example.org", 443, false, false, false },
		{ "evil.example", "*", 443, false, true, false },
		{ "evil.com", "*.com", 443, false, true, false },
		{ "10.0.0.1", "*.0.0.1", 443, false, false, false },
		{ "10.0.0.1", "10.0.0.1", 443, true, true, true },
		{ "10.0.0.1", "10.0.0.1:443", 443, true, true, true },
		{ "::1", "[::1]:443", 443, true, true, true },
		{ "::1", "::1", 443, true, true, true },
		{ "::1", "[::1]", 443, true, true, true },
		{ "example.org", "", 443, false, false, false },
		{ "example.org", "example.org:", 443, false, false, false },
		{ "example.org", "example.org.", 443, false, false, false },
		{ "example.org", "https://example.org", 443, false, false, false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct proxy_host host;
		struct err err;
		bool exact;

		CHECK_OK(proxy_host_read(&host, sv_cstr(cases[i].host), cases[i].port, &err), err);
		CHECK(proxy_host_matches(&host, sv_cstr(cases[i].entry), false, &exact) ==
		      cases[i].allows);
		CHECK(exact == cases[i].exact);
		CHECK(proxy_host_matches(&host, sv_cstr(cases[i].entry), true, NULL) ==
		      cases[i].denies);
	}
}
