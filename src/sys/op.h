/* op.h - one thing under way: a request, a child, a timer, a question.
 *
 * The life of every op, whatever it is:
 *   - x_start() returns it; it never fails and never calls back from inside.
 *   - `done` is called exactly once, from the FIFO, with NULL on success or the
 *     reason of failure. After `done` returns the op is gone: drop the pointer.
 *   - op_cancel() asks for an early end; `done` still comes, with ERR_CANCELLED
 *     unless the op had already finished. NULL and repeats are fine.
 * So an owner keeps one pointer per op, sets it NULL in `done`, and may itself
 * go away only when all its pointers are NULL. */
#ifndef AWL_SYS_OP_H
#define AWL_SYS_OP_H

#include "base/log.h"
#include "sys/loop.h"

struct op;

/* `why` is NULL on success. The concrete op's result may be read until return. */
typedef void op_done_fn(struct op *op, void *owner, const struct err *why);

/* What to do afterwards. Every x_start() takes one as its last argument. */
struct then {
	op_done_fn *done;
	void *owner; /* borrowed; outlives the op */
};

#define THEN(fn, arg) ((struct then){ .done = (fn), .owner = (arg) })

/* For those who implement an op; owners use only what is below op_cancel(). */
struct op_type {
	const char *name;
	/* Starts winding down; op_finish() follows now or later. Called at most once. */
	void (*cancel)(struct op *op);
	/* Frees the op's memory, after `done` has returned. */
	void (*free)(struct op *op);
};

struct op {
	const struct op_type *type;
	struct loop *loop;
	struct then then;
	struct task task;
	struct err err;  /* ERR_NONE: finished well */
	unsigned number; /* names it in the log */
	bool cancelled, finished;
};

/* First thing in an x_start(): counts the op as live. */
void op_init(struct op *op, const struct op_type *type, struct loop *loop, struct then then);

/* A line in the debug log under the session that the op was started for: for callbacks from
 * below, which run outside of any step. */
#define op_log(op, ...)                               \
	do {                                          \
		uint32_t outer_session = log_session; \
		log_session = (op)->task.session;     \
		log_debug(__VA_ARGS__);               \
		log_session = outer_session;          \
	} while (0)

/* By the implementer, once, when nothing of the op is in flight below: posts
 * `done`. `why` NULL means success. A cancelled op that reports success is
 * reported as cancelled: its owner has moved on. */
void op_finish(struct op *op, const struct err *why);

void op_cancel(struct op *op);

/* An op that has nothing left to do: for whoever has the answer already. */
struct op *op_settled(struct loop *loop, struct then then);

/* How many ops of this loop have not had their `done` yet. */
size_t loop_live_ops(const struct loop *loop);

#endif
