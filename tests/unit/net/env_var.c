#include "net/env_var.h"

#include "test.h"

TEST(a_variable_is_found_by_all_of_its_name_and_an_empty_one_is_none)
{
	static const char *const env[] = { "HTTP_PROXY_X=no", "HTTP_PROXY=yes", "odd",
					   "no_proxy=",       "NO_PROXY=a=b",   NULL };
	static const char *const none[] = { NULL };

	CHECK_STR(variable(env, "HTTP_PROXY"), "yes");
	CHECK(!variable(env, "HTTP"));
	CHECK(!variable(env, "odd"));
	CHECK(!variable(env, "no_proxy"));
	CHECK_STR(variable_either(env, "no_proxy", "NO_PROXY"), "a=b");
	CHECK(!variable(none, "PATH"));
}

TEST(without_a_list_our_own_environment_is_meant)
{
	CHECK(variable(NULL, "PATH"));
	CHECK(!variable(NULL, "AWL_NO_SUCH_VARIABLE"));
}
