#include "sys/signal.h"

#include "sys/run.h"

struct received {
	struct outcome outcome; /* first: what `done` is given */
	int calls, signo;
	struct loop *loop;
};

static void on_signal(void *owner, int signo)
{
	struct received *h = owner;

	h->calls++;
	h->signo = signo;
	loop_stop(h->loop);
}

TEST(signals_that_arrive_together_are_told_once)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct received a = { .loop = loop }, b = { .loop = loop };
	struct op *first = signal_start(loop, SIGUSR1, on_signal, THEN(outcome_done, &a));
	struct op *second = signal_start(loop, SIGUSR1, on_signal, THEN(outcome_done, &b));

	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	RUN_UNTIL(loop, a.calls && b.calls);
	CHECK_INT(a.calls, 1);
	CHECK_INT(b.calls, 1);
	CHECK_INT(a.signo, SIGUSR1);
	raise(SIGUSR1);
	RUN_UNTIL(loop, a.calls == 2 && b.calls == 2);
	op_cancel(first);
	op_cancel(second);
	RUN_UNTIL(loop, a.outcome.done && b.outcome.done);
	CHECK_INT(a.outcome.why.kind, ERR_CANCELLED);
}

TEST(signal_is_not_told_after_cancel)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct received gone = { .loop = loop }, stays = { .loop = loop };
	struct op *first = signal_start(loop, SIGUSR2, on_signal, THEN(outcome_done, &gone));
	struct op *second = signal_start(loop, SIGUSR2, on_signal, THEN(outcome_done, &stays));

	op_cancel(first);
	raise(SIGUSR2);
	RUN_UNTIL(loop, stays.calls);
	op_cancel(second);
	RUN_UNTIL(loop, gone.outcome.done && stays.outcome.done);
	CHECK_INT(gone.calls, 0);
}

TEST(signal_that_does_not_exist_is_a_failure)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct received h = { .loop = loop };

	signal_start(loop, 9999, on_signal, THEN(outcome_done, &h));
	CHECK_INT(h.outcome.done, 0);
	RUN_UNTIL(loop, h.outcome.done);
	CHECK_ERR(h.outcome.why, ERR_INVALID, "signal");
	CHECK_INT(h.calls, 0);
}
