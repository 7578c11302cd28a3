/* asker.h - questions to whoever may answer for the user, one at a time and in the
 * order they came up. A question is an op; its answer can be read when it is done. One
 * that is asked with patience fails (ERR_TIMEOUT) when it has been shown for so long. */
#ifndef AWL_CORE_ASKER_H
#define AWL_CORE_ASKER_H

#include "proto/event.h"
#include "sys/op.h"

struct question;

struct asker {
	struct loop *loop;
	/* Shows a question, and takes back one that is void, before the next is shown. */
	void (*show)(void *arg, const struct event_ask *ask);
	void (*withdraw)(void *arg, struct sv request_id);
	void *arg;
	struct question *first, **last; /* the first has been shown; NULL: none is open */
};

void asker_init(struct asker *asker, struct loop *loop);

struct answer_given {
	bool allow;
	bool interrupt;      /* the turn is to end */
	struct sv message;   /* may be empty */
	struct sv new_input; /* JSON; empty: as asked */
};

/* `request_id` of the ask is made here. Cancelling withdraws the question. */
struct op *asker_start(struct asker *asker, const struct event_ask *ask, struct then then);
/* In `done`, on success. */
struct answer_given asker_answer_of(const struct op *op);

/* Whether it has been shown and waits for its answer. */
bool asker_is_open(const struct asker *asker, struct sv request_id);
/* False when no such question is open. */
bool asker_answer(struct asker *asker, struct sv request_id, const struct answer_given *answer);

#endif
