#include "sys/seq.h"

#include "base/mem.h"

struct seq {
	struct op op;
	const struct step *steps;
	size_t n, at;
	void *ctx;
	struct op *current; /* that step `at` waits for */
};

static op_done_fn seq_on_step;

static void seq_advance(struct seq *s)
{
	while (s->at < s->n && !s->op.cancelled) {
		s->current = s->steps[s->at].start(s->ctx, THEN(seq_on_step, s));
		if (s->current && s->op.cancelled) /* the step cancelled its own op */
			op_cancel(s->current);
		if (s->current)
			return;
		s->at++;
	}
	op_finish(&s->op, NULL);
}

static void seq_on_step(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct seq *s = owner;
	struct err err;

	s->current = NULL;
	if (why) {
		err = *why;
		err_context(&err, "%s", s->steps[s->at].name);
		op_finish(&s->op, &err);
		return;
	}
	s->at++;
	if (s->op.cancelled)
		op_finish(&s->op, NULL);
	else
		seq_advance(s);
}

static void seq_cancel(struct op *op)
{
	op_cancel(container_of(op, struct seq, op)->current);
}

static void seq_free(struct op *op)
{
	free(container_of(op, struct seq, op));
}

static const struct op_type seq_type = { .name = "seq", .cancel = seq_cancel, .free = seq_free };

struct op *seq_start(struct loop *loop, const struct step *steps, size_t n, void *ctx,
		     struct then then)
{
	struct seq *s = xnew(struct seq);

	op_init(&s->op, &seq_type, loop, then);
	s->steps = steps;
	s->n = n;
	s->ctx = ctx;
	seq_advance(s);
	return &s->op;
}
