#include "perm/decide/ask_facts.h"

#include "perm/command/command_analysis.h"
#include "test.h"

static struct ask_facts read_facts(const struct perm_policy *policy, const char *command)
{
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	struct perm_request request = { .tool = SV("Bash"),
					.access = ACCESS_RUN,
					.command = sv_cstr(command),
					.analysis = &analysis };
	struct verdict verdict;
	struct ask_facts facts;

	perm_analyse(&analysis, policy, &request);
	verdict = perm_decide(policy, &request);
	CHECK_INT(verdict.behavior, BEHAVIOR_ASK);
	facts = ask_facts(policy, &request, &verdict);
	command_analysis_clear(&analysis);
	return facts;
}

TEST(question_names_the_ask_rule_that_a_doubt_about_safety_hides)
{
	const struct perm_rule as = { .source = PERM_FROM_LOCAL };
	struct perm_policy policy = PERM_POLICY_INIT;
	struct ask_facts facts;
	struct err err = ERR_INIT;

	perm_add_dir(&policy, SV("/w/pro"));
	CHECK(perm_add_rule(&policy, BEHAVIOR_ASK, SV("Bash(make:*)"), &as, &err));
	CHECK(perm_add_rule(&policy, BEHAVIOR_ASK, SV("Bash(git push:*)"), &as, &err));
	facts = read_facts(&policy, "git push && echo x > .git/config");
	CHECK(facts.is_compound && facts.is_safety && facts.rule);
	CHECK_SV(facts.rule->content, "git push:*");
	facts = read_facts(&policy, "git push");
	CHECK(!facts.is_compound && !facts.is_safety && facts.rule);
	facts = read_facts(&policy, "npm test | tee log");
	CHECK(facts.is_compound && !facts.is_safety && !facts.rule);
	perm_policy_clear(&policy);
}
