#include "machine/sim.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/uuid.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "sys/poll.h"
#include "sys/timer.h"
#include "sys/work.h"
#include "test.h"

struct seen {
	int dones;
	int64_t at; /* in virtual time */
	struct err err;
};

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct seen *seen = owner;

	seen->dones++;
	seen->at = loop_now(op->loop);
	if (why)
		seen->err = *why;
}

/* --- time ------------------------------------------------------------------------ */

TEST(an_hour_passes_at_once_on_both_clocks)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct seen seen = { 0 };

	CHECK(loop_wall(sim_loop(w)) == SIM_WALL_START);
	timer_start(sim_loop(w), 3600000, THEN(on_done, &seen));
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(seen.dones, 1);
	CHECK_INT(sim_elapsed(w), 3600000);
	CHECK(loop_wall(sim_loop(w)) == SIM_WALL_START + 3600000);
}

TEST(a_run_ends_when_its_steps_are_used_up_and_says_so)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct seen seen[3] = { { 0 }, { 0 }, { 0 } };

	for (int i = 0; i < 3; i++)
		timer_start(sim_loop(w), 10 * i, THEN(on_done, &seen[i]));
	CHECK(!sim_run(w, 0));
	CHECK_INT(sim_live_ops(w), 3);
	CHECK(!sim_run(w, 2));
	CHECK_INT(sim_steps(w), 2);
	CHECK_INT(sim_live_ops(w), 1);
	CHECK_INT(sim_elapsed(w), 10); /* what comes next has not happened yet */
	CHECK(sim_run(w, 1));
	CHECK_INT(sim_elapsed(w), 20);
}

TEST(what_has_happened_but_is_not_done_can_still_not_be_cancelled)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct seen seen = { 0 };
	struct op *timer = timer_start(sim_loop(w), 10, THEN(on_done, &seen));

	sim_happen(w);
	CHECK_INT(seen.dones, 0);
	CHECK_INT(sim_elapsed(w), 10);
	op_cancel(timer);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(seen.dones, 1);
	CHECK_INT(seen.err.kind, ERR_NONE);
}

TEST(time_can_be_advanced_by_a_span)
{
	defer(sim_freep) struct sim *w = sim_new();
	int64_t began = loop_now(sim_loop(w));
	struct seen soon = { 0 }, late = { 0 };

	timer_start(sim_loop(w), 10, THEN(on_done, &soon));
	timer_start(sim_loop(w), 100, THEN(on_done, &late));
	sim_advance(w, 50);
	CHECK_INT(sim_elapsed(w), 50);
	CHECK_INT(loop_now(sim_loop(w)) - began, 50);
	CHECK_INT(soon.at - began, 10);
	CHECK_INT(late.dones, 0);
	sim_advance(w, 50);
	CHECK_INT(late.at - began, 100);
}

TEST(setting_the_wall_clock_moves_no_timer)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct seen seen = { 0 };

	timer_start(sim_loop(w), 100, THEN(on_done, &seen));
	sim_set_wall(w, 1000);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(sim_elapsed(w), 100);
	CHECK_INT(loop_wall(sim_loop(w)), 1100);
}

TEST(two_worlds_draw_the_same_chances_and_share_nothing)
{
	defer(sim_freep) struct sim *outer = sim_new();
	struct uuid id = uuid_v4(loop_rng(sim_loop(outer)));
	struct sim *inner = sim_new();

	CHECK_STR(uuid_v4(loop_rng(sim_loop(inner))).text, id.text);
	sim_put(inner, "/only/here", SV("x"));
	CHECK(fs_exists("/only/here"));
	sim_advance(inner, 5);
	sim_free(inner);
	CHECK(sim_current() == outer);
	CHECK(!fs_exists("/only/here"));
	CHECK_INT(sim_elapsed(outer), 0);
}

/* --- faults ------------------------------------------------------------------------ */

static bool touch(void *arg, struct err *err)
{
	return fs_write(arg, SV("x"), (struct fs_write){ .mode = 0 }, err);
}

TEST(the_kth_operation_fails_and_no_other)
{
	for (size_t k = 1; k <= 3; k++) {
		defer(sim_freep) struct sim *w = sim_new();
		struct err err = ERR_INIT;

		sim_fail_at(w, k, ERR_NONE);
		for (size_t i = 1; i <= 3; i++)
			CHECK(touch("/tmp/f", &err) == (i != k));
		CHECK_ERR(err, ERR_IO, "/tmp/f: " SIM_FAULT_TEXT);
		CHECK_INT(sim_ops_counted(w), 3);
	}
}

TEST(a_fault_can_be_of_any_kind)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct err err;

	sim_fail_at(w, 1, ERR_FULL);
	CHECK(!touch("/tmp/f", &err));
	CHECK_INT(err.kind, ERR_FULL);
}

TEST(timers_and_preparations_are_no_operations)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct seen seen = { 0 };

	sim_put(w, "/a/b/c", SV("x"));
	sim_put_link(w, "/a/l", "b");
	CHECK_SV(sim_get(w, "/a/l/c"), "x");
	timer_start(sim_loop(w), 1, THEN(on_done, &seen));
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(sim_ops_counted(w), 0);
}

TEST(work_waits_for_its_turn_and_can_be_cancelled_till_then)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct seen done = { 0 }, cancelled = { 0 };
	struct op *op;

	sim_delay_work(w, 100);
	work_start(sim_loop(w), touch, "/tmp/a", THEN(on_done, &done));
	op = work_start(sim_loop(w), touch, "/tmp/b", THEN(on_done, &cancelled));
	sim_advance(w, 99);
	CHECK(!fs_exists("/tmp/a"));
	op_cancel(op);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK(fs_exists("/tmp/a"));
	CHECK(!fs_exists("/tmp/b"));
	CHECK_INT(cancelled.err.kind, ERR_CANCELLED);
}

/* --- files that obey modes ------------------------------------------------------------ */

TEST(mode_bits_are_obeyed)
{
	defer(sim_freep) struct sim *w = sim_new();
	defer(str_clear) struct str out = STR_INIT;
	struct err err;

	sim_put(w, "/d/f", SV("x"));
	sim_chmod(w, "/d/f", 0200);
	CHECK(!fs_read(&out, "/d/f", 10, &err));
	CHECK_INT(err.kind, ERR_ACCESS);
	sim_chmod(w, "/d/f", 0400);
	CHECK(!touch("/d/f", &err));
	sim_chmod(w, "/d", 0500);
	CHECK(!touch("/d/g", &err));
	CHECK(!fs_remove("/d/f", &err));
	sim_chmod(w, "/d", 0600);
	CHECK(!fs_exists("/d/f"));
	sim_chmod(w, "/d", 0700);
	CHECK_OK(fs_remove("/d/f", &err), err);
}

TEST(relative_paths_begin_in_the_working_directory_even_when_it_is_gone)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct err err;

	sim_put(w, "/home/me/f", SV("x"));
	sim_chdir(w, "/home/me");
	CHECK(fs_exists("f"));
	CHECK(fs_exists("../me/f"));
	CHECK_OK(fs_remove_tree("/home", &err), err);
	CHECK(!fs_exists("f"));
	CHECK(!fs_exists("../me"));
}

TEST(room_on_the_disk_is_taken_and_given_back)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct fs_write how = { .mode = 0 };
	struct err err;

	sim_set_space(w, 10);
	CHECK_OK(fs_write("/tmp/a", SV("12345"), how, &err), err);
	CHECK(!fs_write("/tmp/b", SV("123456"), how, &err)); /* beside the old one */
	CHECK_INT(err.kind, ERR_FULL);
	CHECK_OK(fs_remove("/tmp/a", &err), err);
	CHECK_OK(fs_write("/tmp/b", SV("1234567890"), how, &err), err);
}

/* --- children and descriptors ------------------------------------------------------------ */

static void append(void *owner, __attribute__((unused)) enum child_stream from, struct sv bytes)
{
	str_add(owner, bytes);
}

static void ignore(__attribute__((unused)) struct op *op, __attribute__((unused)) void *owner,
		   __attribute__((unused)) const struct err *why)
{
}

static void run_one(struct sim *w, const char *name, struct str *out)
{
	const char *const argv[] = { name, "-x", NULL };
	struct child_opts opts = { .argv = argv, .input = SV("in"), .on_data = append };

	child_start(sim_loop(w), &opts, THEN(ignore, out));
	CHECK(sim_run(w, SIZE_MAX));
}

TEST(the_first_rule_that_is_not_used_up_counts)
{
	static const struct sim_child_step first[] = { { SIM_CHILD_OUT, 0, SV_INIT("1") } };
	static const struct sim_child_step rest[] = { { SIM_CHILD_READ_ALL },
						      { SIM_CHILD_OUT, 0, SV_INIT("n") } };
	defer(sim_freep) struct sim *w = sim_new();
	defer(str_clear) struct str out = STR_INIT;

	sim_child(w, "tool -x", first, countof(first), 1);
	sim_child(w, "to?l *", rest, countof(rest), 0);
	for (int i = 0; i < 3; i++)
		run_one(w, "tool", &out);
	CHECK_SV(sv_of(&out), "1nn");
	CHECK_STR(sim_spawned(w, 2)->command, "tool -x");
	CHECK_SV(sv_of(&sim_spawned(w, 0)->input), "");
	CHECK_SV(sv_of(&sim_spawned(w, 2)->input), "in");
	CHECK(sim_spawned(w, 2)->eof);
	CHECK(!sim_spawned(w, 3));
}

TEST(a_paused_child_blocks_when_the_buffer_is_full)
{
	static const struct sim_child_step echo[] = { { SIM_CHILD_ECHO } };
	const char *const argv[] = { "cat", NULL };
	defer(sim_freep) struct sim *w = sim_new();
	defer(str_clear) struct str out = STR_INIT, big = STR_INIT;
	struct child_opts opts = { .argv = argv, .on_data = append };
	struct op *child;

	while (big.len < LIMIT_CHILD_BUFFER + 1000)
		str_addc(&big, 'x');
	opts.input = sv_of(&big);
	sim_child(w, "cat", echo, countof(echo), 0);
	child = child_start(sim_loop(w), &opts, THEN(ignore, &out));
	child_pause(child, true);
	CHECK(sim_run(w, SIZE_MAX)); /* all is quiet, and the child is alive */
	CHECK_INT(sim_live_ops(w), 1);
	CHECK_INT(out.len, 0);
	CHECK_INT(sim_wire_bytes(w), LIMIT_CHILD_BUFFER);
	child_pause(child, false);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(sim_live_ops(w), 0);
	CHECK_INT(out.len, big.len);
}

TEST(a_terminal_is_as_large_as_last_said_and_takes_both_streams)
{
	static const struct sim_child_step steps[] = { { SIM_CHILD_ERR, 0, SV_INIT("e") },
						       { SIM_CHILD_OUT, 0, SV_INIT("o") },
						       { SIM_CHILD_HANG } };
	const char *const argv[] = { "top", NULL };
	defer(sim_freep) struct sim *w = sim_new();
	defer(str_clear) struct str out = STR_INIT;
	struct child_opts opts = {
		.argv = argv, .pty = true, .rows = 24, .cols = 80, .on_data = append
	};
	struct op *child;

	sim_child(w, "top", steps, countof(steps), 0);
	child = child_start(sim_loop(w), &opts, THEN(ignore, &out));
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(sim_spawned(w, 0)->cols, 80);
	child_resize(child, 30, 100);
	CHECK_INT(sim_spawned(w, 0)->rows, 30);
	CHECK_INT(sim_spawned(w, 0)->cols, 100);
	CHECK_SV(sv_of(&out), "eo");
	op_cancel(child);
	CHECK(sim_run(w, SIZE_MAX));
}

TEST(no_more_children_run_at_once_than_allowed)
{
	static const struct sim_child_step hang[] = { { SIM_CHILD_HANG } };
	const char *const argv[] = { "sleep", NULL };
	defer(sim_freep) struct sim *w = sim_new();
	defer(mem_freep) struct op **children = xcalloc(LIMIT_CHILDREN, sizeof(*children));
	struct child_opts opts = { .argv = argv };
	struct seen seen = { 0 };

	sim_child(w, "sleep", hang, countof(hang), 0);
	for (size_t i = 0; i < LIMIT_CHILDREN; i++)
		children[i] = child_start(sim_loop(w), &opts, THEN(ignore, NULL));
	child_start(sim_loop(w), &opts, THEN(on_done, &seen));
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(seen.dones, 1);
	CHECK_INT(seen.err.kind, ERR_FULL);
	for (size_t i = 0; i < LIMIT_CHILDREN; i++)
		op_cancel(children[i]);
	CHECK(sim_run(w, SIZE_MAX));
	children[0] = child_start(sim_loop(w), &opts, THEN(on_done, &seen));
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(sim_live_ops(w), 1);
	op_cancel(children[0]);
	CHECK(sim_run(w, SIZE_MAX));
}

struct ready {
	struct poll *poll;
	int events, calls;
};

static void on_ready(void *arg, __attribute__((unused)) int fd, int events)
{
	struct ready *r = arg;

	r->events |= events;
	r->calls++;
}

TEST(readiness_waits_until_it_is_wanted)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct ready r = { .calls = 0 };

	r.poll = poll_new(sim_loop(w), 7, on_ready, &r);
	sim_poll_ready(w, 7, POLL_READABLE | POLL_WRITABLE);
	sim_poll_ready(w, 8, POLL_READABLE);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(r.calls, 0);
	poll_want(r.poll, POLL_READABLE);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(r.events, POLL_READABLE);
	poll_want(r.poll, POLL_READABLE | POLL_WRITABLE);
	CHECK(sim_run(w, SIZE_MAX));
	CHECK_INT(r.events, POLL_READABLE | POLL_WRITABLE);
	CHECK_INT(r.calls, 2);
	poll_free(r.poll);
}

/* --- a crash ------------------------------------------------------------------------- */

TEST(a_crash_leaves_what_was_synced)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct fs_log *log;
	struct err err;

	sim_put(w, "/d/old", SV("old"));
	CHECK_OK(fs_write("/d/synced", SV("new"), (struct fs_write){ .sync = true }, &err), err);
	CHECK_OK(fs_write("/d/fleeting", SV("new"), (struct fs_write){ .mode = 0 }, &err), err);
	CHECK_OK(fs_write("/d/old", SV("changed"), (struct fs_write){ .mode = 0 }, &err), err);
	CHECK_OK(fs_mkdirs("/d/a/b", 0755, &err), err);
	log = fs_log_open("/d/a/b/log", 0600, &err);
	CHECK_OK(fs_log_add(log, SV("1"), &err) && fs_log_sync(log, &err), err);
	CHECK_OK(fs_log_add(log, SV("2"), &err), err);
	sim_crash(w);
	CHECK_SV(sim_get(w, "/d/old"), "old");
	CHECK_SV(sim_get(w, "/d/synced"), "new");
	CHECK(!fs_exists("/d/fleeting"));
	CHECK_SV(sim_get(w, "/d/a/b/log"), "1");
	CHECK_OK(fs_log_add(log, SV("3"), &err), err); /* by a program that is dead */
	CHECK_SV(sim_get(w, "/d/a/b/log"), "1");
	fs_log_close(log);
}

TEST(after_a_crash_nothing_is_locked)
{
	defer(sim_freep) struct sim *w = sim_new();
	struct fs_lock *dead, *lock;
	struct err err;

	sim_put(w, "/lock", SV_EMPTY);
	dead = fs_lock("/lock", &err);
	CHECK(dead && !fs_lock("/lock", &err));
	sim_crash(w);
	lock = fs_lock("/lock", &err);
	CHECK(lock != NULL);
	fs_unlock(dead);
	fs_unlock(lock);
}
