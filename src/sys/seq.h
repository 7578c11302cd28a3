/* seq.h - a linear flow as a const table of steps, itself an op.
 *
 *   static const struct step connect[] = {
 *           { "spawn server", spawn_server },
 *           { "initialize", send_initialize },
 *   };
 *   m->op = seq_start(loop, connect, countof(connect), m, THEN(on_connected, m));
 *
 * Each step returns the op it waits for, or NULL to continue at once. The first failure ends the
 * flow; its message begins with the name of the step. */
#ifndef AWL_SYS_SEQ_H
#define AWL_SYS_SEQ_H

#include "sys/op.h"

struct step {
	const char *name;
	/* Starts an op with exactly this `then`. */
	struct op *(*start)(void *ctx, struct then then);
};

/* Borrows `steps` and `ctx` until done. Cancelling cancels the current step. */
struct op *seq_start(struct loop *loop, const struct step *steps, size_t n, void *ctx,
		     struct then then);

#endif
