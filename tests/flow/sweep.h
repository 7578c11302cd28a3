/* sweep.h - runs a flow again and again, each time hit at another point.
 *
 * Whatever is swept gives itself as a set of callbacks. Each round makes a fresh
 * run in a fresh world, and after every round these must hold: it came to an end
 * within the budget of steps, no op is left alive, and `check` agrees. */
#ifndef AWL_TESTS_FLOW_SWEEP_H
#define AWL_TESTS_FLOW_SWEEP_H

#include "machine/sim.h"

struct sweep {
	void *(*make)(void *arg); /* a run with nothing started yet */
	struct sim *(*world)(void *run);
	/* Runs at most `max_steps` more steps; true once it has come to its end. */
	bool (*run)(void *run, size_t max_steps);
	/* Asks for an early end of everything under way. */
	void (*cancel)(void *run);
	/* What could be noticed from outside: lines "@<ms> <label> ...", borrowed. */
	struct sv (*log)(void *run);
	/* What must hold at any end; NULL: nothing more. */
	bool (*check)(void *run, struct err *err);
	void (*free)(void *run); /* must cope with a run that failed */
	void *arg;
	int64_t cancel_ms; /* virtual time that cancelling may take: a child's grace */
};

/* A run that takes more steps than this hangs. */
enum { SWEEP_MAX_STEPS = 200000 };

/* All return false with the point and what went wrong there appended to
 * `why`; `*points` is the number of rounds that held. */

/* Cancels after every step k, before and after what happens next has posted; the
 * end comes within `cancel_ms`. */
must_use bool sweep_cancel(const struct sweep *s, size_t *points, struct str *why);
/* Cuts the wire at every byte k, then everywhere: each label's log stays the same. */
must_use bool sweep_split(const struct sweep *s, size_t *points, struct str *why);
/* Fails every operation k: the log shows it. */
must_use bool sweep_fail(const struct sweep *s, size_t *points, struct str *why);
/* Fails every operation k where that may be mended or left out: what must hold holds. */
must_use bool sweep_survive(const struct sweep *s, size_t *points, struct str *why);

#endif
