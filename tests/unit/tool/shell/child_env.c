#include "tool/shell/child_env.h"

#include "test.h"

/* The entries joined by blanks. */
static void check_env(const char *const *base, const char *settings, const char *without,
		      const char *expected)
{
	env_list env = VEC_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		settings ? json_parse(sv_cstr(settings), 0, &err) : NULL;
	defer(str_clear) struct str text = STR_INIT;

	CHECK_OK(doc != NULL || !settings, err);
	child_env_build(&env, base, json_root(doc), without);
	CHECK(env.n > 0 && env.at[env.n - 1] == NULL);
	for (size_t i = 0; i + 1 < env.n; i++)
		str_addf(&text, "%s%s", i ? " " : "", env.at[i]);
	CHECK_STR(str_c(&text), expected);
	child_env_clear(&env);
	CHECK(env.n == 0);
}

TEST(children_get_what_we_were_given_and_over_it_what_the_settings_say)
{
	static const char *const base[] = { "A=1", "B=2", "AB=3", "EMPTY=", "odd", NULL };

	check_env(base, NULL, NULL, "A=1 B=2 AB=3 EMPTY= odd");
	check_env(base, "{}", NULL, "A=1 B=2 AB=3 EMPTY= odd");
	check_env(base, "{\"A\":\"x y\",\"N\":\"\"}", NULL, "B=2 AB=3 EMPTY= odd A=x y N=");
	check_env(base, "{\"odd\":\"=\"}", NULL, "A=1 B=2 AB=3 EMPTY= odd==");
	check_env(NULL, "{\"A\":\"1\"}", NULL, "A=1");
	check_env(NULL, NULL, NULL, "");
}

TEST(a_proxy_of_the_settings_counts_before_one_that_is_written_otherwise)
{
	static const char *const base[] = { "https_proxy=a", "HTTP_PROXY=b", "No_Proxy=c",
					    "_proxy=d",      "path=e",       NULL };

	check_env(base, "{\"HTTPS_PROXY\":\"x\",\"http_proxy\":\"\",\"PATH\":\"/\"}", NULL,
		  "No_Proxy=c _proxy=d path=e HTTPS_PROXY=x http_proxy= PATH=/");
}

TEST(a_variable_that_is_withheld_comes_from_nowhere)
{
	static const char *const base[] = { "KEY=secret", "KEYS=2", "KEY=again", NULL };

	check_env(base, NULL, "KEY", "KEYS=2");
	check_env(base, "{\"KEY\":\"other\",\"X\":\"1\"}", "KEY", "KEYS=2 X=1");
	check_env(base, "{\"KEYS\":\"3\"}", "KEY", "KEYS=3");
}

TEST(what_could_not_be_passed_on_as_it_is_is_left_out)
{
	check_env(NULL, "{\"\":\"x\",\"A=B\":\"x\",\"C\":\"1\"}", NULL, "C=1");
	check_env(NULL, "{\"N\\u0000M\":\"x\",\"V\":\"a\\u0000b\",\"C\":\"1\"}", NULL, "C=1");
}
