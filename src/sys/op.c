#include "sys/op.h"

#include "base/mem.h"
#include "sys/loop/loop_core.h"

static void op_run_done(struct task *task)
{
	struct op *op = container_of(task, struct op, task);
	const struct op_type *type = op->type;

	op->loop->live--;
	op->then.done(op, op->then.owner, op->err.kind == ERR_NONE ? NULL : &op->err);
	type->free(op);
}

void op_init(struct op *op, const struct op_type *type, struct loop *loop, struct then then)
{
	loop_core_touch(loop);
	op->type = type;
	op->loop = loop;
	op->then = then;
	op->task = (struct task){ .run = op_run_done, .session = log_session };
	op->number = ++loop->started;
	op->err.kind = ERR_NONE;
	op->cancelled = op->finished = false;
	loop->live++;
	log_debug("op %u %s: begin", op->number, type->name);
}

void op_finish(struct op *op, const struct err *why)
{
	BUG_ON(op->finished);
	op->finished = true;
	if (op->cancelled)
		err_set(&op->err, ERR_CANCELLED, "cancelled");
	else if (why)
		op->err = *why;
	op_log(op, "op %u %s: end: %s", op->number, op->type->name,
	       op->err.kind == ERR_NONE ? "ok" : op->err.text);
	loop_post(op->loop, &op->task);
}

void op_cancel(struct op *op)
{
	if (!op || op->cancelled || op->finished)
		return;
	loop_core_touch(op->loop);
	op->cancelled = true;
	log_debug("op %u %s: cancel", op->number, op->type->name);
	op->type->cancel(op);
}

static void op_settled_cancel(__attribute__((unused)) struct op *op)
{
	BUG("it had finished");
}

static void op_settled_free(struct op *op)
{
	free(op);
}

static const struct op_type settled_type = {
	.name = "settled",
	.cancel = op_settled_cancel,
	.free = op_settled_free,
};

struct op *op_settled(struct loop *loop, struct then then)
{
	struct op *op = xnew(struct op);

	op_init(op, &settled_type, loop, then);
	op_finish(op, NULL);
	return op;
}
