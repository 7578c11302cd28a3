#include "perm/rule/rule.h"

#include "perm/fake_world.h"
#include "test.h"
#include "text/json/json.h"

/* What a rule in a list of `what` says to a call with this input. */
static enum rule_match match(const char *rule_text, enum behavior what, struct perm_request request,
			     const char *input)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct perm_policy policy = fake_policy(PERM_DEFAULT, "", "", "");
	struct perm_rule rule;
	struct rule_case c;
	struct err err = ERR_INIT;
	enum rule_match found;

	if (input) {
		doc = json_parse(sv_cstr(input), 0, &err);
		request.input = json_root(doc);
	}
	CHECK_OK(rule_read(&rule, what, sv_cstr(rule_text), SV("/home/me"), &err), err);
	rule_case_init(&c, &policy, &request);
	found = rule_matches(&rule, what, &c);
	perm_policy_clear(&policy);
	return found;
}

TEST(host_rule_matches_the_host_and_with_a_star_its_subdomains)
{
	static const struct {
		const char *rule, *host;
		bool matches;
	} cases[] = {
		{ "WebFetch(domain:docs.example)", "docs.example", true },
		{ "WebFetch(domain:DOCS.example)", "docs.example", true },
		{ "WebFetch(domain:docs.example)", "docs.example.evil.example", false },
		{ "WebFetch(domain:docs.example)", "x.docs.example", false },
		{ "WebFetch(domain:docs.example)", "xdocs.example", false },
		{ "WebFetch(domain:*.docs.example)", "x.docs.example", true },
		{ "WebFetch(domain:*.docs.example)", "x.y.docs.example", true },
		{ "WebFetch(domain:*.docs.example)", "docs.example", false },
		{ "WebFetch(domain:*.docs.example)", "xdocs.example", false },
		{ "WebFetch(domain:a.*.example)", "a.b.example", true },
		{ "WebFetch(domain:a.*.example)", "a.b.c.example", false },
		{ "WebFetch(domain:*)", "a.b.example", true },
		{ "WebFetch(domain:docs.example.)", "docs.example", true },
		{ "WebFetch", "any.example", true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct perm_request request = { .tool = SV("WebFetch"),
						.access = ACCESS_NET,
						.host = sv_cstr(cases[i].host) };

		CHECK_INT(match(cases[i].rule, BEHAVIOR_ALLOW, request, NULL),
			  cases[i].matches ? RULE_YES : RULE_NO);
	}
}

TEST(host_rule_denies_but_does_not_allow_an_unknown_host)
{
	struct perm_request request = { .tool = SV("WebFetch"), .access = ACCESS_NET };

	CHECK_INT(match("WebFetch(domain:a.example)", BEHAVIOR_ALLOW, request, NULL), RULE_NO);
	CHECK_INT(match("WebFetch(domain:a.example)", BEHAVIOR_DENY, request, NULL), RULE_MAYBE);
}

TEST(parameter_rule_denies_by_value)
{
	struct perm_request request = { .tool = SV("Agent"), .access = ACCESS_OTHER };
	static const struct {
		const char *rule, *input;
		enum rule_match found;
	} cases[] = {
		{ "Agent(model:opus)", "{\"model\":\"opus\"}", RULE_YES },
		{ "Agent(model:op*)", "{\"model\":\"opus\"}", RULE_YES },
		{ "Agent(model:opus)", "{\"model\":\"haiku\"}", RULE_NO },
		{ "Agent(background:true)", "{\"background\":true}", RULE_YES },
		{ "Agent(n:3)", "{\"n\":3}", RULE_YES },
		{ "Agent(n:3)", "{}", RULE_NO },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		CHECK_INT(match(cases[i].rule, BEHAVIOR_DENY, request, cases[i].input),
			  cases[i].found);
		CHECK_INT(match(cases[i].rule, BEHAVIOR_ALLOW, request, cases[i].input), RULE_NO);
	}
}

TEST(skill_or_agent_rule_matches_its_name)
{
	struct perm_request skill = { .tool = SV("Skill"), .access = ACCESS_OTHER };
	struct perm_request agent = { .tool = SV("Agent"), .access = ACCESS_OTHER };

	CHECK_INT(match("Skill(pdf)", BEHAVIOR_ALLOW, skill, "{\"skill\":\"pdf\"}"), RULE_YES);
	CHECK_INT(match("Skill(pdf)", BEHAVIOR_ALLOW, skill, "{\"skill\":\"pdfx\"}"), RULE_NO);
	CHECK_INT(match("Skill(my:*)", BEHAVIOR_ALLOW, skill, "{\"skill\":\"my:x\"}"), RULE_YES);
	CHECK_INT(match("Skill(pdf)", BEHAVIOR_DENY, skill, "{}"), RULE_NO);
	CHECK_INT(match("Agent(Explore)", BEHAVIOR_DENY, agent, "{\"subagent_type\":\"Explore\"}"),
		  RULE_YES);
	CHECK_INT(match("Agent(Explore)", BEHAVIOR_ALLOW, agent, "{\"subagent_type\":\"Plan\"}"),
		  RULE_NO);
	CHECK_INT(match("Task(Explore)", BEHAVIOR_DENY, agent, "{\"subagent_type\":\"Explore\"}"),
		  RULE_YES);
}

TEST(link_has_two_names_and_allow_rules_must_cover_both)
{
	struct perm_request request = { .tool = SV("Read"),
					.access = ACCESS_READ,
					.path = SV("/home/me/pro/.env"),
					.named = SV("/home/me/pro/key") };

	CHECK_INT(match("Read(.env)", BEHAVIOR_DENY, request, NULL), RULE_YES);
	CHECK_INT(match("Read(key)", BEHAVIOR_DENY, request, NULL), RULE_YES);
	CHECK_INT(match("Read(key)", BEHAVIOR_ALLOW, request, NULL), RULE_NO);
	CHECK_INT(match("Read(.env)", BEHAVIOR_ALLOW, request, NULL), RULE_NO);
	CHECK_INT(match("Read(//home/me/pro/**)", BEHAVIOR_ALLOW, request, NULL), RULE_YES);
}

TEST(search_is_asked_about_only_above_denied_paths)
{
	struct perm_request request = { .tool = SV("Grep"),
					.access = ACCESS_READ,
					.path = SV("/home/me/pro") };

	CHECK_INT(match("Read(.env)", BEHAVIOR_DENY, request, NULL), RULE_MAYBE);
	request.path = SV("/home/me/pro/src");
	CHECK_INT(match("Read(.env)", BEHAVIOR_DENY, request, NULL), RULE_NO);
	CHECK_INT(match("Read(src/a.c)", BEHAVIOR_DENY, request, NULL), RULE_MAYBE);
	request.path = SV("/home/me/pro/README.md");
	CHECK_INT(match("Read(.env)", BEHAVIOR_DENY, request, NULL), RULE_NO);
}

TEST(broad_rules_are_those_that_allow_any_command)
{
	static const char *const broad[] = { "Bash",         "Bash(*)",         "Bash(python3:*)",
					     "Bash(sh *)",   "Bash(npm run:*)", "Bash(node*)",
					     "Bash(sudo:*)", "Agent",           "Bash(*x)" };
	static const char *const narrow[] = { "Bash(npm test:*)",
					      "Bash(python3 x.py)",
					      "Bash(ls:*)",
					      "Read",
					      "Bash(npm run build:*)",
					      "mcp__a" };
	struct perm_rule rule;
	struct err err;

	for (size_t i = 0; i < countof(broad) + countof(narrow); i++) {
		bool is_broad = i < countof(broad);
		const char *text = is_broad ? broad[i] : narrow[i - countof(broad)];

		CHECK_OK(rule_read(&rule, BEHAVIOR_ALLOW, sv_cstr(text), SV("/h"), &err), err);
		if (rule_is_broad(&rule) != is_broad)
			print_error("%s\n", text);
		CHECK_INT(rule_is_broad(&rule), is_broad);
	}
}
