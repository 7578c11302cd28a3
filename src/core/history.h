/* history.h - a conversation as the bytes that the model gets. Roles alternate;
 * what has been sent is only ever appended to, so the prefix of the next request is
 * the last one, byte for byte. */
#ifndef AWL_CORE_HISTORY_H
#define AWL_CORE_HISTORY_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct history_message {
	struct str json;
	bool assistant;
};

struct history {
	VEC(struct history_message) messages;
	VEC(struct sv) views; /* of the messages, for a request */
	size_t bytes;         /* of all of them */
};

#define HISTORY_INIT                                    \
	{                                               \
		.messages = VEC_INIT, .views = VEC_INIT \
	}

void history_clear(struct history *h);

/* One block at the end: of the last message when that has the same role, else of a
 * new one. */
void history_add(struct history *h, bool assistant, struct sv block);
/* A whole message of a session that is taken up again; takes `json`. */
void history_restore(struct history *h, bool assistant, struct str *json);

/* The messages; valid until the next change. */
const struct sv *history_views(struct history *h);

/* Puts words in the place of images and documents, which a service has refused; how many
 * there were. */
size_t history_drop_media(struct history *h);

/* Removes what only the model that thought it can read: before another one is asked. */
void history_drop_thinking(struct history *h);

#endif
