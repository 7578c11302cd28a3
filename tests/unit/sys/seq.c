#include "sys/seq.h"

#include "base/mem.h"
#include "run.h"

/* Counts what ran; a letter a step. */
struct flow {
	struct loop *loop;
	struct str log;
	struct op *self;
	struct outcome outcome;
};

static struct op *step_now(void *ctx, __attribute__((unused)) struct then then)
{
	str_addc(&((struct flow *)ctx)->log, 'n');
	return NULL;
}

static struct op *step_wait(void *ctx, struct then then)
{
	struct flow *f = ctx;

	str_addc(&f->log, 'w');
	return timer_start(f->loop, 0, then);
}

static struct op *step_for_ever(void *ctx, struct then then)
{
	struct flow *f = ctx;

	str_addc(&f->log, 'e');
	return timer_start(f->loop, INT32_MAX, then);
}

static const struct step fail_steps[] = { { "inner", step_wait } };

static void fail_op_free(struct op *op)
{
	free(op);
}

static void fail_op_cancel(__attribute__((unused)) struct op *op)
{
}

static const struct op_type fail_type = { .name = "fail",
					  .cancel = fail_op_cancel,
					  .free = fail_op_free };

static struct op *step_fail(void *ctx, struct then then)
{
	struct flow *f = ctx;
	struct op *op = xnew(struct op);
	struct err why;

	str_addc(&f->log, 'f');
	op_init(op, &fail_type, f->loop, then);
	err_set(&why, ERR_REFUSED, "nobody listens");
	op_finish(op, &why);
	return op;
}

static struct op *step_nested(void *ctx, struct then then)
{
	return seq_start(((struct flow *)ctx)->loop, fail_steps, countof(fail_steps), ctx, then);
}

static void flow_run(struct flow *f, const struct step *steps, size_t n)
{
	f->self = seq_start(f->loop, steps, n, f, THEN(outcome_done, &f->outcome));
	CHECK_INT(f->outcome.done, 0);
	RUN_UNTIL(f->loop, f->outcome.done);
}

static void flow_clear(struct flow *f)
{
	str_clear(&f->log);
	loop_free(f->loop);
}

#define FLOW(name) defer(flow_clear) struct flow name = { .loop = loop_new() }

TEST(seq_runs_its_steps_in_order)
{
	static const struct step steps[] = { { "a", step_now },
					     { "b", step_wait },
					     { "c", step_nested },
					     { "d", step_now },
					     { "e", step_wait } };
	FLOW(f);

	flow_run(&f, steps, countof(steps));
	CHECK_INT(f.outcome.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&f.log), "nwwnw");
}

TEST(seq_of_steps_that_wait_for_nothing_is_done_from_the_fifo)
{
	static const struct step steps[] = { { "a", step_now }, { "b", step_now } };
	FLOW(f);

	flow_run(&f, steps, countof(steps));
	CHECK_INT(f.outcome.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&f.log), "nn");
}

TEST(seq_without_steps_succeeds)
{
	FLOW(f);

	flow_run(&f, NULL, 0);
	CHECK_INT(f.outcome.why.kind, ERR_NONE);
}

TEST(seq_names_the_step_that_failed_and_runs_no_other)
{
	static const struct step steps[] = { { "look", step_wait },
					     { "connect", step_fail },
					     { "talk", step_now } };
	FLOW(f);

	flow_run(&f, steps, countof(steps));
	CHECK_ERR(f.outcome.why, ERR_REFUSED, "connect: nobody listens");
	CHECK_SV(sv_of(&f.log), "wf");
}

TEST(seq_cancelled_in_a_step_cancels_that_and_runs_no_other)
{
	static const struct step steps[] = { { "a", step_wait },
					     { "b", step_for_ever },
					     { "c", step_now } };
	FLOW(f);

	f.self = seq_start(f.loop, steps, countof(steps), &f, THEN(outcome_done, &f.outcome));
	while (f.log.len < 2) {
		struct outcome tick = { .done = 0 };

		timer_start(f.loop, 0, THEN(outcome_done, &tick));
		RUN_UNTIL(f.loop, tick.done);
	}
	op_cancel(f.self);
	op_cancel(f.self);
	RUN_UNTIL(f.loop, f.outcome.done);
	CHECK_INT(f.outcome.why.kind, ERR_CANCELLED);
	CHECK_SV(sv_of(&f.log), "we");
	CHECK_INT(loop_live_ops(f.loop), 0);
}

TEST(seq_cancelled_right_after_its_start_runs_only_the_first_step)
{
	static const struct step steps[] = { { "a", step_wait }, { "b", step_now } };
	FLOW(f);

	f.self = seq_start(f.loop, steps, countof(steps), &f, THEN(outcome_done, &f.outcome));
	op_cancel(f.self);
	RUN_UNTIL(f.loop, f.outcome.done);
	CHECK_INT(f.outcome.why.kind, ERR_CANCELLED);
	CHECK_SV(sv_of(&f.log), "w");
}

static struct op *step_cancel(void *ctx, __attribute__((unused)) struct then then)
{
	op_cancel(((struct flow *)ctx)->self);
	return NULL;
}

static struct op *step_cancel_and_wait(void *ctx, struct then then)
{
	op_cancel(((struct flow *)ctx)->self);
	return step_for_ever(ctx, then);
}

TEST(seq_cancelled_by_one_of_its_steps_ends_there)
{
	static const struct step now[] = { { "a", step_wait },
					   { "b", step_cancel },
					   { "c", step_now } };
	static const struct step later[] = { { "a", step_wait },
					     { "b", step_cancel_and_wait },
					     { "c", step_now } };
	FLOW(f);
	FLOW(g);

	flow_run(&f, now, countof(now));
	CHECK_INT(f.outcome.why.kind, ERR_CANCELLED);
	CHECK_SV(sv_of(&f.log), "w");
	flow_run(&g, later, countof(later));
	CHECK_INT(g.outcome.why.kind, ERR_CANCELLED);
	CHECK_SV(sv_of(&g.log), "we");
}
