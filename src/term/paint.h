/* paint.h - private to src/term: rows of a page as bytes for a terminal.
 *
 * A painter knows the look that the terminal has now, so that it writes only changes of it. It moves the
 * cursor only to the right, by writing text; where a row begins and how to get there is for screen.c. */
#ifndef AWL_TERM_PAINT_H
#define AWL_TERM_PAINT_H

#include "term/page.h"
#include "term/screen.h"

struct painter {
	struct str *out; /* borrowed */
	struct screen_caps caps;
	struct style style; /* that the terminal has now */
	struct str link;
};

void painter_init(struct painter *painter, struct str *out, const struct screen_caps *caps);
/* Back to plain text without a link, as it must be before a line end, an erasure and the end of a
 * frame. */
void painter_rest(struct painter *painter);
void painter_clear(struct painter *painter);

/* Writes a whole row; trailing blanks that nobody would see are omitted. */
void paint_row(struct painter *painter, const struct page *page, size_t row);
/* The cells that it writes. */
size_t paint_row_cells(const struct page *page, size_t row);

/* One row as clusters with their place on the screen. */
struct paint_cell {
	struct sv text; /* a cluster, and what is zero cells wide after it */
	size_t span;
	size_t column, cells;
};
typedef VEC(struct paint_cell) paint_cells;

/* Fills `cells` with a row, cut at `columns`. */
void paint_split(paint_cells *cells, const struct page *page, size_t row, size_t columns);

/* The column after the last cell. */
size_t paint_end(const paint_cells *cells);

/* A part of a row that has to be written. */
struct paint_run {
	size_t first, end; /* of the new row's cells */
};
typedef VEC(struct paint_run) paint_runs;

/* Appends the runs in which `now` differs from `before`. Cells that `before` has past the end of `now` are not
 * covered. */
void paint_compare(paint_runs *runs, const struct page *old_page, const paint_cells *before,
		   const struct page *new_page, const paint_cells *now);

void paint_run(struct painter *painter, const struct page *page, const paint_cells *cells,
	       const struct paint_run *run);

/* The line on which a cell of a row is, from 0, when it is folded to this width. */
size_t paint_line_of(const struct page *page, size_t row, size_t columns, size_t cell);
/* Lines of a terminal of this width that a row takes when it is not cut. */
size_t paint_lines(const struct page *page, size_t row, size_t columns);

#endif
