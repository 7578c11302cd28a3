#include "sys/child.h"

#include <sys/wait.h>

#include "base/limits.h"
#include "child_probe.h"
#include "sys/temp_dir.h"

TEST(child_exit_codes_and_signals_are_told_as_shells_do)
{
	static const struct {
		const char *script;
		int code, signal;
	} cases[] = {
		{ "exit 0", 0, 0 },
		{ "exit 1", 1, 0 },
		{ "exit 255", 255, 0 },
		{ "kill -TERM $$", 128 + SIGTERM, SIGTERM },
		{ "kill -KILL $$", 128 + SIGKILL, SIGKILL },
		{ "kill -USR1 $$", 128 + SIGUSR1, SIGUSR1 },
		{ "exit 143", 143, 0 },
	};
	LOOP(loop);

	for (size_t i = 0; i < countof(cases); i++) {
		PROBE(p);

		PROBE_RUN(&p, loop, SHELL(cases[i].script));
		CHECK_INT(p.why.kind, ERR_NONE);
		CHECK_INT(p.result.code, cases[i].code);
		CHECK_INT(p.result.signal, cases[i].signal);
		CHECK(p.pid > 0);
	}
}

TEST(child_output_comes_by_stream_or_merged)
{
	LOOP(loop);
	PROBE(apart);
	PROBE(merged);

	PROBE_RUN(&apart, loop, SHELL("echo out; echo err >&2"));
	CHECK_SV(sv_of(&apart.out), "out\n");
	CHECK_SV(sv_of(&apart.err), "err\n");
	PROBE_RUN(&merged, loop, SHELL("echo out; echo err >&2; echo more"), .merge = true);
	CHECK_SV(sv_of(&merged.out), "out\nerr\nmore\n");
	CHECK_INT(merged.err.len, 0);
}

TEST(child_start_never_calls_back_from_inside)
{
	LOOP(loop);
	PROBE(good);
	PROBE(bad);

	probe_start(&good, loop, (struct child_opts){ SHELL("echo hi") });
	probe_start(&bad, loop, (struct child_opts){ .argv = ARGV("") });
	CHECK_INT(good.done + bad.done, 0);
	CHECK_INT(child_pid(good.op), 0);
	RUN_UNTIL(loop, good.done && bad.done);
	CHECK_INT(good.done + bad.done, 2);
}

/* --- what cannot be started --------------------------------------------------------- */

static void make_file(const struct str *dir, const char *name, const char *text, uint32_t mode)
{
	defer(mem_freep) char *path = path_in(dir, name);

	write_file(path, text, mode);
}

TEST(child_that_cannot_start_says_why)
{
	static const struct {
		const char *program, *cwd;
		enum err_kind kind;
		const char *text;
	} cases[] = {
		{ "no-such-program", NULL, ERR_NOT_FOUND,
		  "cannot start no-such-program: not found in PATH" },
		{ "./missing", NULL, ERR_NOT_FOUND,
		  "cannot start ./missing: cannot run it: No such" },
		{ "./plain", NULL, ERR_ACCESS, "Permission denied" },
		{ "./dir", NULL, ERR_ACCESS, "Permission denied" },
		{ "./orphan", NULL, ERR_NOT_FOUND, "interpreter" },
		{ "./noformat", NULL, ERR_IO, "Exec format error" },
		{ "sh", "nowhere", ERR_NOT_FOUND,
		  "cannot start sh: cannot use the working directory nowhere: No such" },
		{ "sh", "plain", ERR_NOT_FOUND,
		  "cannot use the working directory plain: Not a directory" },
		{ "", NULL, ERR_INVALID, "no program" },
	};
	TEMP_DIR(dir);
	LOOP(loop);
	char *before = realpath(".", NULL);

	make_file(&dir, "plain", "text", 0644);
	make_file(&dir, "orphan", "#!/no/such/interpreter\n", 0755);
	make_file(&dir, "noformat", "\1\2\3\4", 0755);
	CHECK_INT(chdir(str_c(&dir)), 0);
	CHECK_INT(mkdir("dir", 0755), 0);
	for (size_t i = 0; i < countof(cases); i++) {
		PROBE(p);

		PROBE_RUN(&p, loop, .argv = ARGV(cases[i].program), .cwd = cases[i].cwd);
		CHECK_ERR(p.why, cases[i].kind, cases[i].text);
		CHECK_INT(p.result.code, 0);
		CHECK_INT(p.pid, 0);
	}
	CHECK_INT(chdir(before), 0);
	free(before);
}

TEST(child_arguments_over_the_cap_are_refused)
{
	LOOP(loop);
	PROBE(p);
	PROBE(q);
	defer(str_clear) struct str big = STR_INIT;

	while (big.len < LIMIT_CHILD_ARGS)
		str_adds(&big, "0123456789abcdef");
	PROBE_RUN(&p, loop, .argv = ARGV("echo", str_c(&big)));
	CHECK_ERR(p.why, ERR_TOO_BIG, "arguments and environment take");
	/* One argument may be as long as the kernel takes. */
	str_truncate(&big, 128 * KIB - 1);
	PROBE_RUN(&q, loop, .argv = ARGV("echo", str_c(&big)));
	CHECK_INT(q.why.kind, ERR_NONE);
	CHECK_INT(q.out.len, 128 * KIB);
}

TEST(child_input_over_the_cap_is_refused)
{
	LOOP(loop);
	PROBE(p);
	defer(str_clear) struct str big = STR_INIT;

	str_reserve(&big, LIMIT_CHILD_INPUT + 1);
	memset(big.ptr, 'x', LIMIT_CHILD_INPUT + 1);
	PROBE_RUN(&p, loop, .argv = ARGV("true"), .input = { big.ptr, LIMIT_CHILD_INPUT + 1 });
	CHECK_ERR(p.why, ERR_TOO_BIG, "input");
}

/* --- where and with what it runs ---------------------------------------------------- */

TEST(child_gets_exactly_the_environment_given)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop, .argv = ARGV("/usr/bin/env"), .env = ARGV("A=1", "B=two words"));
	CHECK_SV(sv_of(&p.out), "A=1\nB=two words\n");
}

TEST(child_without_an_environment_of_its_own_gets_ours)
{
	LOOP(loop);
	PROBE(p);

	setenv("AWL_TEST_MARK", "seen", 1);
	PROBE_RUN(&p, loop, SHELL("echo $AWL_TEST_MARK"));
	unsetenv("AWL_TEST_MARK");
	CHECK_SV(sv_of(&p.out), "seen\n");
}

TEST(child_program_is_looked_up_in_its_own_path)
{
	TEMP_DIR(dir);
	LOOP(loop);
	PROBE(found);
	PROBE(denied);
	PROBE(here);
	defer(str_clear) struct str path = STR_INIT;

	make_file(&dir, "awl-test-tool", "#!/bin/sh\necho tool \"$@\"\n", 0755);
	make_file(&dir, "awl-test-locked", "#!/bin/sh\n", 0644);
	str_addf(&path, "PATH=/nowhere:/etc/passwd:%s:/usr/bin", str_c(&dir));
	PROBE_RUN(&found, loop, .argv = ARGV("awl-test-tool", "a b"), .env = ARGV(str_c(&path)));
	CHECK_SV(sv_of(&found.out), "tool a b\n");
	PROBE_RUN(&denied, loop, .argv = ARGV("awl-test-locked"), .env = ARGV(str_c(&path)));
	CHECK_ERR(denied.why, ERR_ACCESS, "Permission denied");
	/* An empty entry is the child's own directory. */
	PROBE_RUN(&here, loop, .argv = ARGV("awl-test-tool"), .env = ARGV("PATH=:/nowhere"),
		  .cwd = str_c(&dir));
	CHECK_SV(sv_of(&here.out), "tool\n");
}

TEST(child_without_a_path_still_finds_the_system_programs)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop, .argv = ARGV("echo", "hi"), .env = ARGV("A=1"));
	CHECK_SV(sv_of(&p.out), "hi\n");
}

TEST(child_runs_in_the_directory_given_or_in_ours_as_it_is_now)
{
	TEMP_DIR(dir);
	LOOP(loop);
	PROBE(given);
	PROBE(first);
	PROBE(moved);
	defer(str_clear) struct str expected = STR_INIT;
	char *before = realpath(".", NULL);

	str_addf(&expected, "%s\n", str_c(&dir));
	PROBE_RUN(&given, loop, .argv = ARGV("/bin/pwd"), .cwd = str_c(&dir));
	CHECK_SV_EQ(sv_of(&given.out), sv_of(&expected));
	PROBE_RUN(&first, loop, .argv = ARGV("/bin/pwd"));
	CHECK_INT(chdir(str_c(&dir)), 0);
	PROBE_RUN(&moved, loop, .argv = ARGV("/bin/pwd"));
	CHECK_SV_EQ(sv_of(&moved.out), sv_of(&expected));
	CHECK_INT(chdir(before), 0);
	str_clear(&expected);
	str_addf(&expected, "%s\n", before);
	CHECK_SV_EQ(sv_of(&first.out), sv_of(&expected));
	free(before);
}

TEST(child_inherits_no_descriptor_and_no_signal_setting)
{
	LOOP(loop);
	PROBE(fds);
	PROBE(signals);
	int leaky = dup(0); /* without close-on-exec */
	sigset_t usr1, before;

	CHECK(leaky >= 0);
	PROBE_RUN(&fds, loop, SHELL("ls /proc/self/fd | tr '\\n' ' '"));
	CHECK_SV(sv_of(&fds.out), "0 1 2 3 "); /* 3 is ls reading the directory */
	close(leaky);

	signal(SIGUSR2, SIG_IGN);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, &before);
	PROBE_RUN(&signals, loop, .argv = ARGV("grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"));
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGUSR2, SIG_DFL);
	CHECK_SV(sv_of(&signals.out), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(child_leads_a_session_without_a_terminal)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop,
		  SHELL("set -- $(cat /proc/$$/stat); [ $1 = $5 ] && [ $1 = $6 ] && "
			"echo leads; (: </dev/tty) 2>/dev/null || echo no terminal"));
	CHECK_SV(sv_of(&p.out), "leads\nno terminal\n");
}

TEST(child_reports_the_resources_it_used)
{
	LOOP(loop);
	PROBE(busy);

	PROBE_RUN(&busy, loop, SHELL("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"));
	CHECK(busy.result.user_us + busy.result.system_us > 0);
	CHECK(busy.result.max_rss_kib > 0);
}

/* --- many ---------------------------------------------------------------------------- */

TEST(children_at_once_each_get_their_own_output)
{
	enum { MANY = 200 };
	static struct probe probes[MANY];
	char names[MANY][16];
	int before, ended = 0;

	loop_free(loop_new()); /* what libuv opens once and keeps */
	before = open_descriptors();
	{
		LOOP(loop);

		for (int i = 0; i < MANY; i++) {
			snprintf(names[i], sizeof(names[i]), "%d", i);
			probe_start(&probes[i], loop,
				    (struct child_opts){
					    .argv = ARGV("sh", "-c", "cat; echo $0", names[i]),
					    .input = sv_cstr(names[i]) });
		}
		for (int i = 0; i < MANY; i++) {
			RUN_UNTIL(loop, probes[i].done);
			CHECK_INT(probes[i].why.kind, ERR_NONE);
			CHECK_INT(number_in(sv_of(&probes[i].out)),
				  number_in(sv_cstr(names[i])) * (i < 10    ? 11
								  : i < 100 ? 101
									    : 1001));
			ended += probes[i].done;
			probe_clear(&probes[i]);
		}
		CHECK_INT(ended, MANY);
	}
	CHECK_INT(open_descriptors(), before);
	CHECK(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
}

TEST(children_in_a_row_leave_no_descriptor_and_no_zombie)
{
	int before, guard_only;

	loop_free(loop_new());
	before = open_descriptors();
	{
		LOOP(loop);

		for (int i = 0; i < 1000; i++) {
			PROBE(p);

			PROBE_RUN(&p, loop, .argv = ARGV("true"));
			CHECK_INT(p.result.code, 0);
			if (i == 0)
				guard_only = open_descriptors();
			CHECK_INT(open_descriptors(), guard_only);
		}
	}
	CHECK_INT(open_descriptors(), before);
	CHECK(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
}

TEST(children_over_the_cap_are_refused_and_the_others_can_be_cancelled)
{
	static struct probe probes[LIMIT_CHILDREN + 1];
	LOOP(loop);
	int cancelled = 0;

	for (size_t i = 0; i < countof(probes); i++)
		probe_start(&probes[i], loop, (struct child_opts){ .argv = ARGV("sleep", "1000") });
	RUN_UNTIL(loop, probes[LIMIT_CHILDREN].done);
	CHECK_ERR(probes[LIMIT_CHILDREN].why, ERR_FULL, "4096 programs are already running");
	for (size_t i = 0; i < LIMIT_CHILDREN; i++)
		op_cancel(probes[i].op);
	for (size_t i = 0; i < LIMIT_CHILDREN; i++) {
		RUN_UNTIL(loop, probes[i].done);
		cancelled += probes[i].why.kind == ERR_CANCELLED;
	}
	CHECK_INT(cancelled, LIMIT_CHILDREN);
}
