/* context_edit.h - what stands in the window of the model, piece by piece, for people who want to see it and to take some of
 * it out. A piece is one block of a message: "12.2" is the second block of the twelfth message.
 *
 * A piece that is dropped leaves a line in its place, since messages must alternate and each call needs its result.
 * The line has a number by which the piece is found again, wherever it is by then. Calls and thinking stay. */
#ifndef AWL_CORE_COMPACTION_CONTEXT_EDIT_H
#define AWL_CORE_COMPACTION_CONTEXT_EDIT_H

#include "core/agent/history.h"

struct context_piece {
	size_t message, block; /* from 1 */
	bool assistant;
	const char *kind; /* "text", "call", "result", "image", "document", "thinking", "other" */
	struct str name;  /* of the tool, or the first words */
	size_t bytes;
	size_t weight; /* its part in the bytes of the history */
	bool may_drop, is_dropped;
};

typedef VEC(struct context_piece) context_pieces;
void context_pieces_clear(context_pieces *pieces);
/* Lists all of them. */
void context_list(const struct history *h, context_pieces *out);

/* What was dropped. */
struct context_drops {
	VEC(struct context_dropped {
		size_t number;
		struct str original;
	})
	list;
	size_t last; /* number */
};
void context_drops_clear(struct context_drops *drops);

/* Drops, or restores, a block; 0: all of the message. Returns how many pieces changed. */
size_t context_drop(struct history *h, struct context_drops *drops, size_t message, size_t block);
size_t context_restore(struct history *h, struct context_drops *drops, size_t message,
		       size_t block);

#endif
