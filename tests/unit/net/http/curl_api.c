#include "net/http/curl_api.h"

#include "test.h"

TEST(a_missing_library_is_told_with_the_package_that_has_it)
{
	struct curl_api api = { .library = NULL };
	struct err err = ERR_INIT;

	CHECK(!curl_api_load(&api, "libno-such-curl.so.4", &err));
	CHECK_ERR(err, ERR_UNSUPPORTED, "libcurl4 (libcurl4t64 from Debian 13 on)");
	CHECK(!api.library);
}

TEST(a_library_that_is_not_curl_is_told_with_what_it_lacks)
{
	struct curl_api api = { .library = NULL };
	struct err err = ERR_INIT;

	CHECK(!curl_api_load(&api, "libm.so.6", &err));
	CHECK_ERR(err, ERR_UNSUPPORTED, "libm.so.6 has no curl_");
	CHECK(!api.library);
}
