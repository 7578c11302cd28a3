#include "term/markdown/markdown_table.h"

#include "base/utf8.h"
#include "term/wrap.h"

enum { MIN_CELLS = 4, GAP_CELLS = 3 }; /* " | " between two columns */

void markdown_table_init(struct markdown_table *table, size_t columns)
{
	*table = (struct markdown_table){ .columns = max_of(columns, (size_t)1) };
}

void markdown_table_clear(struct markdown_table *table)
{
	for (size_t i = 0; i < table->cells.n; i++)
		page_clear(&table->cells.at[i].text);
	vec_clear(&table->cells);
}

void markdown_table_begin_cell(struct markdown_table *table, enum md_side side)
{
	vec_add(&table->cells)->side = side;
}

void markdown_table_add(struct markdown_table *table, struct sv text, struct style style,
			struct sv url)
{
	struct page *cell = &vec_last(&table->cells)->text;

	page_set_link(cell, url);
	page_add(cell, text, style);
}

/* --- widths ----------------------------------------------------------------------- */

typedef VEC(size_t) table_widths;

static size_t table_sum(const table_widths *widths)
{
	size_t sum = 0;

	for (size_t i = 0; i < widths->n; i++)
		sum += widths->at[i];
	return sum;
}

/* Make the widest columns narrower until all fit. False: they cannot. */
static bool table_fit(table_widths *widths, size_t space)
{
	size_t sum = table_sum(widths);

	if (widths->n * MIN_CELLS > space && sum > space)
		return false;
	while (sum > space) {
		size_t first = 0, second = MIN_CELLS, n = 1, widest, target;

		for (size_t i = 1; i < widths->n; i++)
			if (widths->at[i] > widths->at[first])
				first = i;
		widest = widths->at[first];
		for (size_t i = 0; i < widths->n; i++) {
			if (widths->at[i] < widest)
				second = max_of(second, widths->at[i]);
			else if (i != first)
				n++;
		}
		/* All the widest go down together: to the next one, or as far as needed. */
		target = max_of(second, widest - min_of(widest, (sum - space + n - 1) / n));
		for (size_t i = 0; i < widths->n && sum > space; i++)
			if (widths->at[i] == widest) {
				sum -= widest - target;
				widths->at[i] = target;
			}
		if (target == widest)
			return false;
	}
	return true;
}

static void table_measure(const struct markdown_table *table, table_widths *widths)
{
	BUG_ON(!table->columns);
	for (size_t i = 0; i < table->columns; i++)
		vec_push(widths, (size_t)1);
	for (size_t i = 0; i < table->cells.n; i++) {
		size_t *width = &widths->at[i % table->columns];

		*width = max_of(*width, table->cells.at[i].text.cells);
	}
}

/* --- rows ------------------------------------------------------------------------- */

static void table_fold(struct page *out, const struct markdown_cell *cell, size_t width)
{
	static const struct wrap_prefix none;
	struct wrap wrap;

	wrap_init(&wrap, out, width, WRAP_WORDS, none, none);
	for (size_t i = 0; i < cell->text.spans.n; i++) {
		wrap_set_link(&wrap, page_link(&cell->text, cell->text.spans.at[i].link));
		wrap_add(&wrap, page_span_text(&cell->text, i), cell->text.spans.at[i].style);
	}
	wrap_end(&wrap);
}

/* Append one row of a folded cell, at its side of the column. */
static void table_place(struct page *page, const struct page *folded, size_t row, size_t width,
			enum md_side side)
{
	static const struct style plain;
	size_t start = page->cells, cells = row < folded->rows.n ? folded->rows.at[row].cells : 0;
	size_t left = side == MD_SIDE_RIGHT    ? width - min_of(width, cells)
		      : side == MD_SIDE_CENTER ? (width - min_of(width, cells)) / 2
					       : 0;

	page_pad(page, start + left, plain);
	if (row < folded->rows.n)
		page_copy_row(page, folded, row);
	page_pad(page, start + width, plain);
}

static void table_paint_row(const struct markdown_table *table, size_t first,
			    const table_widths *widths, struct page *page, struct sv prefix,
			    const struct markdown_look *look)
{
	VEC(struct page) folded = VEC_INIT;
	size_t height = 1;

	for (size_t i = 0; i < table->columns && first + i < table->cells.n; i++) {
		table_fold(vec_add(&folded), &table->cells.at[first + i], widths->at[i]);
		height = max_of(height, folded.at[i].rows.n);
	}
	for (size_t row = 0; row < height; row++) {
		page_add(page, prefix, look->marker);
		for (size_t i = 0; i < folded.n; i++) {
			if (i)
				page_add(page, SV(" \xe2\x94\x82 "), look->rule);
			table_place(page, &folded.at[i], row, widths->at[i],
				    table->cells.at[first + i].side);
		}
		page_end_row(page);
	}
	for (size_t i = 0; i < folded.n; i++)
		page_clear(&folded.at[i]);
	vec_clear(&folded);
}

static void table_paint_line(const table_widths *widths, struct page *page, struct sv prefix,
			     const struct markdown_look *look)
{
	page_add(page, prefix, look->marker);
	for (size_t i = 0; i < widths->n; i++) {
		if (i)
			page_add(page, SV("\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80"), look->rule);
		for (size_t k = 0; k < widths->at[i]; k++)
			page_add(page, SV("\xe2\x94\x80"), look->rule);
	}
	page_end_row(page);
}

/* --- lists ------------------------------------------------------------------------ */

static void table_paint_list(const struct markdown_table *table, struct page *page,
			     struct sv prefix, const struct markdown_look *look)
{
	for (size_t i = table->columns; i < table->cells.n; i++) {
		const struct markdown_cell *head = &table->cells.at[i % table->columns];
		struct wrap_prefix before = { .text = prefix, .style = look->marker };
		struct wrap wrap;

		wrap_init(&wrap, page, look->columns, WRAP_WORDS, before, before);
		wrap_add(&wrap, sv_of(&head->text.text), look->strong);
		wrap_add(&wrap, SV(": "), look->strong);
		for (size_t k = 0; k < table->cells.at[i].text.spans.n; k++)
			wrap_add(&wrap, page_span_text(&table->cells.at[i].text, k),
				 table->cells.at[i].text.spans.at[k].style);
		wrap_end(&wrap);
		if ((i + 1) % table->columns == 0 && i + 1 < table->cells.n)
			page_end_row(page);
	}
}

void markdown_table_paint(const struct markdown_table *table, struct page *page, struct sv prefix,
			  const struct markdown_look *look)
{
	size_t gaps = (table->columns - 1) * GAP_CELLS + utf8_cells(prefix);
	table_widths widths = VEC_INIT;

	table_measure(table, &widths);
	if (gaps >= look->columns || !table_fit(&widths, look->columns - gaps)) {
		table_paint_list(table, page, prefix, look);
	} else {
		for (size_t i = 0; i < table->cells.n; i += table->columns) {
			table_paint_row(table, i, &widths, page, prefix, look);
			if (i == 0)
				table_paint_line(&widths, page, prefix, look);
		}
	}
	vec_clear(&widths);
}
