/* The loop on virtual time. A turn works as on the real machine: first everything that
 * is due happens (and posts), then the steps waiting at that point run; steps that they
 * post wait for the next turn. When no step waits, time moves straight to the next
 * event. Steps take no time, but a FIFO that never becomes empty does: otherwise a
 * program that is busy until a timer fires would be busy forever. */
#include "sys/loop.h"

#include "base/mem.h"
#include "machine/world.h"

struct sim_loop {
	struct loop base;
	struct sim *world;
	struct sim_event *first, *last; /* ordered by time, then timers last, then by arming */
	struct task *turn_end;          /* the last step of this turn */
	uint64_t turn;
	size_t steps; /* number of steps run so far */
	int busy;     /* turns since the FIFO was last empty or time last moved */
};

enum { RNG_SEED = 7, BUSY_TURNS_A_MS = 1000, STEPS_A_TURN = 1000 };

static struct sim_loop *sim_loop_of(struct loop *loop)
{
	return container_of(loop, struct sim_loop, base);
}

static void tick(struct sim_loop *s)
{
	s->base.now = *sim_clock(s->world);
	s->base.wall = sim_wall(s->world);
}

struct loop *sim_loop_new(struct sim *w)
{
	struct sim_loop *s = xnew(struct sim_loop);

	loop_core_init(&s->base);
	rng_seed(&s->base.rng, RNG_SEED);
	s->world = w;
	tick(s);
	return &s->base;
}

struct loop *loop_new(void)
{
	return sim_loop_new(sim_current());
}

void loop_free(struct loop *loop)
{
	struct sim_loop *s;

	if (!loop)
		return;
	s = sim_loop_of(loop);
	if (loop->live || loop->first)
		BUG("%zu ops still live in loop_free", loop->live);
	if (s->first)
		BUG("something is still to happen in loop_free");
	free(s);
}

struct sim *sim_world(struct loop *loop)
{
	return sim_loop_of(loop)->world;
}

void sim_disarm(struct loop *loop, struct sim_event *event)
{
	struct sim_loop *s = sim_loop_of(loop);

	if (!event->armed)
		return;
	event->armed = false;
	*(event->prev ? &event->prev->next : &s->first) = event->next;
	*(event->next ? &event->next->prev : &s->last) = event->prev;
}

static bool is_later(const struct sim_event *event, const struct sim_event *other)
{
	return event->at > other->at ||
	       (event->at == other->at && event->is_timer && !other->is_timer);
}

void sim_arm(struct loop *loop, struct sim_event *event, int64_t ms)
{
	struct sim_loop *s = sim_loop_of(loop);
	struct sim_event *before;
	int64_t now = *sim_clock(s->world);

	sim_disarm(loop, event);
	before = s->last;
	ms = max_of(ms, (int64_t)0);
	event->at = ms > INT64_MAX - now ? INT64_MAX : now + ms;
	while (before && is_later(before, event))
		before = before->prev;
	event->prev = before;
	event->next = before ? before->next : s->first;
	*(event->prev ? &event->prev->next : &s->first) = event;
	*(event->next ? &event->next->prev : &s->last) = event;
	event->turn = s->turn;
	event->armed = true;
}

/* Fire the events that are due now, but not those that they arm in turn: the
 * consequences of each event become visible before the next one of a chain. */
static void fire_due(struct sim_loop *s)
{
	int64_t now = *sim_clock(s->world);
	struct sim_event *event;

	s->turn++;
	tick(s);
	while ((event = s->first) && event->at <= now && event->turn < s->turn) {
		sim_disarm(&s->base, event);
		event->fire(event);
	}
}

static void pass_busy_time(struct sim_loop *s)
{
	s->busy = s->base.first ? s->busy + 1 : 0;
	if (s->busy < BUSY_TURNS_A_MS)
		return;
	s->busy = 0;
	++*sim_clock(s->world);
}

/* Advance time, if necessary, until there is a step to run or `until` is reached. */
static void begin_turn(struct sim_loop *s, int64_t until)
{
	int64_t *now = sim_clock(s->world);

	pass_busy_time(s);
	fire_due(s);
	while (!s->base.first && s->first && s->first->at <= until) {
		*now = max_of(*now, s->first->at);
		fire_due(s);
	}
	if (s->base.first)
		s->turn_end = container_of(s->base.last, struct task, next);
}

static bool is_dry(const struct sim_loop *s, int64_t until)
{
	return !s->base.first && !(s->first && s->first->at <= until);
}

bool sim_run_loop(struct loop *loop, size_t max_steps, int64_t until)
{
	struct sim_loop *s = sim_loop_of(loop);
	size_t end = max_steps > SIZE_MAX - s->steps ? SIZE_MAX : s->steps + max_steps;

	loop->stopped = false;
	while (!loop->stopped && !is_dry(s, until)) {
		if (s->steps == end)
			return false;
		if (!s->turn_end)
			begin_turn(s, until);
		if (loop->first == s->turn_end)
			s->turn_end = NULL;
		tick(s);
		s->steps += loop_core_step(loop);
	}
	return true;
}

void loop_run(struct loop *loop)
{
	if (!sim_run_loop(loop, SIZE_MAX, INT64_MAX))
		BUG("endless steps");
}

int loop_fd(__attribute__((unused)) struct loop *loop)
{
	return -1;
}

void loop_turn(struct loop *loop)
{
	sim_run_loop(loop, STEPS_A_TURN, *sim_clock(sim_loop_of(loop)->world));
}

bool sim_run(struct sim *w, size_t max_steps)
{
	return sim_run_loop(sim_loop(w), max_steps, INT64_MAX);
}

size_t sim_steps(const struct sim *w)
{
	return sim_loop_of(sim_loop((struct sim *)w))->steps;
}

void sim_happen(struct sim *w)
{
	struct sim_loop *s = sim_loop_of(sim_loop(w));

	if (!s->turn_end)
		begin_turn(s, INT64_MAX);
}

void sim_advance(struct sim *w, int64_t ms)
{
	struct sim_loop *s = sim_loop_of(sim_loop(w));
	int64_t *now = sim_clock(w), then = *now + ms;

	if (!sim_run_loop(&s->base, SIZE_MAX, then))
		BUG("endless steps");
	*now = max_of(*now, then);
	tick(s);
}
