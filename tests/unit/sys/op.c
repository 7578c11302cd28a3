#include "base/mem.h"
#include "run.h"
#include "sys/loop/loop_core.h"

/* An op that finishes when the test says so. */
struct probe {
	struct op op;
	struct outcome *outcome;
	int cancels;
	bool finish_on_cancel;
};

static int frees;

static void probe_cancel(struct op *op)
{
	struct probe *p = container_of(op, struct probe, op);

	p->cancels++;
	if (p->finish_on_cancel)
		op_finish(op, NULL);
}

static void probe_free(struct op *op)
{
	frees++;
	free(container_of(op, struct probe, op));
}

static const struct op_type probe_type = { .name = "probe",
					   .cancel = probe_cancel,
					   .free = probe_free };

static struct probe *probe_start(struct loop *loop, struct outcome *outcome)
{
	struct probe *p = xnew(struct probe);

	op_init(&p->op, &probe_type, loop, THEN(outcome_done, outcome));
	return p;
}

TEST(op_is_done_once_from_the_fifo_and_then_freed)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct probe *p = probe_start(loop, &o);

	frees = 0;
	op_finish(&p->op, NULL);
	CHECK_INT(o.done, 0);
	CHECK_INT(loop_live_ops(loop), 1);
	loop_run(loop);
	CHECK_INT(o.done, 1);
	CHECK_INT(o.why.kind, ERR_NONE);
	CHECK_INT(frees, 1);
	CHECK_INT(loop_live_ops(loop), 0);
}

TEST(op_passes_on_why_it_failed)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct err why;

	err_set(&why, ERR_FULL, "no room");
	op_finish(&probe_start(loop, &o)->op, &why);
	loop_run(loop);
	CHECK_ERR(o.why, ERR_FULL, "no room");
}

TEST(op_cancelled_twice_is_asked_once)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct probe *p = probe_start(loop, &o);

	op_cancel(NULL);
	op_cancel(&p->op);
	op_cancel(&p->op);
	CHECK_INT(p->cancels, 1);
	CHECK_INT(o.done, 0);
	op_finish(&p->op, NULL);
	op_cancel(&p->op);
	loop_run(loop);
	CHECK_INT(o.done, 1);
	CHECK_ERR(o.why, ERR_CANCELLED, "cancelled");
}

TEST(op_that_finishes_inside_cancel_is_still_done_from_the_fifo)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct probe *p = probe_start(loop, &o);

	p->finish_on_cancel = true;
	op_cancel(&p->op);
	CHECK_INT(o.done, 0);
	loop_run(loop);
	CHECK_INT(o.done, 1);
	CHECK_INT(o.why.kind, ERR_CANCELLED);
}

TEST(op_cancelled_after_it_finished_keeps_its_result)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome good = { .done = 0 }, bad = { .done = 0 };
	struct probe *p = probe_start(loop, &good);
	struct probe *q = probe_start(loop, &bad);
	struct err why;

	err_set(&why, ERR_RESET, "gone");
	op_finish(&p->op, NULL);
	op_finish(&q->op, &why);
	op_cancel(&p->op);
	op_cancel(&q->op);
	CHECK_INT(p->cancels + q->cancels, 0);
	RUN_UNTIL(loop, good.done && bad.done);
	CHECK_INT(good.why.kind, ERR_NONE);
	CHECK_INT(bad.why.kind, ERR_RESET);
}

TEST(op_cancelled_and_failing_reports_cancelled)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct probe *p = probe_start(loop, &o);
	struct err why;

	err_set(&why, ERR_IO, "broke while winding down");
	op_cancel(&p->op);
	op_finish(&p->op, &why);
	loop_run(loop);
	CHECK_INT(o.why.kind, ERR_CANCELLED);
}

/* --- the FIFO ------------------------------------------------------------------- */

struct letter {
	struct task task;
	struct loop *loop;
	struct str *log;
	char c;
	int again; /* times to post itself once more */
	bool stop;
	struct letter *also;
};

static void letter_run(struct task *task)
{
	struct letter *l = container_of(task, struct letter, task);

	str_addc(l->log, l->c);
	if (l->again-- > 0)
		loop_post(l->loop, &l->task);
	if (l->also)
		loop_post(l->loop, &l->also->task);
	if (l->stop)
		loop_stop(l->loop);
}

static struct letter letter(struct loop *loop, struct str *log, char c)
{
	return (struct letter){ .task = { .run = letter_run }, .loop = loop, .log = log, .c = c };
}

TEST(loop_runs_tasks_in_the_order_they_were_posted)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct letter a = letter(loop, &log, 'a'), b = letter(loop, &log, 'b');
	struct letter c = letter(loop, &log, 'c'), d = letter(loop, &log, 'd');

	a.also = &d;
	a.again = 1;
	loop_post(loop, &a.task);
	loop_post(loop, &b.task);
	loop_post(loop, &a.task); /* is there already */
	loop_post(loop, &c.task);
	loop_run(loop);
	CHECK_SV(sv_of(&log), "abcad");
}

TEST(loop_stopped_by_a_step_keeps_the_rest_for_the_next_run)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	struct letter a = letter(loop, &log, 'a'), b = letter(loop, &log, 'b');

	a.stop = true;
	loop_post(loop, &a.task);
	loop_post(loop, &b.task);
	loop_run(loop);
	CHECK_SV(sv_of(&log), "a");
	loop_run(loop);
	CHECK_SV(sv_of(&log), "ab");
}

TEST(loop_with_nothing_to_wait_for_returns)
{
	defer(loop_freep) struct loop *loop = loop_new();

	loop_run(loop);
	loop_run(loop);
	CHECK_INT(loop_live_ops(loop), 0);
}

/* A step that always posts itself again until the timer has fired. */
struct spinner {
	struct task task;
	struct outcome *until;
	struct loop *loop;
};

static void spin(struct task *task)
{
	struct spinner *s = container_of(task, struct spinner, task);

	if (!s->until->done)
		loop_post(s->loop, task);
}

TEST(loop_serves_timers_while_the_fifo_is_never_empty)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct spinner s = { .task = { .run = spin }, .until = &o, .loop = loop };

	timer_start(loop, 1, THEN(outcome_done, &o));
	loop_post(loop, &s.task);
	RUN_UNTIL(loop, o.done);
	CHECK_INT(o.done, 1);
	loop_run(loop);
}

struct clock_reader {
	struct task task;
	struct loop *loop;
	int64_t before, after, wall_before, wall_after;
};

static void read_clock_twice(struct task *task)
{
	struct clock_reader *r = container_of(task, struct clock_reader, task);
	struct timespec start, now;

	r->before = loop_now(r->loop);
	r->wall_before = loop_wall(r->loop);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec == start.tv_sec && now.tv_nsec - start.tv_nsec < 3000000);
	r->after = loop_now(r->loop);
	r->wall_after = loop_wall(r->loop);
}

TEST(loop_time_stands_still_within_a_step_and_moves_between_steps)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct clock_reader r = { .task = { .run = read_clock_twice }, .loop = loop };
	int64_t first;

	loop_post(loop, &r.task);
	loop_run(loop);
	CHECK_INT(r.before, r.after);
	CHECK_INT(r.wall_before, r.wall_after);
	first = r.after;
	loop_post(loop, &r.task);
	loop_run(loop);
	CHECK(r.before > first);
	CHECK(r.wall_before > 1500000000000);
}
