/* Time, order and signals: what every other directive is combined with. */
#include "flow.h"
#include "sys/seq.h"
#include "sys/signal.h"
#include "sys/timer.h"

/* timer 500ms */
static struct op *start_timer(struct flow *f, const struct line *line, struct then then,
			      struct err *err)
{
	int64_t ms;

	return parse_ms(&ms, line->args, err) ? timer_start(f->loop, ms, then) : NULL;
}

/* after 500ms cancel get */
static bool do_after(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args;
	struct line inner;
	int64_t ms;

	if (!parse_ms(&ms, take_word(&rest), err) || !line_parse(&inner, rest, line, err))
		return false;
	flow_after(f, ms, &inner);
	return true;
}

/* wait [500ms] */
static bool do_wait(struct flow *f, const struct line *line, struct err *err)
{
	int64_t ms = -1;

	if (line->args.len && !parse_ms(&ms, line->args, err))
		return false;
	flow_wait(f, ms);
	return true;
}

/* cancel LABEL. One that is done already is fine, as for op_cancel(). */
static bool do_cancel(struct flow *f, const struct line *line,
		      __attribute__((unused)) struct err *err)
{
	op_cancel(flow_find(f, line->args));
	return true;
}

static bool set_paused(struct flow *f, const struct line *line, bool paused, struct err *err)
{
	struct op *op = flow_find(f, line->args);
	struct flow_leaf *leaf = op ? flow_leaf_of(op) : NULL;

	if (!op)
		return true;
	if (!leaf || !leaf->pause)
		return err_set(err, ERR_INVALID, "cannot be paused");
	if (leaf->inner)
		leaf->pause(leaf->inner, paused);
	return true;
}

static bool do_pause(struct flow *f, const struct line *line, struct err *err)
{
	return set_paused(f, line, true, err);
}

static bool do_resume(struct flow *f, const struct line *line, struct err *err)
{
	return set_paused(f, line, false, err);
}

/* --- seq: each line of the block is a step that starts an op -------------- */

struct flow_seq {
	struct flow_leaf leaf;
	const struct line *block;
	struct line *lines; /* the block's, read as directives */
	struct step *steps;
	size_t n, at;
};

static struct op *start_next(void *ctx, struct then then)
{
	struct flow_seq *s = ctx;
	struct line *line = &s->lines[s->at++];

	flow_log(s->leaf.flow, sv_cstr(s->leaf.label), "step %.*s", SV_ARG(line->label));
	return flow_start(s->leaf.flow, line, then, &s->leaf.flow->err);
}

static void seq_clear(struct flow_leaf *leaf)
{
	struct flow_seq *s = container_of(leaf, struct flow_seq, leaf);

	for (size_t i = 0; i < s->n; i++)
		free((char *)s->steps[i].name);
	free(s->steps);
	free(s->lines);
}

static bool read_step(struct flow_seq *s, size_t i, struct err *err)
{
	struct line plain = { .number = s->block[i].number };

	if (!line_parse(&s->lines[i], s->block[i].text, &plain, err))
		return false;
	s->steps[i] = (struct step){ .name = sv_dup(s->lines[i].label), .start = start_next };
	return true;
}

static struct op *start_seq(struct flow *f, const struct line *line, struct then then,
			    struct err *err)
{
	struct flow_seq *s = xnew(struct flow_seq);

	s->block = line->block;
	s->lines = xcalloc(line->nblock + 1, sizeof(*s->lines));
	s->steps = xcalloc(line->nblock + 1, sizeof(*s->steps));
	for (; s->n < line->nblock; s->n++)
		if (!read_step(s, s->n, err)) {
			seq_clear(&s->leaf);
			free(s);
			return NULL;
		}
	flow_leaf_init(&s->leaf, f, line, then);
	s->leaf.clear = seq_clear;
	s->leaf.inner = seq_start(f->loop, s->steps, s->n, s, THEN(flow_leaf_done, s));
	return &s->leaf.op;
}

/* --- signals ------------------------------------------------------------- */

static void on_signal(void *owner, int signo)
{
	struct flow_leaf *leaf = owner;

	flow_log(leaf->flow, sv_cstr(leaf->label), "heard %s", sigabbrev_np(signo));
}

/* listen HUP */
static struct op *start_listen(struct flow *f, const struct line *line, struct then then,
			       struct err *err)
{
	struct flow_leaf *leaf;
	int signo;

	if (!parse_signal(&signo, line->args, err))
		return NULL;
	leaf = xnew(struct flow_leaf);
	flow_leaf_init(leaf, f, line, then);
	leaf->inner = signal_start(f->loop, signo, on_signal, THEN(flow_leaf_done, leaf));
	return &leaf->op;
}

/* raise HUP */
static bool do_raise(struct flow *f, const struct line *line, struct err *err)
{
	int signo;

	if (!parse_signal(&signo, line->args, err))
		return false;
	if (!sim_raise(f->world, signo))
		flow_log(f, line->label, "nobody listens");
	return true;
}

const struct flow_directive flow_time_directives[] = {
	{ "timer", .start = start_timer },   { "seq", .start = start_seq },
	{ "listen", .start = start_listen }, { "after", .run = do_after },
	{ "wait", .run = do_wait },          { "cancel", .run = do_cancel },
	{ "pause", .run = do_pause },        { "resume", .run = do_resume },
	{ "raise", .run = do_raise },        { NULL },
};
