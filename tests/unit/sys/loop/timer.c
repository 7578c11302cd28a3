#include "sys/timer.h"

#include "sys/run.h"

TEST(timer_due_first_is_done_first_whichever_was_started_first)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome late = { .done = 0 }, soon = { .done = 0 };
	struct op *timer = timer_start(loop, INT32_MAX, THEN(outcome_done, &late));

	timer_start(loop, 1, THEN(outcome_done, &soon));
	RUN_UNTIL(loop, soon.done);
	CHECK_INT(late.done, 0);
	op_cancel(timer);
	RUN_UNTIL(loop, late.done);
	CHECK_INT(soon.done, 1);
}

TEST(timer_of_no_time_or_less_is_done_but_not_from_inside)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome none = { .done = 0 }, less = { .done = 0 };

	timer_start(loop, 0, THEN(outcome_done, &none));
	timer_start(loop, -5, THEN(outcome_done, &less));
	CHECK_INT(none.done + less.done, 0);
	RUN_UNTIL(loop, none.done && less.done);
	CHECK_INT(none.why.kind, ERR_NONE);
}

TEST(timer_restarted_counts_from_then)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome moved = { .done = 0 }, other = { .done = 0 };
	struct op *timer = timer_start(loop, 1, THEN(outcome_done, &moved));

	timer_restart(timer, INT32_MAX);
	timer_start(loop, 5, THEN(outcome_done, &other));
	RUN_UNTIL(loop, other.done);
	CHECK_INT(moved.done, 0);
	op_cancel(timer);
	RUN_UNTIL(loop, moved.done);
}

TEST(timer_restarted_to_an_earlier_time_fires_earlier)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct op *timer = timer_start(loop, INT32_MAX, THEN(outcome_done, &o));

	timer_restart(timer, 0);
	RUN_UNTIL(loop, o.done);
	CHECK_INT(o.why.kind, ERR_NONE);
}

TEST(timer_cancelled_is_done_at_once_and_cannot_be_restarted)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct op *timer = timer_start(loop, INT32_MAX, THEN(outcome_done, &o));

	op_cancel(timer);
	timer_restart(timer, INT32_MAX);
	CHECK_INT(o.done, 0);
	RUN_UNTIL(loop, o.done);
	CHECK_INT(o.why.kind, ERR_CANCELLED);
}

struct ring {
	struct str *log;
	char c;
};

static void on_ring(struct op *op, void *owner, __attribute__((unused)) const struct err *why)
{
	struct ring *r = owner;

	str_addc(r->log, r->c);
	loop_stop(op->loop);
}

TEST(timers_are_done_in_order_of_time_and_then_of_start)
{
	defer(loop_freep) struct loop *loop = loop_new();
	defer(str_clear) struct str log = STR_INIT;
	static const int ms[] = { 30, 10, 20, 10, 0, -5 };
	struct ring rings[countof(ms)];

	for (size_t i = 0; i < countof(ms); i++) {
		rings[i] = (struct ring){ .log = &log, .c = (char)('a' + i) };
		timer_start(loop, ms[i], THEN(on_ring, &rings[i]));
	}
	RUN_UNTIL(loop, log.len == countof(ms));
	CHECK_SV(sv_of(&log), "efbdca");
}
