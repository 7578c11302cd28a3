/* How children end, and what never survives them: or us. */
#include <sys/wait.h>

#include "child_probe.h"
#include "sys/temp_dir.h"

TEST(child_past_its_deadline_is_ended)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop, SHELL("echo begun; exec sleep 1000"), .deadline_ms = 50);
	CHECK_ERR(p.why, ERR_TIMEOUT, "sh did not end in time");
	CHECK_INT(p.result.signal, SIGTERM);
}

TEST(child_cancelled_gets_term_and_ends_as_it_likes)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("trap 'kill $!; exit 9' TERM; "
					       "sleep 1000 & echo ready; wait") });
	RUN_UNTIL(loop, p.out.len > 0);
	op_cancel(p.op);
	op_cancel(p.op);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.why.kind, ERR_CANCELLED);
	CHECK_INT(p.result.code, 9);
}

TEST(child_that_ignores_term_is_killed_after_the_grace)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("trap '' TERM; echo ready; "
					       "while :; do sleep 1000; done"),
					 .grace_ms = 30 });
	RUN_UNTIL(loop, p.out.len > 0);
	op_cancel(p.op);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.why.kind, ERR_CANCELLED);
	CHECK_INT(p.result.signal, SIGKILL);
}

TEST(child_that_is_stopped_can_be_cancelled)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("echo ready; kill -STOP $$; echo on"),
					 .grace_ms = RUN_DEADLINE_MS });
	RUN_UNTIL(loop, p.out.len > 0);
	op_cancel(p.op);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.result.signal, SIGTERM);
}

TEST(child_cancelled_at_once_is_done_whether_it_started_or_not)
{
	enum { MANY = 60 };
	static struct probe probes[MANY];
	LOOP(loop);

	for (int i = 0; i < MANY; i++) {
		probe_start(&probes[i], loop, (struct child_opts){ .argv = ARGV("sleep", "1000") });
		op_cancel(probes[i].op);
	}
	for (int i = 0; i < MANY; i++) {
		RUN_UNTIL(loop, probes[i].done);
		CHECK_INT(probes[i].why.kind, ERR_CANCELLED);
	}
}

TEST(child_says_nothing_more_after_it_was_cancelled)
{
	LOOP(loop);
	PROBE(p);
	size_t before;

	probe_start(&p, loop, (struct child_opts){ SHELL("yes") });
	RUN_UNTIL(loop, p.out.len > 0);
	before = p.out.len;
	op_cancel(p.op);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.out.len, before);
}

TEST(child_gets_the_signals_sent_to_it)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("trap 'kill $!; exit 7' USR1; "
					       "sleep 1000 & echo ready; wait") });
	RUN_UNTIL(loop, p.out.len > 0);
	child_signal(p.op, 9999); /* no such signal: nothing happens */
	child_signal(p.op, SIGUSR1);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.why.kind, ERR_NONE);
	CHECK_INT(p.result.code, 7);
}

TEST(child_signalled_more_often_than_the_guard_can_take_still_hears_the_last)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop, (struct child_opts){ SHELL("trap '' USR1; echo ready; sleep 1000") });
	RUN_UNTIL(loop, p.out.len > 0);
	for (int i = 0; i < 20000; i++)
		child_signal(p.op, SIGUSR1);
	child_signal(p.op, SIGINT);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.result.signal, SIGINT);
}

/* --- whom it started ------------------------------------------------------------------- */

TEST(child_takes_what_it_started_along_when_it_is_ended)
{
	static const char *const scripts[] = {
		"sleep 1000 & echo $!; wait",
		"timeout 1000 sleep 1000 & echo $!; wait", /* makes a group of its own */
		"sh -c 'sh -c \"echo \\$\\$; exec sleep 1000\" & wait' & wait",
	};
	LOOP(loop);

	for (size_t i = 0; i < countof(scripts); i++) {
		PROBE(p);

		probe_start(&p, loop, (struct child_opts){ SHELL(scripts[i]) });
		RUN_UNTIL(loop, sv_find_char(sv_of(&p.out), '\n') != SIZE_MAX);
		op_cancel(p.op);
		RUN_UNTIL(loop, p.done);
		CHECK(is_gone(number_in(sv_of(&p.out))));
	}
}

/* For children that wait for a line before they go on. */
static void let_go_on(struct probe *p)
{
	struct err err;

	CHECK_OK(child_write(p->op, SV("\n"), &err), err);
}

TEST(child_that_ends_leaves_nobody_of_its_session_behind)
{
	static const char *const scripts[] = {
		"sleep 1000 & echo $!; read x; exit 3",
		"timeout 1000 sleep 1000 & echo $!; read x; exit 3",
		"sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1000; done' & read x; exit 3",
	};
	LOOP(loop);

	for (size_t i = 0; i < countof(scripts); i++) {
		PROBE(p);

		probe_start(&p, loop,
			    (struct child_opts){ SHELL(scripts[i]), .keep_stdin = true,
						 .grace_ms = 50 });
		RUN_UNTIL(loop, sv_find_char(sv_of(&p.out), '\n') != SIZE_MAX);
		let_go_on(&p);
		RUN_UNTIL(loop, p.done);
		CHECK_INT(p.why.kind, ERR_NONE);
		CHECK_INT(p.result.code, 3);
		CHECK(is_gone(number_in(sv_of(&p.out))));
	}
}

static void count_left(void *arg, __attribute__((unused)) enum log_level level, struct sv line)
{
	*(int *)arg += sv_find(line, SV("child left others behind: sh")) != SIZE_MAX;
}

/* One of the two ends with TERM, so the guard looks again while the other is still there. */
TEST(child_that_leaves_others_behind_is_reported_once)
{
	LOOP(loop);
	PROBE(p);
	int reports = 0;

	log_to(count_left, &reports, LOG_DEBUG);
	probe_start(&p, loop,
		    (struct child_opts){ SHELL("sleep 1000 & sh -c 'trap \"\" TERM; echo ready; "
					       "while :; do sleep 1000; done' & read x; exit 3"),
					 .keep_stdin = true, .grace_ms = 300 });
	RUN_UNTIL(loop, p.out.len > 0);
	let_go_on(&p);
	RUN_UNTIL(loop, p.done);
	log_close();
	CHECK_INT(p.result.code, 3);
	CHECK_INT(reports, 1);
}

TEST(child_is_done_though_a_daemon_keeps_its_pipes_open)
{
	static const char *const scripts[] = {
		"setsid sh -c 'echo silent; exec sleep 1000' & read x; exit 4",
		"setsid yes & read x; exit 4", /* writes for ever */
	};
	LOOP(loop);

	for (size_t i = 0; i < countof(scripts); i++) {
		PROBE(p);

		probe_start(&p, loop, (struct child_opts){ SHELL(scripts[i]), .keep_stdin = true });
		RUN_UNTIL(loop, p.out.len > 0);
		let_go_on(&p);
		RUN_UNTIL(loop, p.done);
		CHECK_INT(p.why.kind, ERR_NONE);
		CHECK_INT(p.result.code, 4);
	}
}

TEST(daemon_lives_on_after_its_child_and_ends_with_the_loop)
{
	LOOP(loop);
	PROBE(p);
	PROBE(look);
	defer(str_clear) struct str script = STR_INIT;
	int pid;

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("setsid sh -c 'trap \"\" TERM HUP; echo $$; "
					       "while :; do sleep 1000; done' & read x"),
					 .keep_stdin = true });
	RUN_UNTIL(loop, sv_find_char(sv_of(&p.out), '\n') != SIZE_MAX);
	let_go_on(&p);
	RUN_UNTIL(loop, p.done);
	pid = number_in(sv_of(&p.out));
	str_addf(&script, "kill -0 %d && echo alive", pid);
	PROBE_RUN(&look, loop, SHELL(str_c(&script)));
	CHECK_SV(sv_of(&look.out), "alive\n");
	loop_free(move(loop));
	CHECK(is_gone(pid));
}

/* --- the guard ------------------------------------------------------------------------- */

static int child_signals;

static void on_sigchld(__attribute__((unused)) int signo)
{
	child_signals++;
}

TEST(guard_does_not_show_in_the_host_program)
{
	LOOP(loop);
	PROBE(p);
	void (*before)(int) = signal(SIGCHLD, on_sigchld);

	child_signals = 0;
	PROBE_RUN(&p, loop, .argv = ARGV("true"));
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	loop_free(move(loop));
	CHECK_INT(child_signals, 0);
	signal(SIGCHLD, before);
}

TEST(guard_reports_children_to_a_host_that_ignores_sigchld)
{
	LOOP(loop);
	PROBE(p);
	void (*before)(int) = signal(SIGCHLD, SIG_IGN);

	PROBE_RUN(&p, loop, SHELL("exit 6"));
	signal(SIGCHLD, before);
	CHECK_INT(p.result.code, 6);
}

TEST(guard_that_is_idle_lets_the_loop_end)
{
	LOOP(loop);
	struct outcome o = { .done = 0 };

	child_start(loop, &(struct child_opts){ .argv = ARGV("true") }, THEN(outcome_done, &o));
	while (!o.done)
		loop_run(loop);
	loop_run(loop); /* returns, though the guard is there */
	CHECK_INT(loop_live_ops(loop), 0);
}

TEST(guard_killed_by_a_child_fails_every_child_and_is_made_anew)
{
	LOOP(loop);
	PROBE(victim);
	PROBE(killer);
	PROBE(next);

	probe_start(&victim, loop, (struct child_opts){ SHELL("sleep 1000 & echo $!; wait") });
	RUN_UNTIL(loop, victim.out.len > 0);
	probe_start(
		&killer, loop,
		(struct child_opts){ SHELL("sleep 1000 & echo $!; kill -9 $PPID; sleep 1000") });
	RUN_UNTIL(loop, victim.done && killer.done);
	CHECK_ERR(victim.why, ERR_IO, "was ended because its guard process was killed");
	CHECK_ERR(killer.why, ERR_IO, "guard");
	CHECK_INT(victim.result.code, 128 + SIGKILL);
	CHECK(is_gone(number_in(sv_of(&victim.out))));
	CHECK(is_gone(number_in(sv_of(&killer.out))));
	PROBE_RUN(&next, loop, SHELL("echo again"));
	CHECK_SV(sv_of(&next.out), "again\n");
}

TEST(daemon_does_not_outlive_a_guard_that_was_killed)
{
	LOOP(loop);
	PROBE(daemon);
	PROBE(killer);

	probe_start(&daemon, loop,
		    (struct child_opts){ SHELL("setsid sh -c 'trap \"\" TERM HUP; echo $$; "
					       "while :; do sleep 1000; done' & read x"),
					 .keep_stdin = true });
	RUN_UNTIL(loop, sv_find_char(sv_of(&daemon.out), '\n') != SIZE_MAX);
	let_go_on(&daemon);
	RUN_UNTIL(loop, daemon.done);
	PROBE_RUN(&killer, loop, SHELL("kill -9 $PPID; sleep 1000"));
	CHECK_ERR(killer.why, ERR_IO, "guard");
	CHECK(is_gone(number_in(sv_of(&daemon.out))));
}

TEST(guard_killed_while_idle_is_made_anew)
{
	LOOP(loop);
	PROBE(first);
	PROBE(second);
	int guard;

	PROBE_RUN(&first, loop, SHELL("echo $PPID"));
	guard = number_in(sv_of(&first.out));
	kill(guard, SIGKILL);
	CHECK(is_gone(guard)); /* the loop has not looked yet */
	PROBE_RUN(&second, loop, SHELL("echo $PPID"));
	CHECK_INT(second.why.kind, ERR_NONE);
	CHECK(number_in(sv_of(&second.out)) != guard);
}

static void wake(__attribute__((unused)) struct op *op, void *owner,
		 __attribute__((unused)) const struct err *why)
{
	kill(*(int *)owner, SIGCONT);
}

/* A busy machine is as slow as this: what was killed is not yet given up when the grace
 * before, however short, has passed once more. */
TEST(guard_that_is_late_with_a_kill_is_waited_for)
{
	LOOP(loop);
	PROBE(p);
	int guard;

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("trap '' TERM; echo $PPID; "
					       "while :; do sleep 1000; done"),
					 .grace_ms = 1 });
	RUN_UNTIL(loop, sv_find_char(sv_of(&p.out), '\n') != SIZE_MAX);
	guard = number_in(sv_of(&p.out));
	kill(guard, SIGSTOP);
	op_cancel(p.op);
	timer_start(loop, 200, THEN(wake, &guard));
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.why.kind, ERR_CANCELLED);
	CHECK_INT(p.result.signal, SIGKILL);
}

TEST(guard_that_was_stopped_does_not_keep_a_child_from_being_given_up)
{
	LOOP(loop);
	PROBE(p);
	int guard;

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("echo $PPID; read x; yes"), .keep_stdin = true,
					 .max_output = 1000, .grace_ms = 20 });
	RUN_UNTIL(loop, sv_find_char(sv_of(&p.out), '\n') != SIZE_MAX);
	guard = number_in(sv_of(&p.out));
	kill(guard, SIGSTOP);
	let_go_on(&p);
	RUN_UNTIL(loop, p.done);
	CHECK_ERR(p.why, ERR_ACCESS, "cannot be killed");
	CHECK(p.pid > 0);
	loop_free(move(loop)); /* wakes the guard, and what it guards ends */
	CHECK(is_gone(guard));
	CHECK(is_gone(p.pid));
}

/* --- us -------------------------------------------------------------------------------- */

static void copy_to_pipe(void *owner, __attribute__((unused)) enum child_stream from,
			 struct sv bytes)
{
	if (write(*(int *)owner, bytes.ptr, bytes.len) < 0)
		abort();
}

static void ignore_done(__attribute__((unused)) struct op *op, __attribute__((unused)) void *owner,
			__attribute__((unused)) const struct err *why)
{
}

/* A process that owns a loop with children, until somebody kills it. Where `hold`
 * is given, another process has a copy of all its descriptors until that closes. */
static _Noreturn void be_an_owner(int fd, int hold)
{
	static const char *const scripts[] = {
		"echo 0 $PPID; echo 1 $$; sleep 1000 & echo 2 $!; wait",
		"trap '' TERM HUP INT; echo 3 $$; while :; do sleep 1000; done",
		"setsid sh -c 'trap \"\" TERM HUP; echo 4 $$; while :; do sleep 1000; done' & wait",
	};
	struct loop *loop = loop_new();
	char c;

	signal(SIGSEGV, SIG_DFL); /* the test library would go on */
	for (size_t i = 0; i < countof(scripts); i++)
		child_start(loop,
			    &(struct child_opts){ SHELL(scripts[i]), .on_data = copy_to_pipe },
			    THEN(ignore_done, &fd));
	if (hold >= 0 && fork() == 0)
		_exit(read(hold, &c, 1) == 0 ? 0 : 1);
	loop_run(loop);
	_exit(1);
}

/* The numbers on `n` lines of a pipe. Several children write them, so each line begins with the
 * place of its number. */
static void read_numbers(int fd, int *out, size_t n)
{
	defer(str_clear) struct str text = STR_INIT;
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char c;

	for (size_t lines = 0, at; lines < n;) {
		CHECK(poll(&ready, 1, RUN_DEADLINE_MS) > 0);
		CHECK_INT(read(fd, &c, 1), 1);
		str_addc(&text, c);
		if (c != '\n')
			continue;
		at = (size_t)(text.ptr[0] - '0');
		CHECK(at < n);
		out[at] = number_in(sv_skip(sv_of(&text), 2));
		lines++;
		str_truncate(&text, 0);
	}
}

enum { PIDS = 5 }; /* the guard's worker, two shells, a sleep and a daemon */

static int parent_of(int pid)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct err err;
	size_t at;

	str_addf(&path, "/proc/%d/status", pid);
	CHECK_OK(fs_read(&text, str_c(&path), 1 << 16, &err), err);
	at = sv_find(sv_of(&text), SV("PPid:\t"));
	CHECK(at != SIZE_MAX);
	return number_in(sv_skip(sv_of(&text), at + 6));
}

/* Everybody who could end the children is stopped when the guard's worker dies. */
TEST(children_end_with_the_process_that_started_them)
{
	int report[2], pids[PIDS];
	int outer;
	pid_t owner;

	CHECK_INT(pipe2(report, O_CLOEXEC), 0);
	owner = fork();
	if (owner == 0)
		be_an_owner(report[1], -1);
	close(report[1]);
	read_numbers(report[0], pids, PIDS);
	outer = parent_of(pids[0]);
	kill(owner, SIGSTOP);
	kill(outer, SIGSTOP);
	kill(pids[0], SIGKILL);
	CHECK(is_gone(pids[1]) && is_gone(pids[3])); /* the shells, of which one ignores TERM */
	kill(outer, SIGCONT);
	kill(owner, SIGKILL);
	CHECK_INT(waitpid(owner, NULL, 0), owner);
	for (int i = 1; i < PIDS; i++)
		CHECK(is_gone(pids[i]));
	CHECK(is_gone(outer));
	close(report[0]);
}

/* The other process of the guard waits for its worker only so long. */
TEST(nothing_survives_though_somebody_has_stopped_the_guard)
{
	int report[2], pids[PIDS];
	pid_t owner;

	CHECK_INT(pipe2(report, O_CLOEXEC), 0);
	owner = fork();
	if (owner == 0)
		be_an_owner(report[1], -1);
	close(report[1]);
	read_numbers(report[0], pids, PIDS);
	kill(pids[0], SIGSTOP);
	kill(owner, SIGKILL);
	CHECK_INT(waitpid(owner, NULL, 0), owner);
	for (int i = 0; i < PIDS; i++)
		CHECK(is_gone(pids[i]));
	close(report[0]);
}

static void check_nothing_survives(int how, bool copied)
{
	int report[2], hold[2];
	int pids[PIDS];
	pid_t owner;

	CHECK_INT(pipe2(report, O_CLOEXEC), 0);
	CHECK_INT(pipe2(hold, O_CLOEXEC), 0);
	owner = fork();
	if (owner == 0) {
		close(hold[1]);
		be_an_owner(report[1], copied ? hold[0] : -1);
	}
	close(report[1]);
	read_numbers(report[0], pids, PIDS);
	kill(owner, how);
	CHECK_INT(waitpid(owner, NULL, 0), owner);
	for (int i = 0; i < PIDS; i++)
		CHECK(is_gone(pids[i]));
	close(report[0]);
	close(hold[0]);
	close(hold[1]);
}

TEST(nothing_survives_when_we_are_killed)
{
	check_nothing_survives(SIGKILL, false);
}

TEST(nothing_survives_when_we_crash)
{
	check_nothing_survives(SIGSEGV, false);
}

TEST(nothing_survives_though_a_process_we_forked_has_our_descriptors)
{
	check_nothing_survives(SIGKILL, true);
}

/* --- whom we may not kill -------------------------------------------------------------- */

struct given_up {
	enum err_kind how;
	int pid;
};

static void on_given_up(struct op *op, void *owner, const struct err *why)
{
	struct given_up *g = owner;

	g->how = why ? why->kind : ERR_NONE;
	g->pid = child_pid(op);
}

static void discard(__attribute__((unused)) void *owner,
		    __attribute__((unused)) enum child_stream from,
		    __attribute__((unused)) struct sv bytes)
{
}

/* As nobody, with a program that became root's: TERM and KILL are not ours to send. */
static _Noreturn void run_set_uid(const char *program, int fd)
{
	struct loop *loop;
	struct given_up result = { .how = ERR_KINDS };

	if (setgid(65534) < 0 || setuid(65534) < 0)
		_exit(1);
	loop = loop_new();
	child_start(loop,
		    &(struct child_opts){ .argv = ARGV(program, "-e",
						       "$< = 0; $| = 1; print \"$$\\n\" x 100; "
						       "sleep 1000"),
					  .max_output = 10,
					  .grace_ms = 20,
					  .on_data = discard },
		    THEN(on_given_up, &result));
	loop_run(loop);
	loop_free(loop);
	_exit(write(fd, &result, sizeof(result)) == sizeof(result) ? 0 : 1);
}

TEST(child_that_we_may_not_kill_is_given_up_and_named)
{
	TEMP_DIR(dir);
	PATH_IN(program, dir, "perl");
	defer(str_clear) struct str binary = STR_INIT;
	struct given_up result;
	int ends[2], status;
	struct err err;
	pid_t owner;

	if (getuid() != 0 || !fs_read(&binary, "/usr/bin/perl", 64 << 20, &err))
		skip();
	CHECK_OK(fs_write(program, sv_of(&binary), (struct fs_write){ .mode = 04755 }, &err), err);
	CHECK_INT(chmod(str_c(&dir), 0755), 0);
	CHECK_INT(pipe(ends), 0);
	owner = fork();
	if (owner == 0)
		run_set_uid(program, ends[1]);
	CHECK_INT(waitpid(owner, &status, 0), owner);
	CHECK_INT(status, 0);
	CHECK_INT(read(ends[0], &result, sizeof(result)), sizeof(result));
	CHECK_INT(result.how, ERR_ACCESS);
	CHECK_INT(kill(result.pid, SIGKILL), 0); /* still there, and ours to end */
	close(ends[0]);
	close(ends[1]);
}

/* As an ordinary user: runs a set-user-id copy of id, by itself and by a shell. */
static _Noreturn void run_followed(const char *program)
{
	struct loop *loop;
	const char *const words[][4] = { { program, "-u" },
					 { "/bin/sh", "-c", "\"$0\" -u; true", program } };

	if (setgid(65534) < 0 || setuid(65534) < 0)
		_exit(1);
	loop = loop_new();
	for (size_t i = 0; i < countof(words); i++) {
		PROBE(p);
		const char *argv[5] = { NULL };

		memcpy(argv, words[i], sizeof(words[i]));
		PROBE_RUN(&p, loop, .argv = argv, .cwd = "/", .follow_cwd = true);
		if (!sv_is(sv_of(&p.out), "0\n"))
			_exit(2);
	}
	loop_free(loop);
	_exit(0);
}

TEST(a_followed_child_may_be_or_start_a_set_user_id_program)
{
	TEMP_DIR(dir);
	PATH_IN(program, dir, "id");
	defer(str_clear) struct str binary = STR_INIT;
	struct err err;
	int status;
	pid_t owner;

	if (getuid() != 0)
		skip();
	CHECK_OK(fs_read(&binary, "/usr/bin/id", 64 << 20, &err), err);
	CHECK_OK(fs_write(program, sv_of(&binary), (struct fs_write){ .mode = 04755 }, &err), err);
	CHECK_INT(chmod(str_c(&dir), 0755), 0);
	owner = fork();
	if (owner == 0)
		run_followed(program);
	CHECK_INT(waitpid(owner, &status, 0), owner);
	CHECK_INT(status, 0);
}
