#include "sys/loop/loop_core.h"

#include "base/log.h"

void loop_core_init(struct loop *loop)
{
	*loop = (struct loop){ .first = NULL };
	loop->last = &loop->first;
}

void loop_core_touch(struct loop *loop)
{
	if (loop->touched)
		loop->touched(loop);
}

void loop_post(struct loop *loop, struct task *task)
{
	if (task->posted)
		return;
	loop_core_touch(loop);
	task->posted = true;
	if (!task->session)
		task->session = log_session;
	task->next = NULL;
	*loop->last = task;
	loop->last = &task->next;
}

bool loop_core_step(struct loop *loop)
{
	struct task *task = loop->first;

	if (!task)
		return false;
	loop->first = task->next;
	if (!loop->first)
		loop->last = &loop->first;
	task->posted = false;
	log_session = task->session;
	task->run(task); /* may free it, or post it again */
	log_session = 0;
	return true;
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}

int64_t loop_now(const struct loop *loop)
{
	return loop->now;
}

int64_t loop_wall(const struct loop *loop)
{
	return loop->wall;
}

struct rng *loop_rng(struct loop *loop)
{
	return &loop->rng;
}

size_t loop_live_ops(const struct loop *loop)
{
	return loop->live;
}

void loop_freep(struct loop **loop)
{
	loop_free(*loop);
	*loop = NULL;
}
