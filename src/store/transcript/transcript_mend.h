/* transcript_mend.h - the records of a chain, joined into messages that a model
 * accepts, whatever state they are in: roles alternate and the user begins; every
 * call is answered exactly once, in the next message, and nothing else is; there
 * is no blank text, and no answer that is nothing but thinking. What is kept is
 * kept byte for byte. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_MEND_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_MEND_H

#include "base/map.h"
#include "store/transcript/transcript.h"
#include "text/json/json.h"

/* What one record adds; borrowed. */
struct mend_record {
	bool assistant;
	bool results_only;   /* anything else in it is to be left out */
	bool harness;        /* not the user's own words */
	uint64_t answer;     /* whose parts belong together; 0: unknown */
	struct uuid uuid;    /* of the record */
	struct sv content;   /* valid JSON */
	struct json as_tree; /* the same */
};

struct mend_block;

/* A message in the making; its blocks are a list by index, 0 for none. */
struct mend_draft {
	bool assistant;
	bool prompt; /* the user wants an answer to it */
	bool ended;  /* the user had ended the turn */
	uint64_t answer;
	struct uuid uuid;
	uint32_t first, last;
	uint32_t n, calls, thoughts; /* blocks, and among them */
};

struct mend {
	VEC(struct mend_draft) drafts;
	VEC(struct mend_block) blocks;
	struct map results; /* call -> its block */
	struct map calls;   /* seen */
	size_t unusable;    /* blocks that no model accepts */
};

#define MEND_INIT                                                                              \
	{                                                                                      \
		.drafts = VEC_INIT, .blocks = VEC_INIT, .results = MAP_INIT, .calls = MAP_INIT \
	}

/* In the order of the conversation. */
void mend_add(struct mend *m, const struct mend_record *record);

/* Appends the messages to `out`, and notes about what was mended; sets `cut`, adds
 * to `dropped`. */
void mend_finish(struct mend *m, struct transcript_loaded *out);

void mend_clear(struct mend *m);

#endif
