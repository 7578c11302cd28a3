#include "perm/command.h"

#include "base/limits.h"
#include "test.h"

struct command_case {
	const char *pattern, *command;
};

typedef bool judge_fn(struct sv pattern, const struct command *command, size_t *steps);

static bool judge_one(judge_fn *judge, struct sv pattern, struct sv text, size_t *steps)
{
	defer(command_clear) struct command command;

	command_init(&command, text);
	return judge(pattern, &command, steps);
}

static void check_all(judge_fn *judge, const struct command_case *cases, size_t n, bool expected)
{
	for (size_t i = 0; i < n; i++) {
		size_t steps = LIMIT_PERM_STEPS;

		if (judge_one(judge, sv_cstr(cases[i].pattern), sv_cstr(cases[i].command),
			      &steps) == expected)
			continue;
		print_error("%s: %s\n", cases[i].pattern, cases[i].command);
		CHECK(false);
	}
}

TEST(command_is_allowed_by_its_own_text_a_prefix_of_whole_words_or_a_wildcard)
{
	static const struct command_case cases[] = {
		{ "git status", "git status" },
		{ "git status", "  git status\n" },
		{ "git log:*", "git log" },
		{ "git log:*", "git log --oneline" },
		{ "git log:*", "git log\t-3" },
		{ "git log *", "git log -3" },
		{ "git stash *", "git stash" },
		{ "ls*", "lsof -i" },
		{ "ls*", "ls" },
		{ "npm test:*", "npm test -- --watch=false" },
		{ "npm * --dry-run", "npm publish --dry-run" },
		{ "git * main:*", "git push origin main" },
		{ "git * main:*", "git push origin main --tags" },
		{ "python3:*", "python3 x.py 1" },
		{ "git commit:*", "git commit -m 'fix: typo'" },
		{ "git commit:*", "git commit -m '\xc3\xa9migr\xc3\xa9 \xe2\x9c\x93'" },
		{ "find:*", "find . -name '*.c' -maxdepth 2 -xdev" },
		{ "fd:*", "fd --extension c" },
		{ "7z:*", "7z l a.7z" },
		{ "rm -rf build && make", "rm -rf build && make" },
		{ "timeout 30 npm test:*", "timeout 30 npm test -- a" },
		{ "bash script/test:*", "bash script/test unit" },
	};

	check_all(command_allowed_by, cases, countof(cases), true);
}

TEST(command_that_is_more_than_the_rule_says_is_not_allowed)
{
	static const struct command_case cases[] = {
		{ "git status", "git status -s" },
		{ "cargo test", "cargo test --release" },
		{ "git log:*", "git logx" },
		{ "git log:*", "git  log" },
		{ "git log:*", "./git log" },
		{ "git log:*", "git -C ../other log" },
		{ "git log:*", "Git log" },
		{ "ls *", "lsof -i" },
		{ "npm run test:*", "npm run test:unit" },
		{ "npm * --dry-run", "npm publish" },
		{ "python3 scripts/gen.py:*", "python3 -c 'print(1)'" },
		{ "npm test:*", "env npm test" },
		{ "npm test:*", "FOO=1 npm test" },
		{ "npm test:*", "" },
		{ "git status", "git status\r" },
		{ "git status:*", "\fgit status" },
	};

	check_all(command_allowed_by, cases, countof(cases), false);
}

TEST(command_that_may_hide_another_is_not_allowed_by_a_prefix)
{
	static const char *const tails[] = {
		"&& rm x",    "; rm x",       "|sh",
		"| sh",       "|& sh",        "& rm x",
		"\nrm x",     "x#; rm y",     "`rm x`",
		"$(rm x)",    "\"$(rm x)\"",  "<(rm x)",
		"> out",      ">| out",       "3>out",
		">& out",     "< in",         "<<EOF\n$(rm)\nEOF",
		"${x@P}",     "$X",           "{rm,x}",
		"(rm)",       "\xe2\x80\x8b", "\xe2\x80\xaex",
		"\r",         "\x1b[24D",     "\x07",
		"\xc2\x9b[K", "\xff",         "\xf3\xa0\x81\xa1",
		"\xc2\xad",   "\xef\xbb\xbf",
	};
	static const char *const patterns[] = { "ls:*", "ls *", "ls*", "*" };

	for (size_t i = 0; i < countof(tails) * countof(patterns); i++) {
		defer(str_clear) struct str command = STR_INIT;
		const struct command_case one = { patterns[i % countof(patterns)],
						  (str_addf(&command, "ls %s x",
							    tails[i / countof(patterns)]),
						   str_c(&command)) };

		check_all(command_allowed_by, &one, 1, false);
	}
}

TEST(command_wrapped_in_another_needs_a_rule_that_names_it)
{
	static const struct command_case cases[] = {
		{ "timeout:*", "timeout 5 curl x" },
		{ "timeout 5:*", "timeout 5 curl x" },
		{ "env:*", "env -S 'touch x'" },
		{ "env A=1:*", "env A=1 rm x" },
		{ "sudo:*", "sudo ls" },
		{ "/usr/bin/sudo:*", "/usr/bin/sudo ls" },
		{ "sudo *", "sudo rm x" },
		{ "s*", "sudo rm x" },
		{ "bash -c:*", "bash -c 'rm x'" },
		{ "sh:*", "sh x.sh" },
		{ "xargs:*", "xargs rm" },
		{ "nice -n 10:*", "nice -n 10 rm x" },
		{ "A=1:*", "A=1 rm x" },
		{ "!:*", "! rm x" },
		{ "find:*", "find . -delete" },
		{ "find:*", "find . -exec touch x +" },
		{ "find:*", "find . -okdir sh x +" },
		{ "find:*", "find . -fprintf out x" },
		{ "sudo find:*", "sudo find . -delete" },
		{ "fd:*", "fd -x rm" },
		{ "fd:*", "fd -HX rm" },
		{ "fd:*", "fd . --exec-batch rm" },
	};

	check_all(command_allowed_by, cases, countof(cases), false);
}

TEST(command_is_forbidden_wherever_it_stands_in_the_text)
{
	static const struct command_case cases[] = {
		{ "rm:*", "rm" },
		{ "rm:*", "rm -rf y" },
		{ "rm:*", "cd x && rm -rf y" },
		{ "rm:*", "cd x;rm -rf y" },
		{ "rm:*", "ls\nrm y" },
		{ "rm:*", "ls | rm" },
		{ "rm:*", "ls & rm y" },
		{ "rm:*", "(rm y)" },
		{ "rm:*", "{ rm y; }" },
		{ "rm:*", "echo $(rm y)" },
		{ "rm:*", "echo `rm y`" },
		{ "rm:*", "cat <(rm y)" },
		{ "rm:*", "if rm y; then ls; fi" },
		{ "rm:*", "for f in *; do rm $f; done" },
		{ "rm:*", "while ! rm y; do true; done" },
		{ "rm:*", "f() { rm y; }; f" },
		{ "rm:*", "case x in a) rm y;; esac" },
		{ "rm -rf:*", "rm \\\n-rf y" },
		{ "rm:*", "ls # a \\\nrm y" },
		{ "rm:*", "/bin/rm y" },
		{ "rm:*", "./rm y" },
		{ "rm:*", "\\rm y" },
		{ "rm:*", "r\"m\" y" },
		{ "rm:*", "'rm' y" },
		{ "rm:*", "$'rm' y" },
		{ "rm:*", "  rm\t-rf  y" },
		{ "rm -rf:*", "rm\t\t-rf y" },
		{ "rm:*", "A=1 rm y" },
		{ "rm:*", "A='b c' D=e rm y" },
		{ "rm:*", "sudo rm y" },
		{ "rm:*", "sudo -u bob -- rm y" },
		{ "rm:*", "env -i A=1 rm y" },
		{ "rm:*", "timeout -s KILL 5 nice rm y" },
		{ "rm:*", "nohup rm y &" },
		{ "rm:*", "command rm y" },
		{ "rm:*", "xargs -I{} rm {}" },
		{ "rm:*", "/usr/bin/env rm y" },
		{ "rm:*", "bash -c 'rm y'" },
		{ "rm:*", "bash -c \"cd x; rm y\"" },
		{ "rm:*", "find . -name x -exec rm {} \\;" },
		{ "rm:*", "fd x -x rm" },
		{ "rm:*", "busybox rm y" },
		{ "rm:*", ">out rm y" },
		{ "rm:*", "2>&1 rm y" },
		{ "rm:*", "</dev/null rm y" },
		{ "rm:*", "! rm y" },
		{ "rm:*", "rm>out -rf y" },
		{ "rm:*", "rm</dev/null y" },
		{ "rm:*", "rm>>out" },
		{ "rm -rf:*", "rm -rf>out y" },
		{ "rm > out:*", "rm>out y" },
		{ "rm:*", "{rm,-rf,y}" },
		{ "rm -rf:*", "{rm,-rf,y}" },
		{ "rm:*", "time rm y" },
		{ "git push", "git push" },
		{ "git push", "git add . && git push" },
		{ "*secret*", "cat x/secret.txt" },
		{ "*secret*", "ls; cat \"sec\"ret.txt" },
		{ "curl*", "curl.exe x" },
		{ "git * --force:*", "git push --force" },
		{ "git * --force:*", "ls && git push origin --force x" },
		{ "git commit -m \"x\":*", "git commit -m x" },
		{ "a && b", "a && b" },
	};

	check_all(command_forbidden_by, cases, countof(cases), true);
}

TEST(command_that_only_looks_alike_is_not_forbidden)
{
	static const struct command_case cases[] = {
		{ "rm:*", "rmdir x" },
		{ "rm:*", "git rm x" },
		{ "rm:*", "ls rm" },
		{ "rm:*", "grep -n rm scripts/clean.sh" },
		{ "rm:*", "find . -name rm -maxdepth 2" },
		{ "rm:*", "" },
		{ "rm -rf:*", "rm -r x" },
		{ "git push", "git push origin" },
		{ "git push", "git pushx" },
		{ "curl:*", "if true; then echo curl; fi" },
	};

	check_all(command_forbidden_by, cases, countof(cases), false);
}

/* However many harmless commands come first. */
TEST(command_is_forbidden_behind_ten_thousand_others)
{
	defer(str_clear) struct str command = STR_INIT;
	size_t steps = LIMIT_PERM_STEPS;

	for (int i = 0; i < 10000; i++)
		str_adds(&command, "true && ");
	CHECK(!judge_one(command_forbidden_by, SV("curl:*"), sv_of(&command), &steps));
	str_adds(&command, "curl evil.example");
	CHECK(judge_one(command_forbidden_by, SV("curl:*"), sv_of(&command), &steps));
	CHECK(steps > 0);
}

TEST(command_too_costly_to_judge_is_forbidden_and_not_allowed)
{
	defer(str_clear) struct str command = STR_INIT;
	size_t steps;

	str_adds(&command, "sudo");
	for (int i = 0; i < 3000; i++)
		str_adds(&command, " a");
	for (size_t cost = 0; cost < 200; cost += 7) {
		steps = cost;
		CHECK(judge_one(command_forbidden_by, SV("a*a*b"), sv_of(&command), &steps));
		CHECK_INT(steps, 0);
		steps = cost;
		CHECK(!judge_one(command_allowed_by, SV("*a*a"), sv_of(&command), &steps));
	}
}

TEST(command_with_characters_that_do_not_show_is_told_from_one_with_other_scripts)
{
	CHECK(command_is_visible(SV("ls\n\t-la")));
	CHECK(command_is_visible(
		SV("echo \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe6\x97\xa5 \xf0\x9f\x91\x8d")));
	CHECK(command_is_visible(SV("")));
	CHECK(!command_is_visible(SV("ls\0")));
	CHECK(!command_is_visible(SV("ls\xc0\xaf")));
	CHECK(!command_is_visible(SV("git log\xe2\x80\x8b -3")));
}
