/* history.h - a conversation as the bytes that the model gets. Roles alternate. What has been sent
 * is only appended to, so each request starts with the bytes of the one before. Half a surrogate
 * pair, which no service accepts, becomes U+FFFD. */
#ifndef AWL_CORE_AGENT_HISTORY_H
#define AWL_CORE_AGENT_HISTORY_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct history_message {
	struct str json;
	bool assistant;
};

enum { HISTORY_MEDIA = 6400 }; /* what 1,600 tokens of text would have */

struct history {
	VEC(struct history_message) messages;
	VEC(struct sv) views; /* of the messages, for a request */
	/* Of all of them. The data of an image or a document counts as at most HISTORY_MEDIA: its
	 * tokens do not depend on its bytes. A result that is JSON counts twice: it has two bytes a token, other
	 * texts have four. */
	size_t bytes;
};

#define HISTORY_INIT                                    \
	{                                               \
		.messages = VEC_INIT, .views = VEC_INIT \
	}

void history_clear(struct history *h);

/* Appends one block: to the last message if that has the same role, else as a new message. */
void history_add(struct history *h, bool assistant, struct sv block);
/* Appends a message of a session that is resumed; takes `json`. */
void history_restore(struct history *h, bool assistant, struct str *json);

/* The messages; valid until the next change. */
const struct sv *history_views(struct history *h);

/* The bytes of a message or a block, as `bytes` counts them. */
size_t history_weigh(struct sv json);
/* After messages were changed. */
void history_recount(struct history *h);
/* Whether a message contains this block, or these bytes of one. */
bool history_contains(const struct history *h, struct sv block);

/* Replaces images and documents, which a service has refused, by "[image]" or "[document]"; how many
 * there were. */
size_t history_drop_media(struct history *h);
/* The same in one message of the user's side. */
size_t history_strip_media(struct str *message);

/* Removes thinking, which only the model that wrote it can read: before another one is used. */
void history_drop_thinking(struct history *h);

#endif
