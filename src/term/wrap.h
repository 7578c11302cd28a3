/* wrap.h - styled text folded to a width.
 *
 * Words are kept whole where they fit on a row; a longer one is broken between clusters. Blanks at a
 * break are dropped. Every row begins with a prefix: `first` on the first, `rest` on the others ("- "
 * and "  " for an item of a list, "| " for both in a quotation). Text that has been folded never
 * changes: what arrives later only adds rows. */
#ifndef AWL_TERM_WRAP_H
#define AWL_TERM_WRAP_H

#include "term/page.h"

enum wrap_mode {
	WRAP_WORDS,
	WRAP_CLUSTERS, /* code and output: break anywhere, keep all blanks */
};

struct wrap_prefix {
	struct sv text;
	struct style style;
};

struct wrap {
	struct page *page; /* borrowed */
	size_t cells; /* width of the page; at least 1 is used for text however wide the prefixes */
	enum wrap_mode mode;
	struct wrap_prefix first, rest;
	bool has_row;     /* the current row has its prefix */
	size_t start;     /* cells of that prefix */
	struct page word; /* a word that is not complete, with its styles */
	size_t blanks;    /* due before it */
	struct style blank_style;
};

/* Begins at the start of a row of `page`. */
void wrap_init(struct wrap *wrap, struct page *page, size_t cells, enum wrap_mode mode,
	       struct wrap_prefix first, struct wrap_prefix rest);
/* A line end in the text begins a new row. */
void wrap_add(struct wrap *wrap, struct sv text, struct style style);
/* Text added from now on is a link; see page_set_link(). */
void wrap_set_link(struct wrap *wrap, struct sv url);
/* Ends the last row, and clears. */
void wrap_end(struct wrap *wrap);

#endif
