/* edits.h - what to take out of one list of tokens and put in to get another:
 * the engine under the line diff and the word diff.
 *
 * The answer is a shortest one (Myers, in linear space) for inputs of ordinary
 * size. A search that goes beyond LIMIT_DIFF_COST edits, or its share of
 * LIMIT_DIFF_STEPS, settles for the best it has seen: longer than need be, and
 * still right. */
#ifndef AWL_TEXT_DIFF_EDITS_H
#define AWL_TEXT_DIFF_EDITS_H

#include "base/str.h"

/* Sets `deleted[i]` for the old tokens and `inserted[i]` for the new ones that
 * have no partner; all others pair up in order, equal with equal. The arrays
 * belong to the caller, as long as the lists, and come in all false. Each list
 * has fewer than 2^31 tokens. */
void edits_find(const struct sv *old_tokens, size_t n_old, bool *deleted,
		const struct sv *new_tokens, size_t n_new, bool *inserted);

#endif
