/* op.h - one operation in flight: a request, a child, a timer, a question.
 *
 * Every op lives like this:
 *   - x_start() returns it. It never fails and never calls back immediately.
 *   - `done` is called exactly once, from the FIFO, with NULL on success or the
 *     reason of the failure. After `done` returns, the op no longer exists.
 *   - op_cancel() asks for an early end. `done` still comes, with ERR_CANCELLED
 *     unless the op had already finished. NULL and repeated calls are fine.
 * So an owner keeps one pointer per op, sets it to NULL in `done`, and may be freed only when all
 * its pointers are NULL. */
#ifndef AWL_SYS_OP_H
#define AWL_SYS_OP_H

#include "base/log.h"
#include "sys/loop.h"

struct op;

/* `why` is NULL on success. The result of the op may be read until this returns. */
typedef void op_done_fn(struct op *op, void *owner, const struct err *why);

/* What to call afterwards. Every x_start() takes one as its last argument. */
struct then {
	op_done_fn *done;
	void *owner; /* borrowed; outlives the op */
};

#define THEN(fn, arg) ((struct then){ .done = (fn), .owner = (arg) })

/* For implementers of an op. Owners use only op_cancel() and what is below it. */
struct op_type {
	const char *name;
	/* Begins to end it; op_finish() follows now or later. Called at most once. */
	void (*cancel)(struct op *op);
	/* Frees the memory of the op, after `done` has returned. */
	void (*free)(struct op *op);
};

struct op {
	const struct op_type *type;
	struct loop *loop;
	struct then then;
	struct task task;
	struct err err;  /* ERR_NONE: success */
	unsigned number; /* names it in the log */
	bool cancelled, finished;
};

/* The first call of an x_start(): counts the op as live. */
void op_init(struct op *op, const struct op_type *type, struct loop *loop, struct then then);

/* Writes a line to the debug log under the session that started the op. For callbacks of libraries,
 * which run outside any step. */
#define op_log(op, ...)                     \
	do {                                \
		log_as((op)->task.session); \
		log_debug(__VA_ARGS__);     \
	} while (0)

/* Called once by the implementer, when nothing of the op is pending: posts `done`. `why` is NULL on
 * success. Success of a cancelled op is reported as cancelled, because its owner no longer expects
 * a result. */
void op_finish(struct op *op, const struct err *why);

void op_cancel(struct op *op);

/* An op that is finished already, for when the result is known. */
struct op *op_settled(struct loop *loop, struct then then);

/* The number of ops of this loop whose `done` has not been called. */
size_t loop_live_ops(const struct loop *loop);

#endif
