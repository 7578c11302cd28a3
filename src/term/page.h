/* page.h - rows of styled text, the form in which everything reaches the screen.
 *
 * A page is one buffer of text, a list of spans (each with a style and perhaps a link) and a list of
 * rows. Adding is cheap, and a page that is truncated keeps its memory, so one page can
 * be filled anew for every frame.
 *
 * Text in a page is harmless by construction: page_add() replaces control characters (a tab
 * becomes blanks up to the next multiple of eight cells, a line end ends the row) and malformed
 * bytes. Only this module and screen.c decide which bytes reach a terminal. */
#ifndef AWL_TERM_PAGE_H
#define AWL_TERM_PAGE_H

#include "base/vec.h"
#include "term/style.h"

struct page_span {
	size_t end; /* offset in the text; it begins where the span before it ends */
	struct style style;
	size_t link; /* 1 + index in `links`; 0: none */
};

struct page_row {
	size_t text_end, span_end; /* begins where the row before it ends */
	size_t cells;
};

struct page {
	struct str text;
	VEC(struct page_span) spans;
	VEC(struct page_row) rows; /* finished ones */
	VEC(struct str) links;
	size_t cells; /* of the row that is being written */
	size_t link;  /* of text added now */
};

/* A zeroed page is empty. */

/* Appends to the current row. */
void page_add(struct page *page, struct sv text, struct style style);
void page_addf(struct page *page, struct style style, const char *fmt, ...) printf_like(3, 4);
/* Appends blanks until the row is `cells` wide. */
void page_pad(struct page *page, size_t cells, struct style style);
/* Ends the current row, which may be empty. */
void page_end_row(struct page *page);
/* Ends the current row if anything is in it. */
void page_finish_row(struct page *page);

/* Text added from now on leads to `url`; an empty one ends the link. Only http, https, file and mailto
 * addresses without control characters count, others make plain text. */
void page_set_link(struct page *page, struct sv url);

/* Appends the finished rows [first, end) of another page. */
void page_copy(struct page *page, const struct page *from, size_t first, size_t end);
/* Appends a finished row of another page to the current row. */
void page_copy_row(struct page *page, const struct page *from, size_t row);
/* Appends the unfinished row of another page to the current row. */
void page_copy_open(struct page *page, const struct page *from);

/* Removes the row that is being written. */
void page_drop_row(struct page *page);
/* Keeps only the first `rows` rows. */
void page_cut(struct page *page, size_t rows);
/* Removes all rows and keeps the memory, unless that is a lot. */
void page_reset(struct page *page);
void page_clear(struct page *page);

/* A view of the text of a finished row. */
struct sv page_row_text(const struct page *page, size_t row);
/* The first span of a finished row; it ends with the row's `span_end`. */
size_t page_row_span(const struct page *page, size_t row);
struct sv page_span_text(const struct page *page, size_t span);
/* The address of a link; empty for 0. */
struct sv page_link(const struct page *page, size_t link);
/* Whether two rows look the same. */
bool page_row_eq(const struct page *a, size_t row_a, const struct page *b, size_t row_b);

#endif
