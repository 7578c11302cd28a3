#include "sweep.h"

#include "base/map.h"

/* How one round differs from an undisturbed run. */
struct round {
	const char *what; /* for messages, with %zu for `k` */
	size_t k;
	bool happened; /* cancel only when the next events have posted */
	enum sim_cut cut;
	size_t fail_at;
};

static void *begin(const struct sweep *s, const struct round *r)
{
	void *run = s->make(s->arg);

	sim_cut_wire(s->world(run), r->cut, r->k);
	sim_fail_at(s->world(run), r->fail_at, ERR_NONE);
	return run;
}

static bool complain(struct str *why, const struct sweep *s, void *run, const struct round *r,
		     const char *problem)
{
	str_addf(why, "%s %zu: %s; the log was\n", r->what, r->k, problem);
	str_add(why, s->log(run));
	return false;
}

/* Runs to the end and holds it to the invariants. */
static bool finish(const struct sweep *s, void *run, const struct round *r, struct str *why)
{
	struct err err = ERR_INIT;

	if (!s->run(run, SWEEP_MAX_STEPS))
		return complain(why, s, run, r, "does not come to an end");
	if (sim_live_ops(s->world(run)))
		return complain(why, s, run, r, "an op is left alive");
	if (s->check && !s->check(run, &err))
		return complain(why, s, run, r, err.text);
	return true;
}

/* One undisturbed run: its log, and how much there is to sweep. */
struct baseline {
	struct str log;
	size_t wire, ops;
};

static bool measure(const struct sweep *s, struct baseline *out, struct str *why)
{
	struct round plain = { .what = "undisturbed" };
	void *run = begin(s, &plain);
	bool ok = finish(s, run, &plain, why);

	str_add(&out->log, s->log(run));
	out->wire = sim_wire_bytes(s->world(run));
	out->ops = sim_ops_counted(s->world(run));
	s->free(run);
	return ok;
}

/* Sets `*ended` when step k is past the natural end. */
static bool cancel_round(const struct sweep *s, const struct round *r, bool *ended, struct str *why)
{
	void *run = begin(s, r);
	bool ok = true;
	int64_t since;

	*ended = s->run(run, r->k);
	if (!*ended) {
		if (r->happened)
			sim_happen(s->world(run));
		since = sim_elapsed(s->world(run));
		s->cancel(run);
		ok = finish(s, run, r, why);
		if (ok && sim_elapsed(s->world(run)) > since + s->cancel_ms)
			ok = complain(why, s, run, r, "cancelling took too long");
	}
	s->free(run);
	return ok;
}

bool sweep_cancel(const struct sweep *s, size_t *points, struct str *why)
{
	struct round r = { .what = "cancelled after step" };
	bool ended = false;

	*points = 0;
	while (!ended) {
		if (!cancel_round(s, &r, &ended, why))
			return false;
		*points += !ended;
		r.k += r.happened;
		r.happened = !r.happened;
		if (r.k > SWEEP_MAX_STEPS) {
			str_adds(why, "undisturbed, it does not come to an end\n");
			return false;
		}
	}
	return true;
}

static struct sv label_of(struct sv line)
{
	struct sv when, label = SV_EMPTY;

	if (sv_cut(&line, ' ', &when))
		sv_cut(&line, ' ', &label);
	return label;
}

/* Appends the lines of `log`, those of one label together, the labels in the
 * order of `like`. */
static void group_by_label(struct str *out, struct sv log, struct sv like)
{
	struct sv line, rest, label;
	struct map seen = MAP_INIT;

	while (sv_cut_line(&like, &line)) {
		label = label_of(line);
		if (map_put(&seen, label, &seen))
			continue;
		for (rest = log; sv_cut_line(&rest, &line);)
			if (sv_eq(label_of(line), label))
				str_addf(out, "%.*s\n", SV_ARG(line));
	}
	map_clear(&seen);
}

/* What happens to two ops at the same moment has no order that anybody promised. */
static bool same_log(struct sv log, struct sv expected)
{
	defer(str_clear) struct str a = STR_INIT, b = STR_INIT;

	group_by_label(&a, log, expected);
	group_by_label(&b, expected, expected);
	return log.len == expected.len && sv_eq(sv_of(&a), sv_of(&b));
}

static bool split_round(const struct sweep *s, const struct round *r, struct sv expected,
			struct str *why)
{
	void *run = begin(s, r);
	bool ok = finish(s, run, r, why);

	if (ok && !same_log(s->log(run), expected))
		ok = complain(why, s, run, r, "the log is another");
	s->free(run);
	return ok;
}

bool sweep_split(const struct sweep *s, size_t *points, struct str *why)
{
	defer(str_clear) struct str expected = STR_INIT;
	struct baseline base = { .log = STR_INIT };
	struct round r = { .what = "wire cut at byte", .cut = SIM_CUT_AT };
	bool ok = measure(s, &base, why);

	expected = base.log;
	*points = 0;
	for (r.k = 1; ok && r.k < base.wire; r.k++) {
		ok = split_round(s, &r, sv_of(&expected), why);
		*points += ok;
	}
	r = (struct round){ .what = "wire cut at every byte", .cut = SIM_CUT_ALWAYS };
	return ok && split_round(s, &r, sv_of(&expected), why);
}

static bool fail_round(const struct sweep *s, const struct round *r, bool is_reported,
		       struct str *why)
{
	void *run = begin(s, r);
	bool ok = finish(s, run, r, why);

	if (ok && is_reported && sv_find(s->log(run), SV(SIM_FAULT_TEXT)) == SIZE_MAX)
		ok = complain(why, s, run, r, "the failure is not reported");
	s->free(run);
	return ok;
}

static bool fail_each(const struct sweep *s, bool is_reported, size_t *points, struct str *why)
{
	struct baseline base = { .log = STR_INIT };
	struct round r = { .what = "failed operation" };
	bool ok = measure(s, &base, why);

	str_clear(&base.log);
	*points = 0;
	for (r.k = r.fail_at = 1; ok && r.k <= base.ops; r.fail_at = ++r.k) {
		ok = fail_round(s, &r, is_reported, why);
		*points += ok;
	}
	return ok;
}

bool sweep_fail(const struct sweep *s, size_t *points, struct str *why)
{
	return fail_each(s, true, points, why);
}

bool sweep_survive(const struct sweep *s, size_t *points, struct str *why)
{
	return fail_each(s, false, points, why);
}
