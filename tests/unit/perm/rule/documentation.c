#include "perm/rule/documentation.h"

#include "perm/perm.h"
#include "test.h"

TEST(documentation_is_known_by_host_and_path)
{
	static const char *const urls[][2] = {
		{ "https://docs.python.org/3/library/asyncio.html#tasks", "docs.python.org" },
		{ "https://docs.python.org", "docs.python.org" },
		{ "https://kubernetes.io/docs/concepts/", "kubernetes.io/docs" },
		{ "https://go.dev/ref/spec", "go.dev/ref" },
	};

	for (size_t i = 0; i < countof(urls); i++)
		CHECK_STR(documentation_site(sv_cstr(urls[i][0])), urls[i][1]);
}

TEST(a_url_that_could_carry_something_away_is_not_documentation)
{
	static const char *const urls[] = {
		"https://docs.python.org/3/?secret=1",
		"http://docs.python.org/3/",
		"https://docs.python.org:8443/3/",
		"https://user@docs.python.org/3/",
		"https://docs.python.org.evil.test/3/",
		"https://docs.python.orgevil/",
		"https://evil.test/docs.python.org/",
		"https://kubernetes.io/blog/",
		"https://kubernetes.io/docsx/",
		"https://kubernetes.io/docs/../blog/",
		"https://kubernetes.io/docs/%2e%2e/blog/",
		"https://docs.python.org/3/\\\\evil.test",
		"https://huggingface.co/docs",
		"https://pypi.org/project/x",
		"",
		"docs.python.org",
	};

	for (size_t i = 0; i < countof(urls); i++)
		CHECK(documentation_site(sv_cstr(urls[i])) == NULL);
}

TEST(documentation_is_read_without_a_question_unless_a_setting_or_rule_says_otherwise)
{
	struct perm_policy policy = PERM_POLICY_INIT;
	struct perm_request request = { .tool = SV("WebFetch"),
					.access = ACCESS_NET,
					.host = SV("docs.python.org"),
					.documentation = "docs.python.org" };

	CHECK_INT(perm_decide(&policy, &request).behavior, BEHAVIOR_ALLOW);
	CHECK_STR(perm_decide(&policy, &request).text,
		  "docs.python.org is on awl's list of documentation sites.");
	policy.asks_about_documentation = true;
	CHECK_INT(perm_decide(&policy, &request).behavior, BEHAVIOR_ASK);
	policy.asks_about_documentation = false;
	policy.is_incomplete = true;
	CHECK_INT(perm_decide(&policy, &request).behavior, BEHAVIOR_ASK);
	perm_policy_clear(&policy);
}
