#include "machine/world.h"

#include "base/mem.h"

struct sim {
	struct sim *outer;       /* the world that was current before this one */
	struct loop *loop;       /* the world's own loop; others may be created in it */
	struct sim_part *parts;  /* state of children, files, servers ... */
	struct rng rng;          /* for what the machine chooses: pids, names */
	int64_t now, wall_ahead; /* wall = now + wall_ahead */

	size_t counted, fail_at;
	enum err_kind fail_kind;

	enum sim_cut cut;
	size_t cut_at, arrived;

	int64_t work_delay;
};

/* Not 0, so that code which mistakes 0 for "not yet" fails. */
enum { CLOCK_START = 100000, RNG_SEED = 20260102 };

/* The exception to "no globals": fs.h and loop_new() take no handle for the machine,
 * since the real one is the process. It is per thread, so that tests can run side by
 * side, and only sim_new() and sim_free() set it. */
static _Thread_local struct sim *current;

struct sim *sim_new(void)
{
	struct sim *w = xnew(struct sim);

	w->outer = current;
	w->now = CLOCK_START;
	w->wall_ahead = SIM_WALL_START - CLOCK_START;
	rng_seed(&w->rng, RNG_SEED);
	w->loop = sim_loop_new(w);
	current = w;
	return w;
}

void sim_free(struct sim *w)
{
	struct sim_part *next;

	if (!w)
		return;
	BUG_ON(current != w);
	loop_free(w->loop);
	for (struct sim_part *part = w->parts; part; part = next) {
		next = part->next;
		if (part->type->clear)
			part->type->clear(part);
		free(part);
	}
	current = w->outer;
	free(w);
}

void sim_freep(struct sim **w)
{
	sim_free(*w);
	*w = NULL;
}

struct sim *sim_current(void)
{
	if (!current)
		BUG("no simulated world: call sim_new() first");
	return current;
}

struct loop *sim_loop(struct sim *w)
{
	return w->loop;
}

struct sim_part *sim_part(struct sim *w, const struct sim_part_type *type)
{
	struct sim_part *part = w->parts;

	while (part && part->type != type)
		part = part->next;
	if (part)
		return part;
	part = xcalloc(1, type->size);
	part->type = type;
	part->next = w->parts;
	w->parts = part;
	if (type->init)
		type->init(part, w);
	return part;
}

int64_t *sim_clock(struct sim *w)
{
	return &w->now;
}

int64_t sim_elapsed(const struct sim *w)
{
	return w->now - CLOCK_START;
}

int64_t sim_wall(const struct sim *w)
{
	return w->now + w->wall_ahead;
}

void sim_set_wall(struct sim *w, int64_t wall_ms)
{
	w->wall_ahead = wall_ms - w->now;
}

size_t sim_live_ops(const struct sim *w)
{
	return loop_live_ops(w->loop);
}

struct rng *sim_rng(struct sim *w)
{
	return &w->rng;
}

bool sim_fault(struct sim *w, enum err_kind fitting, const char *what, struct err *err)
{
	if (++w->counted != w->fail_at)
		return false;
	err_set(err, w->fail_kind == ERR_NONE ? fitting : w->fail_kind, "%s: " SIM_FAULT_TEXT,
		what);
	return true;
}

size_t sim_ops_counted(const struct sim *w)
{
	return w->counted;
}

void sim_fail_at(struct sim *w, size_t k, enum err_kind kind)
{
	w->fail_at = k;
	w->fail_kind = kind;
}

void sim_cut_wire(struct sim *w, enum sim_cut cut, size_t at)
{
	w->cut = cut;
	w->cut_at = at;
}

size_t sim_wire_bytes(const struct sim *w)
{
	return w->arrived;
}

size_t sim_wire_piece(struct sim *w, size_t len)
{
	BUG_ON(len == 0);
	switch (w->cut) {
	case SIM_CUT_NEVER: break;
	case SIM_CUT_ALWAYS: len = 1; break;
	case SIM_CUT_AT:
		if (w->arrived < w->cut_at)
			len = min_of(len, w->cut_at - w->arrived);
		break;
	}
	w->arrived += len;
	return len;
}

int64_t sim_work_delay(const struct sim *w)
{
	return w->work_delay;
}

void sim_delay_work(struct sim *w, int64_t ms)
{
	w->work_delay = ms;
}
