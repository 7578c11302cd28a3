#include "net/env_var.h"

#include "test.h"

TEST(a_variable_is_found_by_all_of_its_name_and_an_empty_one_is_none)
{
	static const char *const env[] = { "HTTP_PROXY_X=no", "HTTP_PROXY=yes", "odd",
					   "no_proxy=",       "NO_PROXY=a=b",   NULL };
	static const char *const none[] = { NULL };

	CHECK_STR(env_var(env, "HTTP_PROXY"), "yes");
	CHECK(!env_var(env, "HTTP"));
	CHECK(!env_var(env, "odd"));
	CHECK(!env_var(env, "no_proxy"));
	CHECK_STR(env_var_either(env, "no_proxy", "NO_PROXY"), "a=b");
	CHECK(!env_var(none, "PATH"));
}

TEST(without_a_list_our_own_environment_is_meant)
{
	CHECK(env_var(NULL, "PATH"));
	CHECK(!env_var(NULL, "AWL_NO_SUCH_VARIABLE"));
}
