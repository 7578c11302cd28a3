#include "perm/decide/offer.h"

#include "test.h"

static void check(enum perm_mode mode, struct perm_request request, const char *expected)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct permission_change change;
	struct jw w;
	struct perm_policy policy = PERM_POLICY_INIT;

	policy.mode = mode;
	perm_add_dir(&policy, SV("/w/pro"));
	jw_init(&w, &text, JW_COMPACT);
	permission_changes_write(&w, &change, perm_offer(&change, &arena, &policy, &request));
	jw_done(&w);
	CHECK_STR(str_c(&text), expected);
	perm_policy_clear(&policy);
}

TEST(question_offers_the_rule_that_would_allow_the_call)
{
	struct perm_request run = { .tool = SV("Bash"),
				    .access = ACCESS_RUN,
				    .command = SV("npm test && make x") };
	struct perm_request both = { .tool = SV("Bash"),
				     .access = ACCESS_RUN,
				     .command = SV("touch a") };
	struct perm_request edit = { .tool = SV("Edit"),
				     .access = ACCESS_WRITE,
				     .path = SV("/w/pro/a") };
	struct perm_request lost = { .tool = SV("Bash"),
				     .access = ACCESS_RUN,
				     .command = SV("$x") };
	struct perm_request list = { .tool = SV("Bash"),
				     .access = ACCESS_RUN,
				     .command = SV("npm test $x") };
	struct perm_request tool = { .tool = SV("mcp__a__b"), .access = ACCESS_OTHER };

	check(PERM_DEFAULT, run,
	      "[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"npm "
	      "test\"},{\"toolName\":\"Bash\",\"ruleContent\":\"make x\"}],"
	      "\"behavior\":\"allow\",\"destination\":\"localSettings\"}]");
	/* "Always" to a command is no word about edits, though that mode would allow it, too. */
	check(PERM_DEFAULT, both,
	      "[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"touch "
	      "a\"}"
	      "],\"behavior\":\"allow\",\"destination\":\"localSettings\"}]");
	check(PERM_DEFAULT, edit,
	      "[{\"type\":\"setMode\",\"mode\":\"acceptEdits\",\"destination\":\"session\"}]");
	check(PERM_DEFAULT, lost, "[]");
	check(PERM_DEFAULT, list, "[]"); /* not all of Bash for the sake of one command */
	check(PERM_DEFAULT, tool,
	      "[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"mcp__a__b\"}],"
	      "\"behavior\":\"allow\",\"destination\":\"localSettings\"}]");
}
