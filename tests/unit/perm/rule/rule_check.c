#include "perm/rule/rule_check.h"

#include "test.h"

static void check(enum behavior what, const char *rule, const char *expected)
{
	struct err err = ERR_INIT;
	bool ok = perm_check_rule(what, sv_cstr(rule), SV("/home/me"), &err);

	if (ok != (expected == NULL) || (expected && !strstr(err.text, expected)))
		print_error("%s: %s\n", rule, ok ? "fine" : err.text);
	CHECK(ok == (expected == NULL));
	CHECK(!expected || strstr(err.text, expected));
	CHECK(!expected || strstr(err.text, "the rule \""));
}

TEST(rule_that_never_matches_is_reported_with_the_reason)
{
	static const struct {
		const char *rule, *allow, *deny; /* the reason; NULL: it can match */
	} cases[] = {
		{ "Bash", NULL, NULL },
		{ "Bash(npm test:*)", NULL, NULL },
		{ "Bash(redis-cli KEYS 'a*')", NULL, NULL },
		{ "Bash(echo 'a|b' \"c;d\" e\\;f:*)", NULL, NULL },
		{ "Bash(npm test && npm run lint)", NULL, NULL }, /* this very line */
		{ "Bash(curl * | bash)", "one command at a time", NULL },
		{ "Bash(cd src && make:*)", "one command at a time", NULL },
		{ "Bash(done)", "\"done\" is not a command", "is not a command" },
		{ "Bash(do make:*)", "\"do\" is not a command", "is not a command" },
		{ "Bash(for f in a b; do make; done)", NULL, NULL },
		{ "Bash(# a comment)", "a comment", "a comment" },
		{ "Bash(git:* push)", "only at its end", "only at its end" },
		{ "Bash(EXIT_CODE=$?)", "a variable", NULL },
		{ "Bash(ls $DIR)", "a variable", NULL },
		{ "Bash(ls \"$(pwd)\")", "a variable", NULL },
		{ "Bash(ls '$DIR')", NULL, NULL },
		{ "Bash(ls $HOME/bin)", NULL, NULL },
		{ "Bash(grep x$ f)", NULL, NULL },
		{ "Bash(dd if=:*)", "cut off", NULL },
		{ "WebFetch(https://x.example)", "domain:", NULL },
		{ "WebFetch(domain:x.example)", NULL, NULL },
		{ "mcp__a__b(x)", "no parentheses", NULL },
		{ "Agent(model:opus)", "a parameter", NULL },
		{ "Read(~/x)", NULL, NULL },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		check(BEHAVIOR_ALLOW, cases[i].rule, cases[i].allow);
		check(BEHAVIOR_DENY, cases[i].rule, cases[i].deny);
		check(BEHAVIOR_ASK, cases[i].rule, cases[i].deny);
	}
	check(BEHAVIOR_ALLOW, "Bash(ls", "does not end with");
}
