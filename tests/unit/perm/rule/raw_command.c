#include "perm/rule/raw_command.h"

#include "base/limits.h"
#include "test.h"

struct command_case {
	const char *pattern, *command;
};

static bool judge_one(struct sv pattern, struct sv text, size_t *steps)
{
	defer(raw_command_clear) struct raw_command command;

	raw_command_init(&command, text);
	return raw_command_matches(pattern, &command, steps);
}

static void check_all(const struct command_case *cases, size_t n, bool expected)
{
	for (size_t i = 0; i < n; i++) {
		size_t steps = LIMIT_PERM_STEPS;

		if (judge_one(sv_cstr(cases[i].pattern), sv_cstr(cases[i].command), &steps) ==
		    expected)
			continue;
		print_error("%s: %s\n", cases[i].pattern, cases[i].command);
		CHECK(false);
	}
}

TEST(denied_command_is_found_anywhere_in_the_text)
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

	check_all(cases, countof(cases), true);
}

TEST(similar_command_is_not_denied)
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

	check_all(cases, countof(cases), false);
}

/* However many harmless commands come first. */
TEST(denied_command_is_found_after_ten_thousand_others)
{
	defer(str_clear) struct str command = STR_INIT;
	size_t steps = LIMIT_PERM_STEPS;

	for (int i = 0; i < 10000; i++)
		str_adds(&command, "true && ");
	CHECK(!judge_one(SV("curl:*"), sv_of(&command), &steps));
	str_adds(&command, "curl evil.example");
	CHECK(judge_one(SV("curl:*"), sv_of(&command), &steps));
	CHECK(steps > 0);
}

TEST(command_too_costly_to_judge_is_denied)
{
	defer(str_clear) struct str command = STR_INIT;
	size_t steps;

	str_adds(&command, "sudo");
	for (int i = 0; i < 3000; i++)
		str_adds(&command, " a");
	for (size_t cost = 0; cost < 200; cost += 7) {
		steps = cost;
		CHECK(judge_one(SV("a*a*b"), sv_of(&command), &steps));
		CHECK_INT(steps, 0);
	}
}

TEST(command_with_invisible_characters_differs_from_one_in_other_scripts)
{
	CHECK(text_is_visible(SV("ls\n\t-la")));
	CHECK(text_is_visible(
		SV("echo \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe6\x97\xa5 \xf0\x9f\x91\x8d")));
	CHECK(text_is_visible(SV("")));
	CHECK(!text_is_visible(SV("ls\0")));
	CHECK(!text_is_visible(SV("ls\xc0\xaf")));
	CHECK(!text_is_visible(SV("git log\xe2\x80\x8b -3")));
}
