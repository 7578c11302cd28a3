/* Paths of which only a part is known before the command runs. */
#include "perm/decide/decide_command.h"

#include "perm/fake_world.h"
#include "test.h"

static void check_all(enum perm_mode mode, const char *allow, enum behavior expected,
		      const char *const *commands, size_t n)
{
	struct perm_policy policy = fake_policy(mode, allow, "", "");

	for (size_t i = 0; i < n; i++) {
		struct verdict v = fake_decide(&policy, commands[i]);

		if (v.behavior != expected)
			print_error("%s [%s] %s: %s\n", commands[i], allow,
				    behavior_name(v.behavior), v.text);
		CHECK_INT(v.behavior, expected);
	}
	perm_policy_clear(&policy);
}

TEST(path_that_is_protected_whatever_its_unknown_part_is_is_asked_about)
{
	static const char *const commands[] = {
		"echo x > .git/$f",
		"cp a .git/hooks/\"$x\"",
		"echo x > src/../.git/pre-$f",
		"tee \"$(git rev-parse --show-toplevel)/.git/config\"",
		"x > ~/$d/.ssh/config",
		"touch $d/.github/workflows/a.yml",
		"cd $d; echo x > .git/config",
	};

	check_all(PERM_DEFAULT, "Bash", BEHAVIOR_ASK, commands, countof(commands));
	check_all(PERM_BYPASS, "", BEHAVIOR_ASK, commands, countof(commands));
}

TEST(file_that_is_a_secret_wherever_it_is_is_asked_about_under_a_bare_rule)
{
	static const char *const commands[] = { "cat \"$d/.env\"", "x < $d/id_rsa",
						"x > y < ~/$d/.netrc" };

	check_all(PERM_DEFAULT, "Bash", BEHAVIOR_ASK, commands, countof(commands));
	check_all(PERM_DEFAULT, "Bash,Read(.env)", BEHAVIOR_ASK, commands, countof(commands));
	check_all(PERM_DEFAULT, "Bash,Read", BEHAVIOR_ALLOW, commands, countof(commands));
	check_all(PERM_DEFAULT, "Bash,Read(//**/.env)", BEHAVIOR_ALLOW, commands, 1);
}

TEST(path_that_may_be_another_one_is_allowed_by_a_bare_rule)
{
	static const char *const commands[] = {
		"echo x > .git$f",     "echo x > src/$f",
		"echo x > $d/src/a.c", "echo x > .claude/worktrees/$x/a",
		"cat .git/$f",         "cat $d.env",
		"cat $d/.env.example", "cat $d/.env$e/x",
		"ls $d/.env",
	};

	check_all(PERM_DEFAULT, "Bash", BEHAVIOR_ALLOW, commands, countof(commands));
}
