#include "base/mem.h"
#include "sys/op.h"
#include "sys/seq.h"
#include "sys/timer.h"
#include "sys/work.h"
#include "test.h"

/* Counts the events of an op, and remembers how it ended. */
struct seen {
	int dones;
	enum err_kind kind;
	char text[ERR_TEXT_SIZE];
	int order; /* position of its `done` among all */
	int *clock;
};

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct seen *seen = owner;

	seen->dones++;
	seen->kind = why ? why->kind : ERR_NONE;
	if (why)
		memcpy(seen->text, why->text, sizeof(seen->text));
	if (seen->clock)
		seen->order = ++*seen->clock;
}

struct note {
	struct task task;
	struct loop *loop;
	struct str *log;
	char letter;
	int again; /* how often it posts itself again */
};

static void run_note(struct task *task)
{
	struct note *note = container_of(task, struct note, task);

	str_addc(note->log, note->letter);
	if (note->again-- > 0)
		loop_post(note->loop, task);
}

TEST(steps_run_in_the_order_they_were_posted)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct note notes[3];

	for (int i = 0; i < 3; i++) {
		notes[i] = (struct note){ .task = { .run = run_note },
					  .loop = loop,
					  .log = &log,
					  .letter = (char)('a' + i) };
		loop_post(loop, &notes[i].task);
		loop_post(loop, &notes[i].task); /* posting again has no effect while it waits */
	}
	notes[0].again = 1;
	loop_run(loop);
	CHECK_SV(sv_of(&log), "abca");
}

TEST(idle_loop_ends_at_once)
{
	defer(loop_freep) struct loop *loop = loop_new();

	loop_run(loop);
	CHECK_INT(loop_live_ops(loop), 0);
}

static void run_stop(struct task *task)
{
	struct note *note = container_of(task, struct note, task);

	str_addc(note->log, note->letter);
	loop_stop(note->loop);
}

TEST(stopped_loop_can_run_again)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct note stop = { { .run = run_stop }, loop, &log, 's', 0 };
	struct note after = { { .run = run_note }, loop, &log, 'a', 0 };

	loop_post(loop, &stop.task);
	loop_post(loop, &after.task);
	loop_run(loop);
	CHECK_SV(sv_of(&log), "s");
	loop_run(loop);
	CHECK_SV(sv_of(&log), "sa");
}

TEST(turn_runs_due_steps_without_waiting)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct note first = { { .run = run_note }, loop, &log, 'a', 1 };
	struct note second = { { .run = run_note }, loop, &log, 'b', 0 };
	struct seen now = { 0 }, later = { 0 };
	struct op *timer = timer_start(loop, 3600000, THEN(on_done, &later));

	loop_turn(loop);
	CHECK_SV(sv_of(&log), "");
	loop_post(loop, &first.task);
	loop_post(loop, &second.task);
	timer_start(loop, 0, THEN(on_done, &now));
	loop_turn(loop);
	CHECK_SV(sv_of(&log), "aba");
	CHECK_INT(now.dones, 1);
	CHECK_INT(later.dones, 0);
	op_cancel(timer);
	loop_turn(loop);
	CHECK_INT(later.kind, ERR_CANCELLED);
	loop_run(loop); /* the machine drops the timer */
}

TEST(turn_ends_although_a_step_keeps_posting_itself)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct note busy = { { .run = run_note }, loop, &log, '.', INT32_MAX };
	size_t first;

	loop_post(loop, &busy.task);
	loop_turn(loop);
	first = log.len;
	CHECK(first > 0);
	loop_turn(loop);
	CHECK(log.len > first);
	busy.again = 0;
	loop_run(loop);
}

TEST(stopped_turn_leaves_the_rest_to_the_next)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct note stop = { { .run = run_stop }, loop, &log, 's', 0 };
	struct note after = { { .run = run_note }, loop, &log, 'a', 0 };

	loop_post(loop, &stop.task);
	loop_post(loop, &after.task);
	loop_turn(loop);
	CHECK_SV(sv_of(&log), "s");
	loop_turn(loop);
	CHECK_SV(sv_of(&log), "sa");
}

TEST(step_that_posts_itself_does_not_starve_a_timer)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct note busy = { { .run = run_note }, loop, &log, '.', 1000 };
	struct seen seen = { 0 };

	loop_post(loop, &busy.task);
	timer_start(loop, 0, THEN(on_done, &seen));
	loop_run(loop);
	CHECK_INT(seen.dones, 1);
	CHECK_INT(log.len, 1001);
}

TEST(timers_finish_in_order_of_their_deadlines)
{
	defer(loop_freep) struct loop *loop = loop_new();
	int clock = 0;
	struct seen late = { .clock = &clock }, soon = { .clock = &clock };
	int64_t began = loop_now(loop);

	timer_start(loop, 30, THEN(on_done, &late));
	timer_start(loop, 5, THEN(on_done, &soon));
	CHECK_INT(late.dones + soon.dones, 0);
	loop_run(loop);
	CHECK_INT(soon.order, 1);
	CHECK_INT(late.order, 2);
	CHECK(loop_now(loop) - began >= 30);
}

TEST(negative_delay_means_at_once)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen seen = { 0 };

	timer_start(loop, -5, THEN(on_done, &seen));
	loop_run(loop);
	CHECK_INT(seen.dones, 1);
	CHECK_INT(seen.kind, ERR_NONE);
}

TEST(cancelled_timer_finishes_once_and_reports_the_cancellation)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen seen = { 0 };
	struct op *timer = timer_start(loop, 3600000, THEN(on_done, &seen));

	op_cancel(NULL);
	op_cancel(timer);
	op_cancel(timer);
	CHECK_INT(seen.dones, 0); /* never from inside the call */
	CHECK_INT(loop_live_ops(loop), 1);
	loop_run(loop);
	CHECK_INT(seen.dones, 1);
	CHECK_INT(seen.kind, ERR_CANCELLED);
	CHECK_INT(loop_live_ops(loop), 0);
}

/* A timer that restarts or cancels another one in its `done`. */
struct poke {
	struct seen seen;
	struct op *other;
	int64_t ms; /* to restart it with; -1: cancel */
};

static void on_poke(struct op *op, void *owner, const struct err *why)
{
	struct poke *poke = owner;

	if (poke->ms < 0)
		op_cancel(poke->other);
	else
		timer_restart(poke->other, poke->ms);
	on_done(op, &poke->seen, why);
}

/* The times are an hour apart: no machine is slow enough to change their order. */
TEST(restarting_a_timer_moves_its_deadline)
{
	defer(loop_freep) struct loop *loop = loop_new();
	int clock = 0;
	struct seen nearer = { .clock = &clock }, further = { .clock = &clock };
	struct poke hurry = { .seen = { .clock = &clock }, .ms = 1 };
	struct poke end = { .seen = { .clock = &clock }, .ms = -1 };

	hurry.other = timer_start(loop, 3600000, THEN(on_done, &nearer));
	end.other = timer_start(loop, 0, THEN(on_done, &further));
	timer_restart(end.other, 3600000);
	timer_start(loop, 1, THEN(on_poke, &hurry));
	timer_start(loop, 5, THEN(on_poke, &end));
	loop_run(loop);
	CHECK(hurry.seen.order < nearer.order);
	CHECK_INT(nearer.kind, ERR_NONE);
	CHECK(end.seen.order < further.order);
	CHECK_INT(further.kind, ERR_CANCELLED);
	CHECK_INT(nearer.dones + further.dones, 2);
}

TEST(restarting_a_cancelled_timer_does_not_revive_it)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen seen = { 0 };
	struct op *timer = timer_start(loop, 3600000, THEN(on_done, &seen));

	op_cancel(timer);
	timer_restart(timer, 3600000);
	loop_run(loop);
	CHECK_INT(seen.dones, 1);
	CHECK_INT(seen.kind, ERR_CANCELLED);
}

TEST(one_op_can_cancel_another_from_its_done)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen victim = { 0 };
	struct poke poke = { .ms = -1 };

	poke.other = timer_start(loop, 3600000, THEN(on_done, &victim));
	timer_start(loop, 1, THEN(on_poke, &poke));
	loop_run(loop);
	CHECK_INT(victim.dones, 1);
	CHECK_INT(victim.kind, ERR_CANCELLED);
}

/* --- work ------------------------------------------------------------------------ */

static bool double_it(void *arg, __attribute__((unused)) struct err *err)
{
	*(int *)arg *= 2;
	return true;
}

static bool fail_it(__attribute__((unused)) void *arg, struct err *err)
{
	return err_set(err, ERR_PARSE, "line 3 is no good");
}

TEST(work_has_run_when_it_is_done)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen seen = { 0 };
	int value = 21;

	work_start(loop, double_it, &value, THEN(on_done, &seen));
	CHECK_INT(seen.dones, 0);
	loop_run(loop);
	CHECK_INT(seen.dones, 1);
	CHECK_INT(value, 42);
}

TEST(failing_work_reports_its_own_error)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen seen = { 0 };

	work_start(loop, fail_it, NULL, THEN(on_done, &seen));
	loop_run(loop);
	CHECK_INT(seen.kind, ERR_PARSE);
	CHECK_STR(seen.text, "line 3 is no good");
}

TEST(cancelled_work_finishes_once_whether_it_ran_or_not)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct seen seen = { 0 };
	int value = 21;
	struct op *work = work_start(loop, double_it, &value, THEN(on_done, &seen));

	op_cancel(work);
	loop_run(loop);
	CHECK_INT(seen.dones, 1);
	CHECK_INT(seen.kind, ERR_CANCELLED);
	CHECK(value == 21 || value == 42);
}

/* --- seq ------------------------------------------------------------------------- */

struct journey {
	struct loop *loop;
	struct str log;
};

static struct op *walk(void *ctx, struct then then)
{
	struct journey *j = ctx;

	str_addc(&j->log, 'w');
	return timer_start(j->loop, 1, then);
}

static struct op *hop(void *ctx, __attribute__((unused)) struct then then)
{
	struct journey *j = ctx;

	str_addc(&j->log, 'h');
	return NULL;
}

static struct op *fall(void *ctx, struct then then)
{
	struct journey *j = ctx;

	str_addc(&j->log, 'f');
	return work_start(j->loop, fail_it, NULL, then);
}

static struct op *rest(void *ctx, struct then then)
{
	struct journey *j = ctx;

	str_addc(&j->log, 'r');
	return timer_start(j->loop, 3600000, then);
}

static void run_journey(const struct step *steps, size_t n, int64_t cancel_ms, struct seen *seen,
			const char *expected)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct journey j = { .loop = loop };
	struct poke poke = { .ms = -1 };

	poke.other = seq_start(loop, steps, n, &j, THEN(on_done, seen));
	CHECK_INT(seen->dones, 0);
	if (cancel_ms >= 0)
		timer_start(loop, cancel_ms, THEN(on_poke, &poke));
	loop_run(loop);
	CHECK_INT(seen->dones, 1);
	CHECK_STR(str_c(&j.log), expected);
	str_clear(&j.log);
}

TEST(seq_runs_its_steps_in_order)
{
	static const struct step steps[] = { { "walk", walk }, { "hop", hop }, { "walk", walk } };
	struct seen seen = { 0 };

	run_journey(steps, countof(steps), -1, &seen, "whw");
	CHECK_INT(seen.kind, ERR_NONE);
}

TEST(seq_without_steps_or_waits_finishes)
{
	static const struct step steps[] = { { "hop", hop } };
	struct seen seen = { 0 }, none = { 0 };

	run_journey(steps, countof(steps), -1, &seen, "h");
	run_journey(steps, 0, -1, &none, "");
}

TEST(seq_stops_at_the_first_failure_and_names_the_step)
{
	static const struct step steps[] = { { "walk", walk },
					     { "cross", fall },
					     { "walk", walk } };
	struct seen seen = { 0 };

	run_journey(steps, countof(steps), -1, &seen, "wf");
	CHECK_INT(seen.kind, ERR_PARSE);
	CHECK_STR(seen.text, "cross: line 3 is no good");
}

TEST(cancelling_a_seq_cancels_its_current_step)
{
	static const struct step steps[] = { { "walk", walk }, { "rest", rest }, { "walk", walk } };
	struct seen seen = { 0 };

	run_journey(steps, countof(steps), 20, &seen, "wr");
	CHECK_INT(seen.kind, ERR_CANCELLED);
}
