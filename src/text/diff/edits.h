/* edits.h - finds what to delete from one list of tokens and insert to get another: the
 * engine of the line diff and the word diff.
 *
 * For inputs of ordinary size the result is a shortest one (Myers, in linear space). A
 * search that exceeds LIMIT_DIFF_COST edits, or its share of LIMIT_DIFF_STEPS, uses the
 * best path found so far: longer than necessary, but correct. */
#ifndef AWL_TEXT_DIFF_EDITS_H
#define AWL_TEXT_DIFF_EDITS_H

#include "base/str.h"

/* Sets `deleted[i]` for the old tokens and `inserted[i]` for the new tokens without a
 * partner; all others pair up in order, equal with equal. The caller owns the arrays,
 * which are as long as the lists and initially all false. Each list has fewer than 2^31
 * tokens. */
void edits_find(const struct sv *old_tokens, size_t n_old, bool *deleted,
		const struct sv *new_tokens, size_t n_new, bool *inserted);

#endif
