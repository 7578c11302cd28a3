#include "term/page.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/invisible.h"

enum { TAB_CELLS = 8, PAGE_KEPT = 1024 * 1024 /* bytes of memory that an empty page keeps */ };

static size_t page_rows_end(const struct page *page)
{
	return page->rows.n ? vec_last(&page->rows)->span_end : 0;
}

/* Append bytes that are known to be harmless. */
static void page_append(struct page *page, struct sv text, size_t cells, struct style style)
{
	struct page_span *last =
		page->spans.n > page_rows_end(page) ? vec_last(&page->spans) : NULL;

	if (!text.len)
		return;
	str_add(&page->text, text);
	page->cells += cells;
	if (last && last->link == page->link && style_eq(last->style, style)) {
		last->end = page->text.len;
		return;
	}
	vec_push(&page->spans, ((struct page_span){
				       .end = page->text.len,
				       .style = style,
				       .link = page->link,
			       }));
}

static bool page_is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

/* Whether a cluster is malformed, controls a terminal, or shows nothing and could deceive. */
static bool page_is_unsafe(struct sv cluster)
{
	uint32_t rune = 0;

	return utf8_decode(cluster, &rune) < 0 || rune == '\r' || invisible_is(rune);
}

/* Append one cluster that is not plain ASCII. */
static void page_add_cluster(struct page *page, struct sv cluster, size_t cells, struct style style)
{
	if (sv_eq(cluster, SV("\n")) || sv_eq(cluster, SV("\r\n")))
		page_end_row(page);
	else if (sv_eq(cluster, SV("\t")))
		page_pad(page, page->cells + TAB_CELLS - page->cells % TAB_CELLS, style);
	else if (page_is_unsafe(cluster))
		page_append(page, UTF8_REPLACEMENT, 1, style);
	else
		page_append(page, cluster, cells, style);
}

void page_add(struct page *page, struct sv text, struct style style)
{
	while (text.len) {
		size_t plain = 0;

		while (plain < text.len && page_is_plain(text.ptr[plain]))
			plain++;
		/* The last character may be the base of a combining one. */
		if (plain && plain < text.len && (unsigned char)text.ptr[plain] >= 0x80)
			plain--;
		page_append(page, sv_slice(text, 0, plain), plain, style);
		text = sv_skip(text, plain);
		if (text.len) {
			int cells = 0;
			size_t len = utf8_cluster(text, &cells);

			page_add_cluster(page, sv_slice(text, 0, len), (size_t)cells, style);
			text = sv_skip(text, len);
		}
	}
}

void page_addf(struct page *page, struct style style, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	page_add(page, sv_of(&text), style);
}

void page_pad(struct page *page, size_t cells, struct style style)
{
	static const char blanks[] = "                                ";

	while (page->cells < cells) {
		size_t n = min_of(cells - page->cells, sizeof(blanks) - 1);

		page_append(page, sv_from(blanks, n), n, style);
	}
}

void page_end_row(struct page *page)
{
	vec_push(&page->rows, ((struct page_row){
				      .text_end = page->text.len,
				      .span_end = page->spans.n,
				      .cells = page->cells,
			      }));
	page->cells = 0;
}

void page_finish_row(struct page *page)
{
	if (page->spans.n > page_rows_end(page))
		page_end_row(page);
}

/* --- links ------------------------------------------------------------------------ */

static bool page_may_link(struct sv url)
{
	static const struct sv schemes[] = {
		SV_INIT("https://"),
		SV_INIT("http://"),
		SV_INIT("file://"),
		SV_INIT("mailto:"),
	};

	for (size_t i = 0; i < url.len; i++)
		if (url.ptr[i] <= ' ' || url.ptr[i] > '~') /* a real address has these encoded */
			return false;
	for (size_t i = 0; i < countof(schemes); i++)
		if (sv_starts(url, schemes[i]))
			return true;
	return false;
}

static size_t page_link_index(struct page *page, struct sv url)
{
	for (size_t i = page->links.n; i > 0; i--)
		if (sv_eq(sv_of(&page->links.at[i - 1]), url))
			return i;
	str_add(vec_add(&page->links), url);
	return page->links.n;
}

void page_set_link(struct page *page, struct sv url)
{
	page->link = page_may_link(url) ? page_link_index(page, url) : 0;
}

struct sv page_link(const struct page *page, size_t link)
{
	return link ? sv_of(&page->links.at[link - 1]) : SV_EMPTY;
}

/* --- rows ------------------------------------------------------------------------- */

struct sv page_row_text(const struct page *page, size_t row)
{
	size_t from = row ? page->rows.at[row - 1].text_end : 0;

	return sv_slice(sv_of(&page->text), from, page->rows.at[row].text_end);
}

size_t page_row_span(const struct page *page, size_t row)
{
	return row ? page->rows.at[row - 1].span_end : 0;
}

struct sv page_span_text(const struct page *page, size_t span)
{
	return sv_slice(sv_of(&page->text), span ? page->spans.at[span - 1].end : 0,
			page->spans.at[span].end);
}

static void page_copy_spans(struct page *page, const struct page *from, size_t first, size_t end)
{
	size_t link = page->link;

	for (size_t i = first; i < end; i++) {
		struct sv text = page_span_text(from, i);

		page_set_link(page, page_link(from, from->spans.at[i].link));
		page_append(page, text, utf8_cells(text), from->spans.at[i].style);
	}
	page->link = link;
}

void page_copy_row(struct page *page, const struct page *from, size_t row)
{
	page_copy_spans(page, from, page_row_span(from, row), from->rows.at[row].span_end);
}

/* Append whole rows to a page that has no open row. */
static void page_copy_rows(struct page *page, const struct page *from, size_t first, size_t end)
{
	size_t text = first ? from->rows.at[first - 1].text_end : 0, base = page->text.len;
	size_t span = page_row_span(from, first), spans = page->spans.n, last;

	last = from->rows.at[end - 1].span_end;
	str_add(&page->text, sv_slice(sv_of(&from->text), text, from->rows.at[end - 1].text_end));
	for (size_t i = span; i < last; i++) {
		struct page_span copy = from->spans.at[i];

		copy.end = copy.end - text + base;
		if (copy.link)
			copy.link = page_link_index(page, page_link(from, copy.link));
		vec_push(&page->spans, copy);
	}
	for (size_t row = first; row < end; row++) {
		struct page_row copy = from->rows.at[row];

		copy.text_end = copy.text_end - text + base;
		copy.span_end = copy.span_end - span + spans;
		vec_push(&page->rows, copy);
	}
}

void page_copy(struct page *page, const struct page *from, size_t first, size_t end)
{
	if (first < end && page->spans.n == page_rows_end(page)) {
		page_copy_rows(page, from, first, end);
		return;
	}
	for (size_t row = first; row < end; row++) {
		page_copy_row(page, from, row);
		page_end_row(page);
	}
}

void page_copy_open(struct page *page, const struct page *from)
{
	page_copy_spans(page, from, page_rows_end(from), from->spans.n);
}

bool page_row_eq(const struct page *a, size_t row_a, const struct page *b, size_t row_b)
{
	size_t i = page_row_span(a, row_a), j = page_row_span(b, row_b);
	size_t n = a->rows.at[row_a].span_end - i;

	if (n != b->rows.at[row_b].span_end - j)
		return false;
	for (size_t k = 0; k < n; k++)
		if (!style_eq(a->spans.at[i + k].style, b->spans.at[j + k].style) ||
		    !sv_eq(page_span_text(a, i + k), page_span_text(b, j + k)) ||
		    !sv_eq(page_link(a, a->spans.at[i + k].link),
			   page_link(b, b->spans.at[j + k].link)))
			return false;
	return true;
}

void page_drop_row(struct page *page)
{
	str_truncate(&page->text, page->rows.n ? vec_last(&page->rows)->text_end : 0);
	page->spans.n = page_rows_end(page);
	page->cells = 0;
}

void page_cut(struct page *page, size_t rows)
{
	page->rows.n = min_of(page->rows.n, rows);
	page_drop_row(page);
}

void page_reset(struct page *page)
{
	for (size_t i = 0; i < page->links.n; i++)
		str_clear(&page->links.at[i]);
	page->links.n = 0;
	str_truncate(&page->text, 0);
	page->spans.n = page->rows.n = 0;
	page->cells = page->link = 0;
	if (page->text.cap > PAGE_KEPT || page->spans.cap > PAGE_KEPT / sizeof(*page->spans.at)) {
		str_clear(&page->text);
		vec_clear(&page->spans);
		vec_clear(&page->rows);
	}
}

void page_clear(struct page *page)
{
	page_reset(page);
	vec_clear(&page->links);
	vec_clear(&page->spans);
	vec_clear(&page->rows);
	str_clear(&page->text);
}
