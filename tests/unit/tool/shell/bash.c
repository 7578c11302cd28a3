#include "perm/command/command_analysis.h"
#include "tool/errand.h"

#include "base/limits.h"
#include "sys/child/child_probe.h"

/* Runs a command with further members of the input, such as "\"timeout\":1". */
static void bash_with(struct errand *e, struct sv command, const char *more)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	str_adds(&input, "{");
	str_adds(&input, more);
	str_adds(&input, *more ? ",\"command\":" : "\"command\":");
	jw_init(&w, &input, JW_COMPACT);
	jw_str(&w, command);
	jw_done(&w);
	str_adds(&input, "}");
	errand_begin(e, &tool_bash, str_c(&input));
}

static void bash(struct errand *e, const char *command)
{
	bash_with(e, sv_cstr(command), "");
	errand_end(e);
}

static const char *cwd_below(const struct errand *e)
{
	CHECK(sv_starts(sv_of(&e->ctx.cwd), sv_of(&e->dir)));
	return str_c(&e->ctx.cwd) + e->dir.len;
}

TEST(a_command_gives_both_streams_in_order_and_the_data_of_the_protocol)
{
	ERRAND(e);

	bash(&e, "echo one; echo two >&2; echo three");
	CHECK_SV(errand_text(&e), "one\ntwo\nthree");
	CHECK_SV(sv_of(&e.call.result.data),
		 "{\"stdout\":\"one\\ntwo\\nthree\",\"stderr\":\"\",\"interrupted\":false,"
		 "\"isImage\":false,\"noOutputExpected\":false}");
	CHECK(!e.call.result.is_error && !e.call.result.stops_siblings);
	CHECK_SV(sv_of(&e.progress), "one\ntwo\nthree\n");
}

TEST(results_say_how_a_command_ended)
{
	static const struct {
		const char *command, *text;
		bool is_error;
	} cases[] = {
		{ "true", "(No output)", false },
		{ "mkdir d", "(No output)", false },
		{ "printf '\\n\\n  a\\n\\n'", "  a", false },
		{ "echo a; exit 3", "Exit code 3\na", true },
		{ "false", "Exit code 1", true },
		{ "echo x | grep y", "[Exit code 1: No matches found]", false },
		{ "echo a >1; echo b >2; diff 1 2",
		  "1c1\n< a\n---\n> b\n[Exit code 1: Files differ]", false },
		{ "kill -9 $$", "Exit code 137 (killed by SIGKILL)", true },
		{ "(exit 137)", "Exit code 137 (128 + SIGKILL)", true },
		{ "exit 255", "Exit code 255", true },
		{ "cat; echo \"stdin is empty\"", "stdin is empty", false },
		{ "echo $0 $# \"$@\"", "bash 0", false },
		{ "-x", "Exit code 127\nbash: line 1: -x: command not found", true },
		{ "# only a comment", "(No output)", false },
		{ "exec 1>&- 2>&-", "(No output)", false },
	};
	ERRAND(e);

	for (size_t i = 0; i < countof(cases); i++) {
		bash(&e, cases[i].command);
		CHECK_STR(str_c(&e.call.result.text), cases[i].text);
		CHECK_INT(e.call.result.is_error, cases[i].is_error);
		CHECK_INT(e.call.result.stops_siblings, cases[i].is_error);
		CHECK_INT(e.why.kind, ERR_NONE);
	}
}

TEST(a_meaning_and_silence_are_in_the_data)
{
	ERRAND(e);

	bash(&e, "mkdir d");
	CHECK(json_bool_or(errand_data(&e, "noOutputExpected"), false));
	CHECK(!json_exists(errand_data(&e, "returnCodeInterpretation")));
	bash(&e, "test -e nothing");
	CHECK_SV(json_str_or(errand_data(&e, "returnCodeInterpretation"), SV_EMPTY),
		 "Condition is false");
}

TEST(the_command_is_never_read_twice)
{
	static const char *const commands[] = {
		"printf '%s' '$(touch pwned) `touch pwned` \"; touch pwned; \" '\\'''",
		"printf '%s' '\\\\ \\n \"$1\" $awl_x'",
	};
	static const char *const texts[] = {
		"$(touch pwned) `touch pwned` \"; touch pwned; \" '",
		"\\\\ \\n \"$1\" $awl_x",
	};
	ERRAND(e);
	PATH_IN(pwned, e.dir, "pwned");

	for (size_t i = 0; i < countof(commands); i++) {
		bash(&e, commands[i]);
		CHECK_STR(str_c(&e.call.result.text), texts[i]);
		CHECK(!fs_exists(pwned));
	}
}

TEST(the_directory_is_kept_however_the_command_ends)
{
	static const struct {
		const char *command, *below, *has;
	} cases[] = {
		{ "cd sub", "/sub", "" },
		{ "pwd", "/sub", "/sub" },
		{ "cd ..; exit 3", "", "Exit code 3" },
		{ "set -e; cd sub; false; cd /", "/sub", "Exit code 1" },
		{ "cd ..; echo \"unterminated", "/sub", "unexpected EOF" },
		{ "cd ..\nif true", "", "syntax error" },
		{ "cd sub; sleep 0 & echo hi", "/sub", "hi" },
		{ "cd .. && trap 'echo bye' EXIT", "", "bye" },
		{ "exec >&-; cd sub", "/sub", "" },
		{ "set -x; cd ..", "", "cd .." },
		{ "set -o noclobber; cd sub; (exit 7)", "/sub", "Exit code 7" },
		{ "(cd ..); cd .. | cat", "/sub", "" },
		{ "pwd() { echo /; }; cd ..", "", "" },
		{ "IFS=0123456789; cd sub; (exit 12)", "/sub", "Exit code 12" },
		{ "set -u; cd ..; echo $undefined_; cd sub", "", "unbound" },
		{ "cd sub; kill -TERM $$", "/sub", "killed by SIGTERM" },
		{ "cd ..; kill -9 $$", "", "killed by SIGKILL" },
		{ "cd sub; exec true", "/sub", "" },
		{ "cd ..; trap : EXIT; exit 3", "", "Exit code 3" },
		{ "cd /nonexistent", "", "No such file" },
		{ "cd sub", "/sub", "" },
		{ "mkdir gone; cd gone; rmdir ../gone; echo still here", "/sub", "still here" },
		{ "cd '../a b\n\"c'", "/a b\n\"c", "" },
		{ "cd ../sub & wait; echo a | cd ../sub; (cd ../sub); $(cd ../sub)", "/a b\n\"c",
		  "" },
	};
	ERRAND(e);

	put_file(&e, "sub/file", "");
	put_file(&e, "a b\n\"c/file", "");
	for (size_t i = 0; i < countof(cases); i++) {
		bash(&e, cases[i].command);
		if (strcmp(cwd_below(&e), cases[i].below) != 0)
			print_error("after %s\n", cases[i].command);
		CHECK_STR(cwd_below(&e), cases[i].below);
		CHECK_HAS(&e, cases[i].has);
	}
}

/* Whatever a command does to the names, traps and descriptors of its shell, awl does not write to
 * any file, runs nothing that the command has defined, and follows the real directory. */
TEST(a_command_cannot_steer_what_awl_does_after_it)
{
	static const char *const attacks[] = {
		"awl_cwd=$VICTIM awl_was=/ awl_env=$VICTIM awl_command='touch pwned'",
		"exec 3>&1 4>&1 5>&1 6>&1 7>&1 8>&1 9>&1 10>&1",
		"exec 0<&- 1>&- 2>&- 3>&- 9>&-",
		"pwd() { touch pwned; }; cd() { builtin cd \"$@\"; }; eval() { touch pwned; }",
		"builtin() { touch pwned; }; command() { touch pwned; }; unset() { touch pwned; }",
		"set() { touch pwned; }; trap() { touch pwned; }; awl() { touch pwned; }",
		"shift() { touch pwned; }; printf() { touch pwned; }; test() { touch pwned; }",
		"return() { touch pwned; }; awl_keep() { touch pwned; }; :() { touch pwned; }",
		"shopt -s expand_aliases; alias pwd='touch pwned' eval='touch pwned'",
		"shopt -s expand_aliases; alias '{=touch pwned'",
		"enable -n pwd eval trap set unset exit builtin command printf test '['",
		"readonly PWD OLDPWD awl_cwd=x awl_was=x IFS PATH",
		"set -Cefuv -o pipefail; trap : EXIT ERR DEBUG RETURN",
		"trap '' EXIT TERM INT HUP CHLD; trap - EXIT",
		"PS4='$(touch pwned)'",
		"PROMPT_COMMAND='touch pwned' BASH_ENV=$VICTIM ENV=$VICTIM",
		"PATH=/nonexistent IFS=/ HOME=/ OLDPWD=/ PWD=/",
		"unset PWD OLDPWD; BASHPID=1; BASH_COMMAND=x",
		"set -- \"$VICTIM\" \"$VICTIM\" \"$VICTIM\"",
		"shopt -s extdebug cdable_vars autocd; CDPATH=/",
		"set -o posix",
		"umask 777; ulimit -f 0 -n 8",
		"kill -STOP $PPID 2>/dev/null; kill -CONT $PPID",
	};
	static const char *const ends[] = { "", "; exit 0", "; kill -KILL $$", "; exec /bin/true" };
	ERRAND(e);
	PATH_IN(victim, e.dir, "victim");
	PATH_IN(pwned, e.dir, "pwned");
	PATH_IN(deep, e.dir, "sub/pwned");
	defer(str_clear) struct str command = STR_INIT, text = STR_INIT;
	struct err err;

	put_file(&e, "victim", "precious\n");
	put_file(&e, "sub/file", "");
	for (size_t i = 0; i < countof(attacks) * countof(ends); i++) {
		const char *attack = attacks[i / countof(ends)], *end = ends[i % countof(ends)];

		str_truncate(&command, 0);
		str_addf(&command, "VICTIM=$PWD/victim; cd sub; %s%s", attack, end);
		bash(&e, str_c(&command));
		if (strcmp(cwd_below(&e), "/sub") != 0)
			print_error("after %s\n", str_c(&command));
		CHECK_STR(cwd_below(&e), "/sub");
		str_truncate(&text, 0);
		CHECK_OK(fs_read(&text, victim, 100, &err), err);
		CHECK_SV(sv_of(&text), "precious\n");
		CHECK(!fs_exists(pwned) && !fs_exists(deep));
		str_set(&e.ctx.cwd, sv_of(&e.dir));
	}
}

TEST(a_function_named_exit_is_not_called)
{
	ERRAND(e);
	PATH_IN(pwned, e.dir, "pwned");

	bash(&e, "exit() { touch pwned; }; mkdir sub; cd sub");
	CHECK_STR(cwd_below(&e), "/sub");
	CHECK(!fs_exists(pwned));
}

TEST(a_command_finds_no_names_or_descriptors_of_ours)
{
	ERRAND(e);

	bash(&e, "mkdir x; set | grep -i '^awl_'; echo $# \"$*\"; ls /proc/self/fd | tr '\\n' ' '");
	CHECK_SV(errand_text(&e), "0 \n0 1 2 3"); /* 3 is the directory that ls reads */
}

TEST(a_syntax_error_shows_only_the_command)
{
	ERRAND(e);

	bash(&e, "echo )");
	CHECK_SV(errand_text(&e), "Exit code 2\n"
				  "bash: eval: line 1: syntax error near unexpected token `)'\n"
				  "bash: eval: line 1: `echo )'");
	bash(&e, "echo a\nif fi");
	CHECK_SV(errand_text(&e), "Exit code 2\na\n"
				  "bash: eval: line 2: syntax error near unexpected token `fi'\n"
				  "bash: eval: line 2: `if fi'");
}

TEST(a_command_that_removes_its_own_directory_keeps_its_output)
{
	ERRAND(e);

	put_file(&e, "sub/file", "");
	bash(&e, "cd sub");
	bash(&e, "echo before; rm -rf \"$PWD\"; echo after; (exit 5)");
	CHECK_HAS(&e, "Exit code 5\nbefore\nafter\n");
	CHECK_HAS(&e, "no longer exists. The working directory was reset to ");
	CHECK_STR(cwd_below(&e), "");
}

TEST(set_x_shows_only_the_command)
{
	ERRAND(e);

	bash(&e, "set -x; true");
	CHECK_SV(errand_text(&e), "++ true");
}

TEST(a_directory_spelt_with_a_link_stays_so_until_the_command_leaves_it)
{
	ERRAND(e);
	PATH_IN(link, e.dir, "link");
	struct err err;

	put_file(&e, "sub/inner/file", "");
	CHECK_OK(fs_symlink("sub", link, &err), err);
	str_adds(&e.ctx.cwd, "/link");
	bash(&e, "true");
	CHECK_STR(cwd_below(&e), "/link");
	bash(&e, "cd inner");
	CHECK_STR(cwd_below(&e), "/sub/inner");
}

TEST(a_directory_that_is_gone_is_left_for_the_root_and_that_is_said)
{
	ERRAND(e);

	put_file(&e, "sub/file", "");
	bash(&e, "cd sub");
	bash(&e, "rm -r ../sub");
	CHECK_STR(cwd_below(&e), "");
	CHECK_HAS(&e, "/sub no longer exists. The working directory was reset to ");
	str_adds(&e.ctx.cwd, "/missing/sub");
	bash(&e, "touch here");
	CHECK_HAS(&e, "/sub no longer exists. This command ran in ");
	CHECK_STR(cwd_below(&e), "");
}

TEST(a_call_that_may_run_beside_others_does_not_move_the_room)
{
	ERRAND(e);

	str_adds(&e.ctx.cwd, "/missing");
	bash(&e, "pwd");
	CHECK_HAS(&e, "This command ran in ");
	CHECK_STR(cwd_below(&e), "/missing");
}

TEST(with_no_bash_in_the_path_a_command_runs_in_sh)
{
	ERRAND(e);
	PATH_IN(bin, e.dir, "bin");
	PATH_IN(sh, e.dir, "bin/sh");
	defer(str_clear) struct str path = STR_INIT;
	const char *env[2] = { NULL };
	struct err err;

	CHECK_OK(fs_mkdirs(bin, 0700, &err) && fs_symlink("/bin/sh", sh, &err), err);
	str_addf(&path, "PATH=%s", bin);
	env[0] = str_c(&path);
	e.session.env = env;
	bash(&e, "echo $0; cd bin; exit 4");
	CHECK_SV(errand_text(&e), "Exit code 4\nsh");
	CHECK_STR(cwd_below(&e), "/bin");
}

TEST(with_no_shell_at_all_the_call_fails)
{
	static const char *const env[] = { "PATH=/nonexistent", NULL };
	ERRAND(e);

	e.session.env = env;
	bash(&e, "echo hi");
	CHECK_ERR(e.why, ERR_NOT_FOUND, "cannot start sh");
}

TEST(nothing_pages_edits_or_prompts_and_other_variables_are_passed_on)
{
	const char *env[] = { NULL, "PAGER=less", "PAGERS=mine", "EMPTY=", NULL };
	defer(str_clear) struct str path = STR_INIT;
	ERRAND(e);

	str_addf(&path, "PATH=%s", getenv("PATH"));
	env[0] = str_c(&path);
	e.session.env = env;
	bash(&e, "printenv AWL CLAUDECODE GIT_EDITOR GIT_PAGER GIT_TERMINAL_PROMPT PAGER PAGERS; "
		 "echo ${EMPTY-unset}; env | grep -c ^PAGER=; env | grep awl_");
	CHECK_SV(errand_text(&e), "Exit code 1\n1\n1\ntrue\ncat\n0\ncat\nmine\n\n1");
}

TEST(a_long_command_is_passed_whole)
{
	ERRAND(e);
	defer(str_clear) struct str command = STR_INIT;

	/* Of odd length, so that pieces end within characters. */
	str_adds(&command, "printf %s '");
	while (command.len < 4 * LIMIT_BASH_PIECE)
		str_adds(&command, "\xe2\x82\xac-");
	str_adds(&command, "' | wc -c");
	bash_with(&e, sv_of(&command), "");
	errand_end(&e);
	CHECK_INT(atoll(str_c(&e.call.result.text)), (int)(command.len - strlen("printf %s ''"
										" | wc -c")));
}

TEST(a_command_too_long_for_the_system_fails_with_a_reason)
{
	ERRAND(e);
	defer(str_clear) struct str command = STR_INIT;

	while (command.len < LIMIT_CHILD_ARGS)
		str_adds(&command, "# nothing but a very long comment ");
	bash_with(&e, sv_of(&command), "");
	errand_end(&e);
	CHECK(e.why.kind != ERR_NONE);
}

TEST(time_runs_out_and_what_was_printed_is_kept)
{
	ERRAND(e);
	char text[80];

	/* A busy machine may need longer until anything is printed. */
	for (int ms = 300; ms < 60000; ms *= 4) {
		snprintf(text, sizeof(text), "\"timeout\":%d", ms);
		bash_with(&e, SV("echo before; cd /; while :; do sleep 100; done"), text);
		errand_end(&e);
		CHECK_INT(json_int_or(errand_data(&e, "timedOutAfterMs"), 0), ms);
		CHECK(!json_bool_or(errand_data(&e, "interrupted"), true));
		CHECK(e.call.result.is_error);
		snprintf(text, sizeof(text), "Timed out after %d ms and was killed.\nbefore", ms);
		if (sv_is(errand_text(&e), text))
			break;
	}
	CHECK_STR(str_c(&e.call.result.text), text);
}

TEST(the_room_sets_the_usual_and_the_longest_timeout)
{
	static const struct {
		int64_t usual, most;
		const char *more;
		int64_t took;
	} cases[] = {
		{ 50, 0, "", 50 },
		{ 50, 0, "\"timeout\":0", 50 },
		{ 50, 0, "\"timeout\":-3", 50 },
		{ 50, 60, "\"timeout\":1e300", 60 },
		{ 0, 60, "\"timeout\":100000", 60 },
		{ 0, 0, "\"timeout\":70.9", 70 },
	};
	ERRAND(e);

	for (size_t i = 0; i < countof(cases); i++) {
		e.session.bash_timeout_ms = cases[i].usual;
		e.session.bash_max_timeout_ms = cases[i].most;
		bash_with(&e, SV("sleep 100"), cases[i].more);
		errand_end(&e);
		CHECK_INT(json_int_or(errand_data(&e, "timedOutAfterMs"), 0), cases[i].took);
	}
}

TEST(an_interrupted_command_is_ended_and_its_output_kept)
{
	static const char *const commands[] = {
		"echo begun; sleep 100; echo never",
		"trap '' TERM; echo begun; while :; do sleep 100; done",
		"echo begun; sleep 100 & sleep 100 | sleep 100",
	};
	ERRAND(e);

	for (size_t i = 0; i < countof(commands); i++) {
		e.cancel_on_progress = true;
		bash(&e, commands[i]);
		CHECK_INT(e.why.kind, ERR_CANCELLED);
		CHECK_SV(errand_text(&e), "[interrupted]\nbegun");
		CHECK(json_bool_or(errand_data(&e, "interrupted"), false));
	}
}

TEST(a_command_cancelled_before_it_begins_is_over)
{
	ERRAND(e);

	bash_with(&e, SV("touch ran"), "");
	op_cancel(e.op);
	op_cancel(e.op);
	errand_end(&e);
	CHECK_INT(e.why.kind, ERR_CANCELLED);
	CHECK_SV(errand_text(&e), "[interrupted]");
}

TEST(what_a_command_leaves_running_is_ended_with_it)
{
	ERRAND(e);

	bash(&e, "sleep 1000 & echo $!");
	CHECK(!e.call.result.is_error);
	CHECK(is_gone(number_in(errand_text(&e))));
	bash(&e, "trap '' TERM; (while :; do sleep 1000; done) & echo started");
	CHECK_SV(errand_text(&e), "started");
}

TEST(five_megabytes_are_shown_in_part_and_kept_in_a_file)
{
	ERRAND(e);
	struct sv path;
	defer(str_clear) struct str file = STR_INIT;
	struct err err;

	bash(&e, "seq 1 700000; echo end");
	CHECK(errand_text(&e).len <= 30000);
	CHECK(sv_starts(errand_text(&e), SV("1\n2\n3\n")));
	CHECK_HAS(&e, "\nend\n[All of the output is in ");
	CHECK_INT(json_int_or(errand_data(&e, "persistedOutputSize"), 0), 4788899);
	CHECK(json_str(errand_data(&e, "persistedOutputPath"), &path));
	CHECK(sv_ends(path, SV("/results/of/calls/toolu_01____x.txt")));
	CHECK_OK(fs_read(&file, path.ptr, 8 * MIB, &err), err);
	CHECK_INT(file.len, 4788899);
	CHECK(json_str_or(errand_data(&e, "stdout"), SV_EMPTY).len <= 30000);
	CHECK(e.progress.cap < 5 * MIB);
}

TEST(with_no_place_for_results_there_is_no_file)
{
	ERRAND(e);

	e.session.results_dir = NULL;
	bash(&e, "seq 1 100000");
	CHECK_HAS(&e, " lines omitted ...]");
	CHECK(!json_exists(errand_data(&e, "persistedOutputPath")));
}

TEST(a_runaway_command_is_ended)
{
	ERRAND(e);

	e.session.results_dir = NULL;
	bash(&e, "yes | tr -d '\\n'");
	CHECK(sv_starts(errand_text(&e), SV("Killed because it printed more than 256 MiB.\n")));
	CHECK(e.call.result.is_error);
}

TEST(progress_comes_in_bounded_pieces)
{
	ERRAND(e);

	bash(&e, "head -c 300000 /dev/zero | tr '\\0' x");
	CHECK(e.progress.len > 0 && e.progress.len < 300000);
}

TEST(an_empty_command_or_one_with_a_nul_is_refused)
{
	ERRAND(e);
	struct err err = errand_check(&e, &tool_bash, "{\"command\":\" \\n\"}");

	CHECK_ERR(err, ERR_INVALID, "empty");
	err = errand_check(&e, &tool_bash, "{\"command\":\"a\\u0000b\"}");
	CHECK_ERR(err, ERR_INVALID, "NUL");
}

/* As the engine does: the call is analysed before anything is asked of it. */
static void check_order(const char *input, bool is_reader)
{
	ERRAND(e);

	errand_check(&e, &tool_bash, input);
	CHECK(!tool_is_read_only(&e.call) && !tool_is_concurrent(&e.call)); /* in doubt */
	command_analysis_read(&e.analysis, tool_bash.command(e.call.input), sv_of(&e.dir), SV_EMPTY,
			      NULL);
	e.call.analysis = &e.analysis;
	CHECK_INT(tool_is_read_only(&e.call), is_reader);
	CHECK_INT(tool_is_concurrent(&e.call), is_reader);
}

TEST(a_command_requests_to_run_and_only_readers_are_concurrent)
{
	ERRAND(e);
	struct perm_request perm_request = { .access = ACCESS_NONE };
	struct arena arena = ARENA_INIT;

	errand_check(&e, &tool_bash, "{\"command\":\"ls -l\"}");
	tool_bash.perm_request(&e.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_RUN);
	CHECK_SV(perm_request.command, "ls -l");
	check_order("{\"command\":\"ls -l\"}", true);
	check_order("{\"command\":\"grep x f | head\"}", true);
	check_order("{\"command\":\"ls -l\",\"run_in_background\":true}", false);
	check_order("{\"command\":\"ls; rm x\"}", false);
}
