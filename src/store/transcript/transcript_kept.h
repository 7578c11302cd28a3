/* transcript_kept.h - the messages that a compaction has kept as they are.
 *
 * The record of the boundary names them: either as the first and the last of a chain, or as a list. They stand
 * in the file before the boundary, and in the conversation after its anchor, which is the summary or, if
 * they come first, the boundary itself. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_KEPT_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_KEPT_H

#include "base/map.h"
#include "base/uuid.h"

struct kept {
	struct uuid anchor;
	struct uuid head, tail; /* of the chain; empty if there is a list */
	struct map list;        /* those that have not been found yet */
	bool is_list;
};

/* Reads the JSON of "compactMetadata". False: it names no messages in a way that can be used. */
bool kept_read(struct kept *out, struct sv metadata);
void kept_clear(struct kept *kept);
/* Whether the search for them begins with this record. */
bool kept_begins_with(const struct kept *kept, struct sv id);

#endif
