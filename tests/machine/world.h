/* world.h - for the parts of the simulated machine: events in virtual time, faults, the
 * wire, and a place in the world for the state of each part. */
#ifndef AWL_TESTS_MACHINE_WORLD_H
#define AWL_TESTS_MACHINE_WORLD_H

#include "machine/sim.h"
#include "sys/loop/loop_core.h"

/* A future event; embedded in the object it happens to. */
struct sim_event {
	void (*fire)(struct sim_event *event);
	int64_t at;
	uint64_t turn; /* of the queue when the event was armed */
	struct sim_event *prev, *next;
	bool armed;
	bool is_timer; /* libuv looks at its timers after everything else of that moment */
};

/* Fires `ms` from now, after all events armed earlier for that moment, and a timer after all
 * other events; moves an event that is already armed. From `fire`, only translate and post. */
void sim_arm(struct loop *loop, struct sim_event *event, int64_t ms);
/* Does nothing when the event is not armed. */
void sim_disarm(struct loop *loop, struct sim_event *event);

struct sim *sim_world(struct loop *loop);

/* State that a part of the machine keeps in the world: created at first use, freed with
 * the world. Embed `struct sim_part` first. */
struct sim_part;
struct sim_part_type {
	size_t size;
	/* Either may be NULL. */
	void (*init)(struct sim_part *part, struct sim *w); /* memory is zeroed */
	void (*clear)(struct sim_part *part);
};
struct sim_part {
	const struct sim_part_type *type;
	struct sim_part *next;
};
struct sim_part *sim_part(struct sim *w, const struct sim_part_type *type);

/* Counts one fallible operation. Returns true when it is the one to fail: then `err` has
 * the requested kind, or `fitting`, and the text "<what>: made to fail". */
must_use bool sim_fault(struct sim *w, enum err_kind fitting, const char *what, struct err *err);

/* The number of the next `len` (not 0) bytes that arrive together; they then count as
 * arrived. */
size_t sim_wire_piece(struct sim *w, size_t len);

int64_t sim_wall(const struct sim *w);
struct rng *sim_rng(struct sim *w);
int64_t sim_work_delay(const struct sim *w);

/* loop.c's interface to world.c. */
struct loop *sim_loop_new(struct sim *w);
int64_t *sim_clock(struct sim *w);
/* sim_run() for any loop, up to the time `until`. */
bool sim_run_loop(struct loop *loop, size_t max_steps, int64_t until);

#endif
