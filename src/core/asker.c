#include "core/asker.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/uuid.h"
#include "sys/timer.h"

struct question {
	struct op op; /* must stay first */
	struct asker *asker;
	struct arena arena;
	struct event_ask ask;
	struct uuid id;
	bool is_shown;
	bool is_over;     /* no longer in the queue */
	struct op *timer; /* NULL: it waits for ever, or is not shown */
	struct answer_given answer;
	struct question *next;
};

void asker_init(struct asker *asker, struct loop *loop)
{
	asker->loop = loop;
	asker->first = NULL;
	asker->last = &asker->first;
}

static void asker_on_timer(struct op *op, void *owner, const struct err *why);

static void asker_show_first(struct asker *asker)
{
	struct question *q = asker->first;

	if (!q || q->is_shown)
		return;
	q->is_shown = true;
	if (q->ask.patience_ms)
		q->timer = timer_start(asker->loop, q->ask.patience_ms, THEN(asker_on_timer, q));
	asker->show(asker->arg, &q->ask);
}

static void asker_unlink_question(struct asker *asker, struct question *q)
{
	struct question **at = &asker->first;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	if (asker->last == &q->next)
		asker->last = at;
}

static void asker_make_way(struct question *q, bool is_answered)
{
	q->is_over = true;
	asker_unlink_question(q->asker, q);
	if (q->is_shown && !is_answered)
		q->asker->withdraw(q->asker->arg, sv_cstr(q->id.text));
	asker_show_first(q->asker);
}

/* With a timer, when that is over as well. */
static void asker_end(struct question *q, bool is_answered)
{
	asker_make_way(q, is_answered);
	if (q->timer)
		op_cancel(q->timer);
	else
		op_finish(&q->op, NULL);
}

static void asker_on_timer(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct question *q = owner;
	struct err expired = ERR_INIT;

	q->timer = NULL;
	if (q->is_over) {
		op_finish(&q->op, NULL);
		return;
	}
	asker_make_way(q, false);
	err_set(&expired, ERR_TIMEOUT, "nobody has answered within %lld seconds",
		(long long)q->ask.patience_ms / 1000);
	op_finish(&q->op, why ? why : &expired);
}

static void question_cancel(struct op *op)
{
	struct question *q = container_of(op, struct question, op);

	if (!q->is_over)
		asker_end(q, false);
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
		.suggestions =
			permission_changes_copy(&q->arena, ask->suggestions, ask->nsuggestions),
		.nsuggestions = ask->nsuggestions,
		.needs_user = ask->needs_user,
		.patience_ms = ask->patience_ms,
	};
	*asker->last = q;
	asker->last = &q->next;
	asker_show_first(asker);
	return &q->op;
}

struct answer_given asker_answer_of(const struct op *op)
{
	return container_of(op, struct question, op)->answer;
}

bool asker_is_open(const struct asker *asker, struct sv request_id)
{
	const struct question *q = asker->first;

	return q && q->is_shown && sv_is(request_id, q->id.text);
}

bool asker_answer(struct asker *asker, struct sv request_id, const struct answer_given *answer)
{
	struct question *q = asker->first;

	if (!asker_is_open(asker, request_id))
		return false;
	q->answer = (struct answer_given){
		.allow = answer->allow,
		.interrupt = answer->interrupt,
		.message = arena_dup(&q->arena, answer->message),
		.new_input = arena_dup(&q->arena, answer->new_input),
	};
	asker_end(q, true);
	return true;
}
