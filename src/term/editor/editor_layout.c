/* The buffer as rows: each line of it is folded at blanks to the width, so that a row begins either after a line end or
 * after a blank, or in the middle of a word that is longer than a row. The layout is kept until the text or the width
 * changes: Up and Down use it. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "term/editor/editor_internal.h"

enum { TAB_CELLS = 4 };

/* The cells of the character at `at`, and where the next one begins. */
static size_t editor_cells_at(const struct editor *e, size_t at, size_t *next)
{
	const struct editor_piece *piece;
	int cells = 1;

	*next = at + 1;
	if (e->text.ptr[at] == '\t')
		return TAB_CELLS;
	if ((unsigned char)e->text.ptr[at] < 0x80 &&
	    (at + 1 == e->text.len || (unsigned char)e->text.ptr[at + 1] < 0x80))
		return e->text.ptr[at] == '\n' ? 0 : 1;
	*next = at + utf8_cluster(sv_skip(sv_of(&e->text), at), &cells);
	piece = editor_piece_at(e, at);
	return piece ? utf8_cells(sv_of(&piece->label)) : (size_t)cells;
}

/* Where the row that begins at `from` ends, in a line that ends at `line_end`. */
static size_t editor_row_end(const struct editor *e, size_t from, size_t line_end)
{
	size_t used = 0, after_blank = 0, next;

	for (size_t at = from; at < line_end; at = next) {
		size_t cells = editor_cells_at(e, at, &next);

		/* Blanks at the end of a row may stand past its edge: nobody sees them. */
		if (ascii_is_blank(e->text.ptr[at])) {
			after_blank = next;
		} else if (used + cells > e->columns && at > from) {
			return after_blank > from ? after_blank : at;
		}
		used += cells;
	}
	return line_end;
}

static void editor_layout(struct editor *e, size_t columns)
{
	size_t line = 0;

	columns = max_of(columns, (size_t)1);
	if (e->rows.n && e->columns == columns)
		return;
	e->columns = columns;
	e->rows.n = 0;
	for (;;) {
		size_t end = editor_line_end(e, line), from = line;

		do {
			vec_push(&e->rows, from);
			from = editor_row_end(e, from, end);
		} while (from < end);
		if (end == e->text.len)
			return;
		line = end + 1;
	}
}

/* The row that contains a position. Between two rows of one line that is the second. */
static size_t editor_row_of(const struct editor *e, size_t position)
{
	size_t low = 0, high = e->rows.n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (e->rows.at[middle] <= position)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static size_t editor_row_limit(const struct editor *e, size_t row)
{
	return row + 1 < e->rows.n ? e->rows.at[row + 1] : e->text.len;
}

static size_t editor_cells_between(const struct editor *e, size_t from, size_t to)
{
	size_t cells = 0, next;

	for (; from < to; from = next)
		cells += editor_cells_at(e, from, &next);
	return cells;
}

/* --- up and down ------------------------------------------------------------------ */

/* The position in a row that is nearest to a cell. */
static size_t editor_at_cell(const struct editor *e, size_t row, size_t cell)
{
	size_t at = e->rows.at[row], limit = editor_row_limit(e, row), used = 0;

	while (at < limit) {
		size_t next, cells = editor_cells_at(e, at, &next);

		/* The end of a row belongs to the next one, except the end of the text. */
		if (used + cells > cell || e->text.ptr[at] == '\n' ||
		    (next == limit && limit != e->text.len))
			break;
		used += cells;
		at = next;
	}
	return at;
}

bool editor_move_row(struct editor *e, int by)
{
	size_t row, goal;

	editor_layout(e, e->columns);
	row = editor_row_of(e, e->cursor);
	if (by < 0 ? row == 0 : row + 1 == e->rows.n)
		return false;
	goal = e->goal != SIZE_MAX ? e->goal : editor_cells_between(e, e->rows.at[row], e->cursor);
	editor_move(e, editor_at_cell(e, by < 0 ? row - 1 : row + 1, goal));
	e->goal = goal;
	return true;
}

/* --- drawing ---------------------------------------------------------------------- */

/* Append the character at `at` as it is shown. */
static void editor_draw_at(const struct editor *e, size_t at, size_t next, struct style style,
			   const struct editor_look *look, struct page *page)
{
	const struct editor_piece *piece = editor_piece_at(e, at);

	if (piece)
		page_add(page, sv_of(&piece->label), style_over(style, look->label));
	else if (e->text.ptr[at] == '\t')
		page_pad(page, page->cells + TAB_CELLS, style);
	else
		page_add(page, sv_slice(sv_of(&e->text), at, next), style);
}

static void editor_draw_row(const struct editor *e, size_t row, const struct editor_look *look,
			    struct page *page)
{
	size_t limit = editor_row_limit(e, row), next;

	if (limit > e->rows.at[row] && e->text.ptr[limit - 1] == '\n')
		limit--;
	for (size_t at = e->rows.at[row]; at < limit; at = next) {
		bool is_selected = at >= look->selected_from && at < look->selected_to;

		editor_cells_at(e, at, &next);
		editor_draw_at(e, at, next, is_selected ? look->selected : look->text, look, page);
	}
}

static void editor_draw_prefix(const struct editor *e, size_t row, size_t last,
			       const struct editor_look *look, struct page *page)
{
	struct sv prefix = row ? look->next_prefix : look->prefix;
	size_t cells = utf8_cells(prefix);

	if (cells && row == e->first_row && row > 0)
		page_add(page, SV("\xe2\x86\x91"), look->hint);
	else if (cells && row == last && row + 1 < e->rows.n)
		page_add(page, SV("\xe2\x86\x93"), look->hint);
	else
		page_add(page, prefix, look->prefix_style);
	page_pad(page, cells, look->prefix_style);
}

/* Choose the rows that are visible: the same as before, unless the cursor has left them. */
static size_t editor_scroll(struct editor *e, size_t row, size_t max_rows)
{
	size_t most = e->rows.n > max_rows ? e->rows.n - max_rows : 0;

	e->first_row = min_of(e->first_row, most);
	if (row < e->first_row)
		e->first_row = row;
	else if (row >= e->first_row + max_rows)
		e->first_row = row - max_rows + 1;
	return min_of(e->first_row + max_rows, e->rows.n);
}

void editor_draw(struct editor *e, const struct editor_look *look, struct page *page,
		 struct screen_cursor *cursor)
{
	size_t prefix = max_of(utf8_cells(look->prefix), utf8_cells(look->next_prefix));
	size_t row, end;

	/* One cell stays free for the cursor behind the last character. */
	editor_layout(e, look->columns > prefix + 1 ? look->columns - prefix - 1 : 1);
	row = editor_row_of(e, e->cursor);
	end = editor_scroll(e, row, max_of(look->max_rows, (size_t)1));
	for (size_t i = e->first_row; i < end; i++) {
		editor_draw_prefix(e, i, end - 1, look, page);
		if (i == row) {
			cursor->row = page->rows.n;
			cursor->cell =
				page->cells + editor_cells_between(e, e->rows.at[i], e->cursor);
			cursor->cell = min_of(cursor->cell, look->columns ? look->columns - 1 : 0);
		}
		editor_draw_row(e, i, look, page);
		if (!e->text.len)
			page_add(page, look->placeholder, look->hint);
		else if (i + 1 == e->rows.n && e->cursor == e->text.len)
			page_add(page, look->suggestion, look->hint);
		page_end_row(page);
	}
}
