#include "term/paint.h"

#include "base/utf8.h"

/* Cells that are the same but lie between two that differ are written again rather than jumped over: a jump costs
 * about as many bytes. */
enum { SAME_CELLS = 4 };

void painter_init(struct painter *painter, struct str *out, const struct screen_caps *caps)
{
	*painter = (struct painter){ .out = out, .caps = *caps };
}

static void painter_set_link(struct painter *painter, struct sv url)
{
	if (!painter->caps.has_links || sv_eq(sv_of(&painter->link), url))
		return;
	str_addf(painter->out, "\x1b]8;;%.*s\x1b\\", SV_ARG(url));
	str_set(&painter->link, url);
}

static void painter_set_style(struct painter *painter, struct style style)
{
	style_switch(painter->out, painter->style, style, painter->caps.depth);
	painter->style = style;
}

static void painter_write(struct painter *painter, const struct page *page, size_t span,
			  struct sv text)
{
	painter_set_style(painter, page->spans.at[span].style);
	painter_set_link(painter, page_link(page, page->spans.at[span].link));
	str_add(painter->out, text);
}

void painter_rest(struct painter *painter)
{
	painter_set_link(painter, SV_EMPTY);
	painter_set_style(painter, (struct style){ .attrs = 0 });
}

void painter_clear(struct painter *painter)
{
	str_clear(&painter->link);
}

/* --- whole rows ------------------------------------------------------------------- */

static bool paint_shows_blanks(const struct page_span *span)
{
	return span->style.bg.kind != COLOR_DEFAULT || span->link ||
	       span->style.attrs & (STYLE_REVERSE | STYLE_UNDERLINE | STYLE_STRIKE);
}

/* The end of the text of a row that can be seen, as an offset in the page. */
static size_t paint_visible_end(const struct page *page, size_t row)
{
	size_t first = page_row_span(page, row);

	for (size_t i = page->rows.at[row].span_end; i > first; i--) {
		struct sv text = page_span_text(page, i - 1);
		size_t end = page->spans.at[i - 1].end;

		if (paint_shows_blanks(&page->spans.at[i - 1]))
			return end;
		while (text.len && text.ptr[text.len - 1] == ' ') {
			text.len--;
			end--;
		}
		if (text.len)
			return end;
	}
	return row ? page->rows.at[row - 1].text_end : 0;
}

size_t paint_row_cells(const struct page *page, size_t row)
{
	/* Only blanks are cut, one cell each. */
	return page->rows.at[row].cells -
	       (page->rows.at[row].text_end - paint_visible_end(page, row));
}

void paint_row(struct painter *painter, const struct page *page, size_t row)
{
	size_t end = paint_visible_end(page, row);

	for (size_t i = page_row_span(page, row); i < page->rows.at[row].span_end; i++) {
		struct sv text = page_span_text(page, i);

		if (page->spans.at[i].end > end)
			text.len -= min_of(text.len, page->spans.at[i].end - end);
		if (text.len)
			painter_write(painter, page, i, text);
	}
}

/* --- cells ------------------------------------------------------------------------ */

void paint_split(paint_cells *cells, const struct page *page, size_t row, size_t columns)
{
	size_t column = 0;

	cells->n = 0;
	for (size_t i = page_row_span(page, row); i < page->rows.at[row].span_end; i++) {
		struct sv text = page_span_text(page, i);

		while (text.len) {
			int width = 0;
			size_t len = utf8_cluster(text, &width);
			struct sv cluster = sv_slice(text, 0, len);

			if (column + (size_t)width > columns)
				return;
			if (width == 0 && cells->n && vec_last(cells)->span == i)
				vec_last(cells)->text.len += len;
			else
				vec_push(cells, ((struct paint_cell){ .text = cluster,
								      .span = i,
								      .column = column,
								      .cells = (size_t)width }));
			column += (size_t)width;
			text = sv_skip(text, len);
		}
	}
}

size_t paint_end(const paint_cells *cells)
{
	return cells->n ? vec_last(cells)->column + vec_last(cells)->cells : 0;
}

static bool paint_same(const struct page *a, const struct paint_cell *x, const struct page *b,
		       const struct paint_cell *y)
{
	return x->column == y->column && sv_eq(x->text, y->text) &&
	       style_eq(a->spans.at[x->span].style, b->spans.at[y->span].style) &&
	       sv_eq(page_link(a, a->spans.at[x->span].link),
		     page_link(b, b->spans.at[y->span].link));
}

void paint_compare(paint_runs *runs, const struct page *old_page, const paint_cells *before,
		   const struct page *new_page, const paint_cells *now)
{
	size_t old = 0;

	for (size_t i = 0; i < now->n; i++) {
		while (old < before->n && before->at[old].column < now->at[i].column)
			old++;
		if (old < before->n &&
		    paint_same(old_page, &before->at[old], new_page, &now->at[i])) {
			old++;
			continue;
		}
		if (runs->n && i - vec_last(runs)->end <= SAME_CELLS)
			vec_last(runs)->end = i + 1;
		else
			vec_push(runs, ((struct paint_run){ .first = i, .end = i + 1 }));
	}
}

void paint_run(struct painter *painter, const struct page *page, const paint_cells *cells,
	       const struct paint_run *run)
{
	for (size_t i = run->first; i < run->end; i++)
		painter_write(painter, page, cells->at[i].span, cells->at[i].text);
}

size_t paint_line_of(const struct page *page, size_t row, size_t columns, size_t cell)
{
	struct sv text = page_row_text(page, row);
	size_t line = 0, used = 0, at = 0;

	BUG_ON(!columns);
	while (text.len && at < cell) {
		int cells = 0;
		size_t len = utf8_cluster(text, &cells);

		if (used + (size_t)cells > columns) {
			line++;
			used = 0;
		}
		used += (size_t)cells;
		at += (size_t)cells;
		text = sv_skip(text, len);
	}
	/* The cell after the end of a full line is on the next one. */
	return line + (used + cell - at) / columns;
}

size_t paint_lines(const struct page *page, size_t row, size_t columns)
{
	size_t cells = page->rows.at[row].cells;

	return cells <= columns ? 1 : 1 + paint_line_of(page, row, columns, cells - 1);
}
