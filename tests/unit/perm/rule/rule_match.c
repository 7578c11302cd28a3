#include "perm/rule/rule_match.h"

#include "base/limits.h"
#include "test.h"

struct covering {
	const char *pattern, *command;
	bool allows;
	enum rule_match denies;
};

static const struct covering table[] = {
	{ "git log:*", "git log", true, RULE_YES },
	{ "git log:*", "git log --oneline", true, RULE_YES },
	{ "git log *", "git log", true, RULE_YES },
	{ "git log:*", "git logx", false, RULE_NO },
	{ "git log:*", "git -C x log", false, RULE_YES }, /* an option between */
	{ "git log", "git log", true, RULE_YES },
	{ "git log", "git log -3", false, RULE_NO },
	{ "git log", "git   'log'", true, RULE_YES },
	{ "ls *", "lsof", false, RULE_NO },
	{ "ls*", "lsof -i", true, RULE_YES },
	{ "npm run test:*", "npm run test:unit", false, RULE_NO },
	{ "curl:*", "/usr/bin/curl x", true, RULE_YES },
	{ "curl:*", "./curl x", false, RULE_YES },
	{ "curl:*", "/tmp/curl x", false, RULE_YES },
	{ "/usr/bin/curl:*", "curl x", false, RULE_YES },
	{ "./curl:*", "./curl x", true, RULE_YES },
	{ "curl:*", "$c x", false, RULE_MAYBE },
	{ "curl x:*", "curl $c", false, RULE_MAYBE },
	{ "wget:*", "curl $c", false, RULE_NO },
	{ "echo 'a b'", "echo 'a b'", true, RULE_YES }, /* as it is written */
	{ "echo a b", "echo 'a b'", false, RULE_NO },
	{ "echo * b", "echo a 'x b'", false, RULE_NO },
	{ "*", "anything at all", true, RULE_YES },
	/* Quotes in a pattern are those of the shell. */
	{ "redis-cli KEYS 'air_*'", "redis-cli KEYS 'air_1'", true, RULE_YES },
	{ "redis-cli KEYS \"air_*\"", "redis-cli KEYS air_2", true, RULE_YES },
	{ "redis-cli KEYS 'air_*'", "redis-cli KEYS x", false, RULE_NO },
	{ "git commit -m 'a b':*", "git commit -m \"a b\" -q", true, RULE_YES },
	{ "git commit -m 'a b'", "git commit -m a b", false, RULE_NO },
	{ "echo it's", "echo its", false, RULE_NO },
	{ "rg \"export\\(\" a.ts", "rg \"export\\(\" a.ts", true, RULE_YES },
	{ "rg \"export\\(\" a.ts", "rg 'export\\(' a.ts", true, RULE_YES },
	{ "rg \"export\\(\" a.ts", "rg \"export(\" a.ts", true, RULE_NO }, /* as others escape it */
	/* An escaped star is a star. */
	{ "find -name '\\*.o'", "find -name '*.o'", true, RULE_YES },
	{ "find -name \\*.o", "find -name '*.o'", true, RULE_YES },
	{ "find -name '\\*.o'", "find -name 'a.o'", false, RULE_NO },
	{ "foo \\*:*", "foo '*' x", true, RULE_YES },
	/* Paths. */
	{ "/usr/bin/python3:*", "/usr/bin/python3 x", true, RULE_YES },
	{ "/usr/bin/python3:*", "/bin/python3 x", false, RULE_YES },
	{ "/opt/x/tool:*", "/opt/x/tool a", true, RULE_YES },
	{ "/opt/x/tool:*", "tool a", false, RULE_NO },
	{ "~/bin/tool:*", "~/bin/tool a", true, RULE_YES },
	{ "~/bin/tool:*", "/h/bin/tool a", true, RULE_YES },
	{ "$HOME/bin/tool:*", "$HOME/bin/tool", true, RULE_YES },
	{ "~/bin/tool:*", "'~/bin/tool' a", false, RULE_YES },
	{ "bash ~/.claude/skills/x/run.sh:*", "bash ~/.claude/skills/x/run.sh 1", true, RULE_YES },
	/* Assignments. */
	{ "PORT=4000 bun dev:*", "PORT=4000 bun dev x", true, RULE_YES },
	{ "PORT=4000 bun dev:*", "PORT=4001 bun dev", false, RULE_NO },
	{ "PORT=4000 bun dev:*", "bun dev", false, RULE_NO },
	{ "PORT=4000 bun dev:*", "PORT=4000 X=1 bun dev", false, RULE_NO },
	{ "PORT=* bun dev", "PORT='1 2' bun dev", true, RULE_YES },
	{ "A='b c' D= e", "A=\"b c\" D= e", true, RULE_YES },
	{ "A=1:*", "A=1 x", false, RULE_YES },
	/* Any value, for a rule that forbids. */
	{ "dd if=:*", "dd if=/dev/zero of=x", false, RULE_YES },
};

static void check(const struct covering *c)
{
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	size_t steps = LIMIT_PERM_STEPS;
	struct sv pattern = sv_cstr(c->pattern);
	const struct shell_command *command;

	command_analysis_read(&analysis, sv_cstr(c->command), SV("/p"), SV("/h"), NULL);
	command = &analysis.commands.at[0];
	if (rule_match_allow(pattern, command, SV("/h"), &steps) != c->allows ||
	    rule_match_deny(pattern, command, SV("/h"), &steps) != c->denies)
		print_error("%.*s: %s\n", SV_ARG(pattern), c->command);
	CHECK_INT(rule_match_allow(pattern, command, SV("/h"), &steps), c->allows);
	CHECK_INT(rule_match_deny(pattern, command, SV("/h"), &steps), c->denies);
	command_analysis_clear(&analysis);
}

TEST(rule_covers_the_arguments_that_the_program_gets)
{
	for (size_t i = 0; i < countof(table); i++)
		check(&table[i]);
}

TEST(too_costly_match_denies_and_does_not_allow)
{
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	size_t none = 0;

	command_analysis_read(&analysis, SV("git status"), SV("/p"), SV("/h"), NULL);
	CHECK(!rule_match_allow(SV("git:*"), &analysis.commands.at[0], SV("/h"), &none));
	CHECK_INT(rule_match_deny(SV("curl:*"), &analysis.commands.at[0], SV("/h"), &none),
		  RULE_YES);
	command_analysis_clear(&analysis);
}

TEST(rule_spells_an_option_explicitly)
{
	CHECK(rule_pattern_spells(SV("git push --force:*"), SV("--force")));
	CHECK(rule_pattern_spells(SV("git log --output=x:*"), SV("--output=y")));
	CHECK(rule_pattern_spells(SV("git push -f *"), SV("-f")));
	CHECK(!rule_pattern_spells(SV("git push:*"), SV("--force")));
	CHECK(!rule_pattern_spells(SV("git push --forceful:*"), SV("--force")));
	CHECK(!rule_pattern_spells(SV("git *"), SV("push")));
}
