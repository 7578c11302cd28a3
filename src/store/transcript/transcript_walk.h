/* transcript_walk.h - which records of a transcript are its newest chain.
 *
 * The file is read from its end: first for the record to end with, then for its
 * parent, and so on, each looked for before its child only, which also makes every
 * cycle end. Of two records with the same id the first counts.
 *
 * Calls that run in parallel fork the chain: the records of one answer, and the
 * results of its calls, hang from each other in ways that leave some of them off
 * the way from the end to the beginning. Those are gathered too. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_WALK_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_WALK_H

#include "base/map.h"
#include "base/uuid.h"
#include "base/vec.h"
#include "store/transcript/transcript_line.h"
#include "store/transcript/transcript_tail.h"

struct pick {
	int64_t at; /* of its line in the file */
	uint32_t len;
	uint32_t content_at, content_len; /* in its line; nothing for the model: 0 */
	uint64_t answer;                  /* of the model that it is a part of; 0: none */
	struct uuid uuid;
	bool assistant;
	bool prompt;  /* the user's, and no result of a call */
	bool harness; /* the user did not say it */
	bool stray;   /* from beside the chain: of it, only results belong here */
};

/* Something from beside the chain that belongs to it if `answer`, or for results
 * `call`, does. */
struct stray {
	struct pick pick;
	uint64_t call; /* 0: none */
};

enum chain_walk_end {
	WALK_EMPTY, /* there is no chain */
	WALK_START,
	WALK_BOUNDARY, /* what was before was compacted away */
	WALK_MISSING,  /* `wanted` is not in the file */
	WALK_FULL,     /* over LIMIT_RESUME_BYTES or _RECORDS */
};

/* Is told of every sound line outside side chains, last line first. */
typedef void chain_walk_see_fn(void *arg, const struct line *line, const struct tail_line *where);

struct chain_walk {
	/* Set by the caller. */
	struct sv leaf; /* the record to end with; empty: the newest that says something */
	bool all;       /* every record, also from before boundaries and however much */
	chain_walk_see_fn *see;
	void *arg;

	/* For the caller. */
	VEC(struct pick) picks; /* in the order of the file */
	enum chain_walk_end end;
	struct uuid last;   /* the record that the chain ends with */
	struct str model;   /* that said something last */
	struct uuid wanted; /* the one looked for next */
	size_t bad_lines;
	struct tail tail;

	/* A part of the file, read after the walk. */
	struct str window;
	int64_t window_at;

	/* While walking. */
	bool following;               /* the leaf was found, the beginning not yet */
	VEC(struct stray) strays;     /* the newest found, in a ring */
	size_t nstrays;               /* ever */
	VEC(uint64_t) answers, calls; /* of the chain, hashed */
	struct map chosen;            /* id -> index in picks, plus one */
	size_t weight;                /* of their content, in bytes */
};

#define WALK_INIT                                                                      \
	.picks = VEC_INIT, .tail = TAIL_INIT, .strays = VEC_INIT, .answers = VEC_INIT, \
	.calls = VEC_INIT, .chosen = MAP_INIT

/* Fails when the file cannot be read, or has no record `leaf` (ERR_NOT_FOUND).
 * Where there is somebody to `see`, goes on for LIMIT_TRANSCRIPT_TAIL at least. */
must_use bool chain_walk_run(struct chain_walk *w, const char *path, struct err *err);
void chain_walk_clear(struct chain_walk *w);

/* Gives the content, or the whole line, of a pick; borrowed until the next call. */
must_use bool chain_walk_content(struct chain_walk *w, const struct pick *pick, struct sv *out,
				 struct err *err);
must_use bool chain_walk_line(struct chain_walk *w, const struct pick *pick, struct sv *out,
			      struct err *err);

#endif
