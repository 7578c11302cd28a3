/* transcript_walk.h - finds the records of the newest chain in a transcript.
 *
 * The walk reads the file from its end: it searches for the last record of the chain, then for
 * its parent, and so on. It searches for a parent only before its child, so every cycle ends. If
 * two records have the same id, the one earlier in the file counts.
 *
 * A damaged record costs only itself: the chain continues with the message before it.
 *
 * Parallel tool calls fork the chain: some records of a response, and some results of its calls,
 * are not on the path from the end to the beginning. The walk gathers these strays too. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_WALK_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_WALK_H

#include "base/map.h"
#include "base/uuid.h"
#include "base/vec.h"
#include "store/transcript/transcript_kept.h"
#include "store/transcript/transcript_line.h"
#include "store/transcript/transcript_tail.h"

struct pick {
	int64_t at; /* file offset of the line */
	uint32_t len;
	uint32_t content_at, content_len; /* within the line; 0: nothing for the model */
	uint64_t answer;                  /* hashed id of its model response; 0: none */
	struct uuid uuid;
	bool assistant;
	bool prompt;  /* from the user, and not a tool result */
	bool harness; /* not written by the user */
	bool stray;   /* found beside the chain; only its tool results count */
	bool is_gap;  /* its parent is damaged; the previous pick that is not a stray replaces it */
};

/* A record beside the chain. It belongs to the chain if `answer` or, for results, `call` does. */
struct stray {
	struct pick pick;
	uint64_t call; /* 0: none */
};

enum chain_walk_end {
	WALK_EMPTY, /* no chain found */
	WALK_START,
	WALK_BOUNDARY, /* earlier records were compacted */
	WALK_MISSING,  /* `wanted` is not in the file */
	WALK_FULL,     /* LIMIT_RESUME_BYTES or _RECORDS exceeded */
};

/* Whether the search crosses a damaged record. */
enum chain_walk_gap {
	WALK_NO_GAP,
	WALK_GAP_AHEAD,   /* `wanted` does not exist: the next damaged line replaces it */
	WALK_GAP_CROSSED, /* the next message continues the chain */
};

/* Called for every valid line outside side chains, last line first. */
typedef void chain_walk_see_fn(void *arg, const struct line *line, const struct tail_line *where);

struct chain_walk {
	/* Set by the caller. */
	struct sv leaf; /* the last record of the chain; empty: the newest with a message */
	bool all;       /* include records before boundaries, without size limits */
	bool is_side;   /* the file is that of a sub-agent */
	chain_walk_see_fn *see;
	void *arg;

	/* For the caller. */
	VEC(struct pick)
	picks; /* in the order of the file, but those that a compaction kept after its summary */
	enum chain_walk_end end;
	struct uuid last; /* the last record of the chain */
	struct str model; /* of the last response */
	struct str usage; /* JSON: what the last response in the chain says of it; empty: nothing */
	int64_t answered_ms; /* timestamp of that response; 0: unknown */
	struct uuid wanted;  /* the record to search for next */
	size_t bad_lines;
	size_t oversized; /* messages skipped because of their size */
	struct tail tail;

	/* A part of the file, read after the walk. */
	struct str window;
	int64_t window_at;

	/* While walking. */
	bool following;               /* the leaf was found, the beginning was not */
	VEC(struct stray) strays;     /* ring buffer of the most recently found */
	size_t nstrays;               /* total number found */
	VEC(uint64_t) answers, calls; /* hashed ids of the chain */
	struct map chosen;            /* id -> index in picks, plus one */
	struct kept kept;             /* of the newest boundary, once it was found */
	bool keeps;                   /* searching for those */
	size_t nsince;                /* picks that are newer than the boundary */
	int64_t boundary_at;          /* -1: no messages were kept */
	struct pick summary;          /* the last summary found beside the chain */
	size_t weight;                /* total content size in bytes */
	enum chain_walk_gap gap;
	int64_t damaged_at; /* the last damaged line after the last pick; -1: none */
	VEC(uint64_t) ids;  /* hashed ids of all records before `damaged_at` */
	bool is_returned;   /* to that line, once */
};

#define WALK_INIT                                                                               \
	.picks = VEC_INIT, .tail = TAIL_INIT, .strays = VEC_INIT, .answers = VEC_INIT,          \
	.calls = VEC_INIT, .chosen = MAP_INIT, .kept = { .list = MAP_INIT }, .boundary_at = -1, \
	.damaged_at = -1, .ids = VEC_INIT

/* Finds the chain. Fails when the file cannot be read or has no record `leaf` (ERR_NOT_FOUND).
 * If `see` is set, reads at least LIMIT_TRANSCRIPT_TAIL bytes. */
must_use bool chain_walk_run(struct chain_walk *w, const char *path, struct err *err);
void chain_walk_clear(struct chain_walk *w);

/* Returns the content, or the whole line, of a pick; borrowed until the next call. */
must_use bool chain_walk_content(struct chain_walk *w, const struct pick *pick, struct sv *out,
				 struct err *err);
must_use bool chain_walk_line(struct chain_walk *w, const struct pick *pick, struct sv *out,
			      struct err *err);

#endif
