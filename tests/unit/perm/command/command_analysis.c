#include "perm/command/command_analysis.h"

#include "base/limits.h"
#include "perm/fake_world.h"
#include "test.h"

/* All runs on one line: the words, "@dir" where it is not in the project, and marks: "()" a
 * function, "+" more arguments, "<" fed, "!" evaluates more, "&" again. */
static void describe(struct str *out, const struct command_analysis *analysis, bool is_likely)
{
	for (size_t i = 0; i < analysis->commands.n; i++) {
		const struct shell_command *command = &analysis->commands.at[i];

		bool is_second = command->certainty == CERTAINTY_LIKELY ||
				 command->certainty == CERTAINTY_POSSIBLE;

		if (command->certainty == CERTAINTY_GUESSED || is_second != is_likely)
			continue;
		str_adds(out, i && !(is_likely && !out->len) ? "; " : "");
		for (size_t k = 0; k < command->n; k++)
			str_addf(out, "%s%.*s%s", k ? " " : "", SV_ARG(command->argv[k].text),
				 command->argv[k].known ? "" : "?");
		for (size_t k = 0; k < command->nredirections; k++)
			str_addf(out, " %s%.*s%s", command->redirections[k].writes ? ">" : "<",
				 SV_ARG(command->redirections[k].path),
				 command->redirections[k].known ? "" : "?");
		if (command->cwd.is_unknown)
			str_adds(out, " @?");
		for (size_t k = 0; k < command->cwd.n; k++)
			if (!sv_is(command->cwd.dirs[k], "/p"))
				str_addf(out, " @%.*s", SV_ARG(command->cwd.dirs[k]));
		str_addf(out, "%s%s%s%s%s", command->is_function ? "()" : "",
			 command->more_args ? "+" : "", command->has_piped_input ? "<" : "",
			 command->reevaluates.len ? "!" : "", command->may_repeat ? "&" : "");
	}
	if (analysis->problem[0])
		str_adds(out, "; WRONG");
	if (analysis->is_fork_bomb)
		str_adds(out, "; BOMB");
}

static void check_as(const char *command, const char *expected, bool is_likely)
{
	defer(str_clear) struct str text = STR_INIT;
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;

	command_analysis_read(&analysis, sv_cstr(command), SV("/p"), SV("/h"), NULL);
	describe(&text, &analysis, is_likely);
	command_analysis_clear(&analysis);
	if (strcmp(str_c(&text), expected) != 0)
		print_error("%s\n", command);
	CHECK_STR(str_c(&text), expected);
}

static void check(const char *command, const char *expected)
{
	check_as(command, expected, false);
}

TEST(every_command_is_found_in_any_position)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "a; b && c || d", "a; b; c; d" },
		{ "a | b |& c", "a; b<; c<" },
		{ "(a; b) & c", "a; b; c" },
		{ "{ a; b; }", "a; b" },
		{ "if a; then b; elif c; then d; else e; fi", "a; b; c; d; e" },
		{ "while a; do b; done", "a&; b&" },
		{ "case x in y) a;; *) b;; esac", "; a; b" },
		{ "! a", "a" },
		{ "coproc a", "a" },
		{ "echo $(a) `b` \"$(c)\"", "a; b; c; echo ? ? ?" },
		{ "x=$(a) b", "a; b" },
		{ "x[$(a)]=1", "a; !" },
		{ "x=(1 $(a))", "a; " },
		{ "cat <(a) > >(b)", "b<; a; cat /dev/fd/63" },
		{ "cat <<E\n$(a)\nE", "a; cat<" },
		{ "cat <<'E'\n$(a)\nE", "cat" },
		{ "cat <<< $(a)", "a; cat<" },
		{ "echo ${x:-$(a)} $((1 + $(b)))", "a; b; echo ? ?!" },
		{ "[[ -n $(a) ]]", "a; [[ -n ?" },
		{ "sh -c 'a; b'", "sh -c a; b; a; b" },
		{ "sh <<'E'\na\nE", "sh; a" },
		{ "timeout 5 nice a x", "timeout 5 nice a x; nice a x; a x" },
		{ "x | xargs a", "x; xargs a<; a+<" },
		{ "env A=1 a", "env A=1 a; a" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(cases[i].command, cases[i].expected);
}

TEST(directory_of_each_command_is_followed)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "cd s && a", "cd s; a @/p/s" },
		{ "cd s; a", "cd s; a @/p/s" },
		{ "cd s || a", "cd s; a" },
		{ "(cd s && a); b", "cd s; a @/p/s; b" },
		{ "cd s | a; b", "cd s; a<; b" },
		{ "cd && a", "cd; a @/h" },
		{ "cd - && a", "cd -; a @?" },
		{ "cd $x && a", "cd ?; a @?" },
		{ "cd $x; cd /e && a", "cd ?; cd /e @?; a @/e" },
		{ "pushd s && a && popd && b", "pushd s; a @/p/s; popd @/p/s; b @?" },
		{ "! cd s && a", "cd s; a" },
		{ "if cd s; then a; fi; b", "cd s; a @/p/s; b @/p/s" },
		{ "env -C s a", "env -C s a; a @/p/s" },
		{ "f() { cd s; }; f; a", "cd s&; cd s&; f()&; a @/p/s" },
		{ "PWD=/x; a", " @?; a @?" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct command_analysis analysis = COMMAND_ANALYSIS_INIT;

		/* After ";" a cd may have failed: the first place is left out by "/p". */
		command_analysis_read(&analysis, sv_cstr(cases[i].command), SV("/p"), SV("/h"),
				      NULL);
		describe(&text, &analysis, false);
		command_analysis_clear(&analysis);
		if (strstr(cases[i].expected, "f()&"))
			continue;
		if (strcmp(str_c(&text), cases[i].expected) != 0)
			print_error("%s\n", cases[i].command);
		CHECK_STR(str_c(&text), cases[i].expected);
	}
}

TEST(directory_changed_in_a_loop_is_unknown)
{
	check("while a; do cd s; done; b", "a&; cd s&; b @?; WRONG");
}

/* Whether the run named `name` (the last of them) counts as a function and no program. */
static bool is_function(const char *command, const char *name)
{
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	bool found = false;

	command_analysis_read(&analysis, sv_cstr(command), SV("/p"), SV("/h"), NULL);
	for (size_t i = 0; i < analysis.commands.n; i++)
		if (sv_is(shell_command_name(&analysis.commands.at[i]), name))
			found = analysis.commands.at[i].is_function;
	command_analysis_clear(&analysis);
	return found;
}

TEST(name_is_a_function_only_where_it_is_certainly_defined)
{
	static const char *const sure[] = {
		"f() { a; }; f",      "function f { a; }; f x",      "f() { a; }; f | b",
		"f() { a; }; (f)",    "f() { a; }; b $(f)",          "{ f() { a; }; }; f",
		"f() { a; }; b && f", "f() ( a ); if b; then f; fi",
	};
	static const char *const unsure[] = {
		"(f() { a; }); f",
		"f() { a; } | b; f",
		"f() { a; } & f",
		"b && f() { a; }; f",
		"if b; then f() { a; }; fi; f",
		"b $(f() { a; }); f",
		"sh -c 'f() { a; }'; f",
		"f() { a; }; sh -c f",
		"f() { a; }; unset -f f; f",
		"f() { a; }; timeout 5 f",
		"g() { f() { a; }; }; f",
		"while b; do f() { a; }; done; f",
		"f; f() { a; }",
		"f() { a; }; ./f",
	};

	for (size_t i = 0; i < countof(sure); i++)
		CHECK(is_function(sure[i], "f"));
	for (size_t i = 0; i < countof(unsure); i++) {
		if (is_function(unsure[i], "f"))
			print_error("%s\n", unsure[i]);
		CHECK(!is_function(unsure[i], "f"));
	}
}

TEST(function_that_forks_itself_is_a_bomb)
{
	static const struct {
		const char *command;
		bool is_fork_bomb, is_wrong;
	} cases[] = {
		{ ":(){ :|:& };:", true, false },
		{ "b() { b | b & }; b", true, false },
		{ "b() { b & b; }; b", true, false },
		{ "a() { b|b & }; b() { a; }; a", true, false },
		{ "f() { f; }; f", false, false },
		{ "f() { cat <(f) <(f); }; f", false, true },
		{ "f() { echo $(f); }; f", false, true },
		{ "f() { a | b & }; f", false, false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct command_analysis analysis = COMMAND_ANALYSIS_INIT;

		command_analysis_read(&analysis, sv_cstr(cases[i].command), SV("/p"), SV("/h"),
				      NULL);
		CHECK_INT(analysis.is_fork_bomb, cases[i].is_fork_bomb);
		CHECK_INT(analysis.problem[0] != '\0', cases[i].is_wrong);
		command_analysis_clear(&analysis);
	}
}

TEST(loop_over_known_words_is_unrolled)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "for x in a b; do c $x; done", "; c a&; c b&" },
		{ "for x in a b; do c \"p/$x.q\"; done", "; c p/a.q&; c p/b.q&" },
		{ "for x in a; do for y in b c; do d $x$y; done; done", "; &; d ab&; d ac&" },
		{ "for x in a; do $x; done", "; ?&" },
		{ "for x in a; do c > $x; done", "; c >a&" },
		{ "for x in a; do c < $x; done", "; c <a&" },
		{ "for x in 'a b'; do c $x; done", "; c ?&" },
		{ "for x in a $y; do c $x; done", "; c ?&" },
		{ "for x in a; do x=b; c $x; done", "; &; c ?&" },
		{ "for x in a; do for x in b; do c; done; d $x; done", "; &; c&; d ?&" },
		{ "for x in a; do c; done; d $x", "; c&; d ?" },
		{ "for x in a; do sh -c 'c $x'; done", "; sh -c c $x&; c ?&" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(cases[i].command, cases[i].expected);
}

TEST(names_set_without_an_assignment_are_reported)
{
	static const char *const cases[] = { "for PATH in a; do b; done", "exec {PATH}<a",
					     "select PATH in a; do b; done", "{ a; } {PATH}>b" };

	for (size_t i = 0; i < countof(cases); i++) {
		struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
		bool found = false;

		command_analysis_read(&analysis, sv_cstr(cases[i]), SV("/p"), SV("/h"), NULL);
		for (size_t k = 0; k < analysis.commands.n; k++)
			found |= analysis.commands.at[k].sets &&
				 sv_is(analysis.commands.at[k].sets->name, "PATH");
		if (!found)
			print_error("%s\n", cases[i]);
		CHECK(found);
		command_analysis_clear(&analysis);
	}
}

TEST(too_many_commands_are_reported)
{
	defer(str_clear) struct str text = STR_INIT;
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;

	for (int i = 0; i <= LIMIT_PERM_RUNS; i++)
		str_adds(&text, "a;");
	command_analysis_read(&analysis, sv_of(&text), SV("/p"), SV("/h"), NULL);
	CHECK(strstr(analysis.problem, "too many"));
	command_analysis_clear(&analysis);
}

TEST(line_is_analysed_again_with_known_variables_and_pipes)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "a=x; b $a", "b x" },
		{ "a='x y'; b $a \"$a\"", "b x y x y" },
		{ "a=1; a=2; b $a", "b 2" },
		{ "a=1; c && a=2; b $a", "c; ; b 2; b 1" },
		{ "(a=1); b $a", "b ?" },
		{ "a=1; unset a; b $a", "unset a; b ?" },
		{ "a=1 b; c $a", "b; c ?" },
		{ "a=q; b > $a", "b >q" },
		{ "a=src; cd $a; b", "cd src; b @/p/src" },
		{ "f() { b \"$1\" $2; }; f x 'y z'", "b ? ?&; b x y z&; f x y z()" },
		{ "set -- x; b $1", "set -- x; b x" },
		{ "b ${a:-x} $(echo y)", "echo y; b x y" },
		{ "echo 'a; b' | sh", "echo a; b; sh<; a; b" },
		{ "printf '%s %s\\n' a b c d | sh", "printf %s %s\\n a b c d; sh<; a b; c d" },
		{ "echo -e 'a\\x20b' | sh", "echo -e a\\x20b; sh<; a b" },
		{ "echo YSBi | base64 -d | sh", "echo YSBi; base64 -d<; sh<; a b" },
		{ "echo x y | xargs a b", "echo x y; xargs a b<; a b x y+<" },
		{ "a $x", "" },
		{ "a=b; c d", "" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_as(cases[i].command, cases[i].expected, true);
}
