#include "tool/shell/bash_meaning.h"

#include "test.h"

TEST(an_exit_code_that_answers_a_question_is_no_failure)
{
	static const struct {
		const char *command;
		int code;
		bool printed;
		const char *meaning; /* NULL: a failure */
	} cases[] = {
		{ "grep x file", 1, false, "No matches found" },
		{ "grep x file", 2, true, NULL },
		{ "/usr/bin/grep x file", 1, false, "No matches found" },
		{ "LC_ALL=C A_2=b rg 'a;b|c' .", 1, false, "No matches found" },
		{ "diff a b", 1, true, "Files differ" },
		{ "diff a b 2>&1", 1, true, "Files differ" },
		{ "diff a b &>log", 1, false, "Files differ" },
		{ "[ -e x ]", 1, false, "Condition is false" },
		{ "test -e \"$X y\"", 1, false, "Condition is false" },
		{ "find / -name x 2>/dev/null", 1, true, "Some directories were inaccessible" },
		{ "find . \\( -name a -o -name b \\)", 1, true,
		  "Some directories were inaccessible" },
		{ "cat f | grep x", 1, false, "No matches found" },
		{ "cat f |& grep x", 1, false, "No matches found" },
		{ "make; grep x log", 1, true, "No matches found" },
		{ "make\ngrep x log\n", 1, true, "No matches found" },
		{ "false || grep x y", 1, true, "No matches found" },
		{ "cd d && grep x y", 1, false, "No matches found" },
		{ "cd d && cat y | grep x", 1, true, NULL },
		{ "cd d && grep x y", 1, true, NULL },
		{ "grep x y | head", 1, false, NULL },
		{ "grep x y && ls", 1, false, NULL },
		{ "echo grep", 1, false, NULL },
		{ "ls # ; grep x", 1, false, NULL },
		{ "if true; then grep x; fi", 1, false, NULL },
		{ "(cd d; false); grep x", 1, false, NULL },
		{ "echo \"$(false; grep x y\"", 1, false, NULL },
		{ "echo `false; grep x`", 1, false, NULL },
		{ "cat <<E\n;grep\nE", 1, false, NULL },
		{ "echo 'open; grep x", 1, false, NULL },
		{ "echo $'\\'; grep x", 1, false, NULL },
		{ "grep x ${y:-;}", 1, false, NULL },
		{ "! grep x y", 1, false, NULL },
		{ "'grep' x", 1, false, NULL },
		{ "=grep x", 1, false, NULL },
		{ "", 1, false, NULL },
		{ ";;&&|", 1, false, NULL },
		{ "grep x\\", 1, false, "No matches found" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const char *meaning =
			bash_meaning(sv_cstr(cases[i].command), cases[i].code, cases[i].printed);

		if (!meaning != !cases[i].meaning)
			print_error("%s\n", cases[i].command);
		CHECK_STR(meaning ? meaning : "a failure",
			  cases[i].meaning ? cases[i].meaning : "a failure");
	}
}

TEST(only_commands_that_print_nothing_are_silent)
{
	static const struct {
		const char *command;
		bool silent;
	} cases[] = {
		{ "mkdir -p a/b", true },
		{ "mkdir a && cd a; touch b", true },
		{ "cp a b | cat", false },
		{ "mkdir $(cat list)", false },
		{ "ls", false },
		{ "", false },
		{ ";", false },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(bash_is_silent(sv_cstr(cases[i].command)), cases[i].silent);
}
