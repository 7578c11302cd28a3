/* answer.h - a reply while it comes in: its finished blocks as exact bytes, and as
 * much of the open one as can be kept should it be cut off. */
#ifndef AWL_CORE_ANSWER_H
#define AWL_CORE_ANSWER_H

#include "base/uuid.h"
#include "base/vec.h"
#include "model/model.h"

struct answer_block {
	enum model_block kind;
	struct str json;
	struct uuid uuid; /* of the event and the record that tell of it */
};

struct answer {
	VEC(struct answer_block) blocks;
	struct str id, model; /* of the message; who answers */
	struct str open_text; /* of a text block that has not ended */
	struct usage first;   /* as the reply began */
	struct usage usage;   /* so far */
	enum model_stop stop;
	struct str stop_name; /* empty until it has ended */
	int64_t first_ms;     /* when it began; -1: not yet */
};

#define ANSWER_INIT                                                \
	{                                                          \
		.blocks = VEC_INIT, .id = STR_INIT, .first_ms = -1 \
	}

void answer_clear(struct answer *a);

/* Takes in an event of the model; true when it has finished a block, the last one
 * of `blocks`. */
bool answer_take(struct answer *a, const struct model_event *event, struct loop *loop);

/* Makes a text that was cut off a block of its own; false when there is none. */
bool answer_keep_partial(struct answer *a, struct loop *loop);

/* Appends the message of one block, as events and transcripts have it. */
void answer_message(struct str *out, const struct answer *a, const struct answer_block *block);

/* Appends the text of the last text block. */
void answer_text(struct str *out, const struct answer *a);

#endif
