#include "net/http/curl_api.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
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

static void set_time(const char *path, time_t seconds)
{
	struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };

	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* An update of the system's library makes the copy outdated, and nobody else may provide one. */
TEST(a_copy_counts_only_while_the_system_has_the_library_that_it_was_built_after)
{
	defer(str_clear) struct str system = STR_INIT, copy = STR_INIT, found = STR_INIT;
	defer(temp_dir_remove) struct temp_dir temp;
	const char *dir = temp.path;

	temp_dir_make(&temp);
	str_addf(&system, "%s/libcurl.so.4", dir);
	str_addf(&copy, "%s/libcurl-6-1000000.so", dir);
	temp_dir_write(&temp, "libcurl.so.4", SV("system"));
	set_time(str_c(&system), 1000000);
	CHECK(!curl_api_find_copy(&found, dir, str_c(&system)));
	temp_dir_write(&temp, "libcurl-6-1000000.so", SV("copy"));
	CHECK_INT(chmod(str_c(&copy), 0644), 0);
	CHECK(curl_api_find_copy(&found, dir, str_c(&system)));
	CHECK_STR(str_c(&found), str_c(&copy));
	str_truncate(&found, 0);

	CHECK_INT(chmod(str_c(&copy), 0664), 0);
	CHECK(!curl_api_find_copy(&found, dir, str_c(&system)));
	CHECK_INT(chmod(str_c(&copy), 0644), 0);
	set_time(str_c(&system), 1000001);
	CHECK(!curl_api_find_copy(&found, dir, str_c(&system)));
	CHECK_INT(unlink(str_c(&system)), 0);
	CHECK(!curl_api_find_copy(&found, dir, str_c(&system)));
	CHECK_STR(str_c(&found), "");
}
