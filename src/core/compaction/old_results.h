/* old_results.h - the cheap way to make a conversation shorter: results of tools that are not among the
 * newest are replaced by a line that says where they can be read again. Only results of tools that look
 * something up or report what they changed; what the user said, and what loads tools, stays.
 *
 *   old_results_find()     which they are; changes nothing
 *   old_results_start()    stores them as files, on a worker
 *   old_results_replace()  changes the history */
#ifndef AWL_CORE_COMPACTION_OLD_RESULTS_H
#define AWL_CORE_COMPACTION_OLD_RESULTS_H

#include "base/arena.h"
#include "core/agent/history.h"
#include "sys/op.h"

struct old_result {
	struct sv id;   /* of the call */
	size_t message; /* its number in the history */
	struct sv text; /* all of it, for the file */
	struct sv path; /* of the file; empty: not stored */
};

struct old_results {
	struct arena arena;          /* of all texts */
	VEC(struct old_result) list; /* the newest first */
	size_t bytes;                /* that the history loses, about */
	const char *dir;
};

#define OLD_RESULTS_INIT                              \
	{                                             \
		.arena = ARENA_INIT, .list = VEC_INIT \
	}

void old_results_clear(struct old_results *old);

/* Finds the results that can be replaced, all but the newest few. */
void old_results_find(struct old_results *old, const struct history *h);
/* Stores them below `dir`, which is created if necessary. Done with a failure when one could not be
 * stored; it can be replaced all the same, since the transcript has everything. `dir` may be NULL:
 * nothing is stored. */
struct op *old_results_start(struct old_results *old, struct loop *loop, const char *dir,
			     struct then then);
/* Replaces them; returns how many bytes the history has lost. */
size_t old_results_replace(const struct old_results *old, struct history *h);

#endif
