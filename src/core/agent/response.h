/* response.h - a response of the model while it streams: its finished blocks as exact bytes, and
 * as much of the open one as is worth keeping if the stream is cut off. */
#ifndef AWL_CORE_AGENT_RESPONSE_H
#define AWL_CORE_AGENT_RESPONSE_H

#include "base/uuid.h"
#include "base/vec.h"
#include "model/model.h"

struct response_block {
	enum model_block kind;
	struct str json;
	struct uuid uuid; /* of its event and its record */
};

struct response {
	VEC(struct response_block) blocks;
	struct str id, model; /* of the message; who answers */
	struct str request;   /* id of the request, as the service calls it; may be empty */
	struct str open_text; /* of a text block that has not ended */
	int64_t nbegun;       /* blocks that have begun */
	bool is_open;         /* the last of them has not ended */
	struct usage first;   /* as the response began */
	struct usage usage;   /* so far */
	enum model_stop stop;
	struct str stop_name;                     /* empty until it has ended */
	struct str refusal_category, refusal_why; /* of a refusal; may be empty */
	int64_t first_ms;                         /* when it began; -1: not yet */
	int64_t retried_ms;        /* when the last retry of the request was sent; 0: none */
	size_t thought;            /* bytes of thinking */
	int64_t thinking_reported; /* tokens of it that were reported */
};

#define RESPONSE_INIT                                              \
	{                                                          \
		.blocks = VEC_INIT, .id = STR_INIT, .first_ms = -1 \
	}

void response_clear(struct response *r);
/* Forgets the blocks, which may be large, once they are in the history. */
void response_drop_blocks(struct response *r);

/* How long the request has taken that was made at `since_ms`. */
struct api_time response_time(const struct response *r, int64_t since_ms, int64_t now_ms);

/* Takes in an event of the model; true when it has finished a block, which is then the last of
 * `blocks`. */
bool response_take(struct response *r, const struct model_event *event, struct loop *loop);

/* Turns a text that was cut off into a block; false when there is none. */
bool response_keep_partial(struct response *r, struct loop *loop);

/* Appends the message of one block, as events and transcripts have it. */
void response_message(struct str *out, const struct response *r,
		      const struct response_block *block);

/* Whether there is anything but thinking. */
bool response_has_content(const struct response *r);

/* Appends the text of the last text block. */
void response_text(struct str *out, const struct response *r);

#endif
