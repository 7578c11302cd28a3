#include "core/asker.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/uuid.h"

struct question {
	struct op op; /* must stay first */
	struct asker *asker;
	struct arena arena;
	struct event_ask ask;
	struct uuid id;
	bool is_shown;
	struct answer_given answer;
	struct question *next;
};

void asker_init(struct asker *asker, struct loop *loop)
{
	asker->loop = loop;
	asker->first = NULL;
	asker->last = &asker->first;
}

static void show_first(struct asker *asker)
{
	struct question *q = asker->first;

	if (!q || q->is_shown)
		return;
	q->is_shown = true;
	asker->show(asker->arg, &q->ask);
}

static void unlink_question(struct asker *asker, struct question *q)
{
	struct question **at = &asker->first;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	if (asker->last == &q->next)
		asker->last = at;
}

static void question_cancel(struct op *op)
{
	struct question *q = container_of(op, struct question, op);

	unlink_question(q->asker, q);
	if (q->is_shown)
		q->asker->withdraw(q->asker->arg, sv_cstr(q->id.text));
	show_first(q->asker);
	op_finish(op, NULL);
}

static void question_free(struct op *op)
{
	struct question *q = container_of(op, struct question, op);

	arena_clear(&q->arena);
	free(q);
}

static const struct op_type question_type = {
	.name = "question",
	.cancel = question_cancel,
	.free = question_free,
};

struct op *asker_start(struct asker *asker, const struct event_ask *ask, struct then then)
{
	struct question *q = xnew(struct question);

	op_init(&q->op, &question_type, asker->loop, then);
	q->asker = asker;
	q->id = uuid_v4(loop_rng(asker->loop));
	q->ask = (struct event_ask){
		.request_id = sv_cstr(q->id.text),
		.tool = arena_dup(&q->arena, ask->tool),
		.id = arena_dup(&q->arena, ask->id),
		.input = arena_dup(&q->arena, ask->input),
		.reason_type = arena_dup(&q->arena, ask->reason_type),
		.reason = arena_dup(&q->arena, ask->reason),
		.path = arena_dup(&q->arena, ask->path),
		.needs_user = ask->needs_user,
	};
	*asker->last = q;
	asker->last = &q->next;
	show_first(asker);
	return &q->op;
}

struct answer_given asker_answer_of(const struct op *op)
{
	return container_of(op, struct question, op)->answer;
}

bool asker_answer(struct asker *asker, struct sv request_id, const struct answer_given *answer)
{
	struct question *q = asker->first;

	if (!q || !q->is_shown || !sv_is(request_id, q->id.text))
		return false;
	q->answer = (struct answer_given){
		.allow = answer->allow,
		.interrupt = answer->interrupt,
		.message = arena_dup(&q->arena, answer->message),
		.new_input = arena_dup(&q->arena, answer->new_input),
	};
	unlink_question(asker, q);
	show_first(asker);
	op_finish(&q->op, NULL);
	return true;
}
