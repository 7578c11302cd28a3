#include "sys/child.h"

#include <signal.h>

#include "base/limits.h"
#include "machine.h"
#include "sys/timer.h"
#include "test.h"

#define PROGRAM(program_name, sh, ...)                                               \
	static const struct sim_child_step program_name##_steps[] = { __VA_ARGS__ }; \
	static const struct program program_name = { .name = #program_name,          \
						     .script = sh,                   \
						     .steps = program_name##_steps,  \
						     .n = countof(program_name##_steps) }

/* clang-format off */
PROGRAM(speak, "printf out; printf oops >&2; exit 3",
	{ SIM_CHILD_OUT, 0, SV_INIT("out") },
	{ SIM_CHILD_ERR, 0, SV_INIT("oops") },
	{ SIM_CHILD_EXIT, 3 });
PROGRAM(cat, "cat",
	{ SIM_CHILD_ECHO });
PROGRAM(crash, "kill -SEGV $$",
	{ SIM_CHILD_DIE, SIGSEGV });
PROGRAM(hang, "echo ready; exec sleep 600",
	{ SIM_CHILD_OUT, 0, SV_INIT("ready\n") },
	{ SIM_CHILD_HANG });
PROGRAM(stubborn, "trap '' TERM; echo ready; while :; do sleep 1; done",
	{ SIM_CHILD_IGNORE_TERM },
	{ SIM_CHILD_OUT, 0, SV_INIT("ready\n") },
	{ SIM_CHILD_HANG });
PROGRAM(chatter, "printf 12345; printf 67890; exec sleep 600",
	{ SIM_CHILD_OUT, 0, SV_INIT("12345") },
	{ SIM_CHILD_OUT, 0, SV_INIT("67890") },
	{ SIM_CHILD_HANG });
PROGRAM(converse, "read a; echo \"got $a\"; read b; echo \"and $b\"; cat >/dev/null; exit 5",
	{ SIM_CHILD_READ_LINE },
	{ SIM_CHILD_OUT, 0, SV_INIT("got one\n") },
	{ SIM_CHILD_READ_LINE },
	{ SIM_CHILD_OUT, 0, SV_INIT("and two\n") },
	{ SIM_CHILD_READ_ALL },
	{ SIM_CHILD_EXIT, 5 });
PROGRAM(wander, "(cd /usr); cd /etc; exit 4",
	{ SIM_CHILD_CHDIR, 0, SV_INIT("/etc") },
	{ SIM_CHILD_EXIT, 4 });
PROGRAM(quit_early, "exit 0",
	{ SIM_CHILD_EXIT, 0 });
/* clang-format on */

struct watcher {
	struct loop *loop;
	struct op *child;
	struct str out[2];
	int dones;
	struct err err;
	struct child_result result;
	struct str final_cwd;
	int pid;
	void (*on_out)(struct watcher *w); /* after each piece of stdout */
};

static void on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct watcher *w = owner;

	CHECK_INT(w->dones, 0);
	str_add(&w->out[from], bytes);
	if (from == CHILD_OUT && w->on_out)
		w->on_out(w);
}

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct watcher *w = owner;

	w->dones++;
	w->result = child_result(op);
	w->pid = child_pid(op);
	if (!child_final_cwd(op, &w->final_cwd))
		str_truncate(&w->final_cwd, 0);
	if (why)
		w->err = *why;
	w->child = NULL;
}

static void watcher_init(struct watcher *w)
{
	*w = (struct watcher){ .loop = loop_new() };
}

static void watcher_clear(struct watcher *w)
{
	str_clear(&w->out[CHILD_OUT]);
	str_clear(&w->out[CHILD_ERR]);
	str_clear(&w->final_cwd);
	loop_free(w->loop);
}

static void begin(struct watcher *w, const struct program *program, struct child_opts opts)
{
	const char *argv[4];

	machine_command(program, argv);
	opts.argv = argv;
	opts.on_data = on_data;
	w->child = child_start(w->loop, &opts, THEN(on_done, w));
}

static void run(struct watcher *w, const struct program *program, struct child_opts opts)
{
	begin(w, program, opts);
	loop_run(w->loop);
	CHECK_INT(w->dones, 1);
}

#define WATCHER(name)                             \
	defer(watcher_clear) struct watcher name; \
	watcher_init(&name)

TEST(child_output_arrives_by_stream_with_the_exit_code)
{
	WATCHER(w);

	run(&w, &speak, (struct child_opts){ .argv = NULL });
	CHECK_INT(w.err.kind, ERR_NONE);
	CHECK_SV(sv_of(&w.out[CHILD_OUT]), "out");
	CHECK_SV(sv_of(&w.out[CHILD_ERR]), "oops");
	CHECK_INT(w.result.code, 3);
	CHECK_INT(w.result.signal, 0);
	CHECK(w.pid > 0);
}

TEST(the_directory_of_a_child_is_followed_to_its_end)
{
	WATCHER(w);

	run(&w, &wander, (struct child_opts){ .cwd = "/", .follow_cwd = true });
	CHECK_SV(sv_of(&w.final_cwd), "/etc");
	CHECK_INT(w.result.code, 4);
	w.dones = 0;
	run(&w, &quit_early, (struct child_opts){ .cwd = "/", .follow_cwd = true });
	CHECK_SV(sv_of(&w.final_cwd), "/");
	w.dones = 0;
	run(&w, &wander, (struct child_opts){ .cwd = "/" });
	CHECK_SV(sv_of(&w.final_cwd), "");
}

TEST(a_followed_child_can_be_killed_like_any_other)
{
	WATCHER(w);

	run(&w, &crash, (struct child_opts){ .follow_cwd = true });
	CHECK_INT(w.result.signal, SIGSEGV);
	w.dones = 0;
	run(&w, &hang, (struct child_opts){ .follow_cwd = true, .deadline_ms = 50 });
	CHECK_INT(w.err.kind, ERR_TIMEOUT);
	CHECK_INT(w.result.signal, SIGTERM);
	w.dones = 0;
	w.err = (struct err)ERR_INIT;
	run(&w, &stubborn,
	    (struct child_opts){ .follow_cwd = true, .deadline_ms = 50, .grace_ms = 10 });
	CHECK_INT(w.err.kind, ERR_TIMEOUT);
	CHECK_INT(w.result.signal, SIGKILL);
}

TEST(merged_output_keeps_its_order)
{
	WATCHER(w);

	run(&w, &speak, (struct child_opts){ .merge = true });
	CHECK_SV(sv_of(&w.out[CHILD_OUT]), "outoops");
	CHECK_INT(w.out[CHILD_ERR].len, 0);
}

TEST(child_reads_its_input_and_then_the_end)
{
	WATCHER(w);

	run(&w, &cat, (struct child_opts){ .input = SV("one\ntwo") });
	CHECK_SV(sv_of(&w.out[CHILD_OUT]), "one\ntwo");
	CHECK_INT(w.result.code, 0);
}

TEST(without_input_stdin_is_empty)
{
	WATCHER(w);

	run(&w, &cat, (struct child_opts){ .argv = NULL });
	CHECK_INT(w.out[CHILD_OUT].len, 0);
	CHECK_INT(w.result.code, 0);
}

TEST(child_passes_a_megabyte_through_unchanged)
{
	defer(str_clear) struct str big = STR_INIT;
	WATCHER(w);

	for (int i = 0; i < 100000; i++)
		str_addf(&big, "line %d\n", i);
	run(&w, &cat, (struct child_opts){ .input = sv_of(&big) });
	CHECK(sv_eq(sv_of(&w.out[CHILD_OUT]), sv_of(&big)));
}

TEST(unread_input_is_not_a_failure)
{
	defer(str_clear) struct str big = STR_INIT;
	WATCHER(w);

	str_reserve(&big, MIB);
	while (big.len < MIB)
		str_addc(&big, 'x');
	run(&w, &quit_early, (struct child_opts){ .input = sv_of(&big) });
	CHECK_INT(w.err.kind, ERR_NONE);
	CHECK_INT(w.result.code, 0);
}

TEST(child_killed_by_a_signal_reports_128_plus_its_number)
{
	WATCHER(w);

	run(&w, &crash, (struct child_opts){ .argv = NULL });
	CHECK_INT(w.err.kind, ERR_NONE);
	CHECK_INT(w.result.signal, SIGSEGV);
	CHECK_INT(w.result.code, 128 + SIGSEGV);
}

TEST(child_past_its_deadline_is_killed)
{
	WATCHER(w);

	run(&w, &hang, (struct child_opts){ .deadline_ms = 50 });
	CHECK_INT(w.err.kind, ERR_TIMEOUT);
	CHECK_INT(w.result.signal, w.pid ? SIGTERM : 0);
}

static void cancel_it(struct watcher *w)
{
	op_cancel(w->child);
	op_cancel(w->child);
}

TEST(cancelling_asks_a_child_to_exit)
{
	WATCHER(w);

	w.on_out = cancel_it;
	run(&w, &hang, (struct child_opts){ .argv = NULL });
	CHECK_INT(w.err.kind, ERR_CANCELLED);
	CHECK_INT(w.result.signal, SIGTERM);
}

TEST(child_that_ignores_term_is_killed_after_the_grace_period)
{
	WATCHER(w);

	w.on_out = cancel_it;
	run(&w, &stubborn, (struct child_opts){ .grace_ms = 50 });
	CHECK_INT(w.err.kind, ERR_CANCELLED);
	CHECK_INT(w.result.signal, SIGKILL);
}

TEST(child_cancelled_at_once_finishes_once)
{
	WATCHER(w);

	begin(&w, &hang, (struct child_opts){ .argv = NULL });
	cancel_it(&w);
	CHECK_INT(w.dones, 0);
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_INT(w.err.kind, ERR_CANCELLED);
	CHECK_INT(w.out[CHILD_OUT].len, 0);
}

TEST(output_past_its_cap_is_cut_and_kills_the_child)
{
	WATCHER(w);

	run(&w, &chatter, (struct child_opts){ .max_output = 7 });
	CHECK_INT(w.err.kind, ERR_TOO_BIG);
	CHECK_SV(sv_of(&w.out[CHILD_OUT]), "1234567");
}

TEST(output_of_exactly_the_cap_is_allowed)
{
	WATCHER(w);

	run(&w, &speak, (struct child_opts){ .max_output = 7 });
	CHECK_INT(w.err.kind, ERR_NONE);
	CHECK_INT(w.result.code, 3);
}

TEST(missing_program_cannot_be_started)
{
	const char *const argv[] = { "no-such-program-anywhere", "x", NULL };
	struct child_opts opts = { .argv = argv, .on_data = on_data };
	WATCHER(w);

	child_start(w.loop, &opts, THEN(on_done, &w));
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_ERR(w.err, ERR_NOT_FOUND, "cannot start no-such-program-anywhere: not found in PATH");
	CHECK_INT(w.pid, 0);
	CHECK_INT(w.result.code, 0);
}

TEST(child_cannot_start_in_a_missing_directory)
{
	WATCHER(w);

	run(&w, &speak, (struct child_opts){ .cwd = "/no/such/directory" });
	CHECK_ERR(w.err, ERR_NOT_FOUND, "/no/such/directory");
}

static void answer(struct watcher *w)
{
	struct err err;

	if (sv_is(sv_of(&w->out[CHILD_OUT]), "got one\n"))
		CHECK_OK(child_write(w->child, SV("two\n"), &err), err);
	if (sv_ends(sv_of(&w->out[CHILD_OUT]), SV("and two\n")))
		child_close_stdin(w->child);
}

TEST(child_with_open_stdin_accepts_more_input)
{
	struct err err;
	WATCHER(w);

	w.on_out = answer;
	begin(&w, &converse, (struct child_opts){ .keep_stdin = true });
	CHECK_OK(child_write(w.child, SV("one\n"), &err), err);
	loop_run(w.loop);
	CHECK_SV(sv_of(&w.out[CHILD_OUT]), "got one\nand two\n");
	CHECK_INT(w.result.code, 5);
}

TEST(pending_input_is_capped)
{
	defer(str_clear) struct str big = STR_INIT;
	struct err err;
	WATCHER(w);

	w.on_out = cancel_it;
	str_reserve(&big, LIMIT_CHILD_INPUT);
	memset(big.ptr, 'x', LIMIT_CHILD_INPUT);
	big.len = LIMIT_CHILD_INPUT;
	begin(&w, &hang, (struct child_opts){ .keep_stdin = true });
	CHECK_OK(child_write(w.child, sv_of(&big), &err), err);
	CHECK(!child_write(w.child, SV("x"), &err));
	CHECK_INT(err.kind, ERR_TOO_BIG);
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
}

static void hang_up(struct watcher *w)
{
	child_signal(w->child, SIGHUP);
}

TEST(child_receives_a_signal)
{
	WATCHER(w);

	w.on_out = hang_up;
	run(&w, &hang, (struct child_opts){ .argv = NULL });
	CHECK_INT(w.err.kind, ERR_NONE);
	CHECK_INT(w.result.signal, SIGHUP);
}

static void on_resume(__attribute__((unused)) struct op *op, void *owner,
		      __attribute__((unused)) const struct err *why)
{
	struct watcher *w = owner;

	CHECK_INT(w->dones, 0);
	CHECK_INT(w->out[CHILD_OUT].len, 0);
	child_pause(w->child, false);
}

TEST(paused_child_delivers_neither_output_nor_its_end)
{
	WATCHER(w);

	begin(&w, &speak, (struct child_opts){ .argv = NULL });
	child_pause(w.child, true);
	timer_start(w.loop, 60, THEN(on_resume, &w));
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_SV(sv_of(&w.out[CHILD_OUT]), "out");
	CHECK_SV(sv_of(&w.out[CHILD_ERR]), "oops");
}

static void on_cancel(__attribute__((unused)) struct op *op, void *owner,
		      __attribute__((unused)) const struct err *why)
{
	cancel_it(owner);
}

TEST(paused_child_can_be_cancelled)
{
	WATCHER(w);

	begin(&w, &speak, (struct child_opts){ .argv = NULL });
	child_pause(w.child, true);
	timer_start(w.loop, 60, THEN(on_cancel, &w));
	loop_run(w.loop);
	CHECK_INT(w.dones, 1);
	CHECK_INT(w.err.kind, ERR_CANCELLED);
	CHECK_INT(w.out[CHILD_OUT].len, 0);
}
