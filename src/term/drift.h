/* drift.h - where the cursor is in xterm.js after a resize.
 *
 * Most terminals that fold rows keep the cursor where it is in the text. xterm.js (VS Code and many others) folds rows from
 * the last one to the first and moves the cursor down by each line that is new, also by those below it; the row in which
 * the cursor is just then is cut off instead. A wider terminal moves it up by each line that is gone. A lower one first
 * drops lines below the cursor, whatever they contain. So the result depends on every size that there has been.
 *
 * Pure. */
#ifndef AWL_TERM_DRIFT_H
#define AWL_TERM_DRIFT_H

#include "term/page.h"

struct drift_size {
	size_t columns, rows;
};

/* The lines between the first row of `page` and the cursor, which was in row `cursor` of it, after each of these sizes.
 * `painted` is the size that the terminal had before. */
size_t drift_follow(const struct page *page, size_t cursor, struct drift_size painted,
		    const struct drift_size *sizes, size_t n);
/* The least that they can be if the terminal may have had another size before one of these, which nobody has noticed. It had
 * `n` sizes, one at least. */
size_t drift_follow_least(const struct page *page, size_t cursor, struct drift_size painted,
			  const struct drift_size *sizes, size_t n);

#endif
