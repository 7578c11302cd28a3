/* transcript_mend.h - joins the records of a chain into messages that a model accepts, whatever
 * state the records are in. Roles alternate and the user begins. Every call has exactly one
 * result, in the next message, and every result has a call. No text is blank, and no response
 * consists of thinking only. Content that is kept is kept byte for byte. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_MEND_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_MEND_H

#include "base/map.h"
#include "store/transcript/transcript.h"
#include "text/json/json.h"

/* The content of one record; borrowed. */
struct mend_record {
	bool assistant;
	bool results_only;   /* ignore everything but tool results */
	bool harness;        /* written by the harness, not by the user */
	uint64_t answer;     /* identifies the response that the record is part of; 0: unknown */
	struct uuid uuid;    /* of the record */
	struct sv content;   /* valid JSON */
	struct json as_tree; /* `content`, parsed */
};

struct mend_block;

/* A message under construction. Its blocks form a list by index; 0: none. */
struct mend_draft {
	bool assistant;
	bool prompt; /* a prompt that needs a response */
	bool ended;  /* the user interrupted the turn */
	bool speaks; /* its last call was a message to the user: nothing has to follow */
	uint64_t answer;
	struct uuid uuid;
	uint32_t first, last;
	uint32_t n, calls, thoughts; /* blocks, and how many of them are calls or thinking */
};

struct mend {
	VEC(struct mend_draft) drafts;
	VEC(struct mend_block) blocks;
	struct map results; /* call id -> result block */
	struct map calls;   /* call ids seen so far */
	size_t unusable;    /* number of blocks that no model accepts */
};

#define MEND_INIT                                                                              \
	{                                                                                      \
		.drafts = VEC_INIT, .blocks = VEC_INIT, .results = MAP_INIT, .calls = MAP_INIT \
	}

/* Adds a record. Call in conversation order. */
void mend_add(struct mend *m, const struct mend_record *record);

/* Appends the messages to `out`, with notes about repairs. Sets `cut` and adds to `dropped`. */
void mend_finish(struct mend *m, struct transcript_loaded *out);

void mend_clear(struct mend *m);

#endif
