#include "net/token_request.h"

#include "test.h"

TEST(a_secret_is_sent_over_tls_or_to_this_machine)
{
	static const char *const safe[] = { "https://sts.example/", "http://localhost/x",
					    "http://127.0.0.1:99/x", "http://[::1]:99/",
					    "HTTP://LOCALHOST:1/" };
	static const char *const unsafe[] = { "http://sts.example/",
					      "http://localhost.evil.test/",
					      "http://127.0.0.1.evil.test/",
					      "http://localhost@evil.test/",
					      "http://127.0.0.10/",
					      "ftp://localhost/",
					      "localhost",
					      "" };

	for (size_t i = 0; i < countof(safe); i++)
		CHECK(token_url_is_safe(sv_cstr(safe[i])));
	for (size_t i = 0; i < countof(unsafe); i++)
		CHECK(!token_url_is_safe(sv_cstr(unsafe[i])));
}
