#include "term/wrap.h"

#include "base/ascii.h"
#include "base/utf8.h"

enum { TAB_CELLS = 8 };

void wrap_init(struct wrap *wrap, struct page *page, size_t cells, enum wrap_mode mode,
	       struct wrap_prefix first, struct wrap_prefix rest)
{
	*wrap = (struct wrap){
		.page = page,
		.cells = cells,
		.mode = mode,
		.first = first,
		.rest = rest,
	};
}

/* Write the prefix that the current row lacks. */
static void wrap_begin_row(struct wrap *wrap)
{
	if (wrap->has_row)
		return;
	page_add(wrap->page, wrap->first.text, wrap->first.style);
	wrap->first = wrap->rest;
	wrap->has_row = true;
	wrap->start = wrap->page->cells;
}

static void wrap_end_row(struct wrap *wrap)
{
	wrap_begin_row(wrap);
	page_end_row(wrap->page);
	wrap->has_row = false;
	wrap->blanks = 0;
}

/* Cells left on the current row. A row without text has at least one. */
static size_t wrap_space(const struct wrap *wrap)
{
	size_t used = wrap->page->cells;

	if (used < wrap->cells)
		return wrap->cells - used;
	return used == wrap->start ? 1 : 0;
}

/* Fill the row up to the next tab stop, counted from the prefix. */
static void wrap_add_tab(struct wrap *wrap, struct style style)
{
	size_t cells = TAB_CELLS - (wrap->page->cells - wrap->start) % TAB_CELLS;

	page_pad(wrap->page, wrap->page->cells + min_of(cells, wrap_space(wrap)), style);
}

/* Append text and break it anywhere. */
static void wrap_add_clusters(struct wrap *wrap, struct sv text, struct style style)
{
	while (text.len) {
		int cells = 0;
		size_t len = utf8_cluster(text, &cells);

		wrap_begin_row(wrap);
		/* A wide character goes somewhere even where no row is wide enough. */
		if ((size_t)cells > wrap_space(wrap) && wrap->page->cells > wrap->start) {
			wrap_end_row(wrap);
			wrap_begin_row(wrap);
		}
		if (*text.ptr == '\t')
			wrap_add_tab(wrap, style);
		else
			page_add(wrap->page, sv_slice(text, 0, len), style);
		text = sv_skip(text, len);
	}
}

static void wrap_add_word_pieces(struct wrap *wrap)
{
	for (size_t i = 0; i < wrap->word.spans.n; i++) {
		page_set_link(wrap->page, page_link(&wrap->word, wrap->word.spans.at[i].link));
		wrap_add_clusters(wrap, page_span_text(&wrap->word, i),
				  wrap->word.spans.at[i].style);
	}
	page_set_link(wrap->page, SV_EMPTY);
}

/* Place the word that is now complete. */
static void wrap_end_word(struct wrap *wrap)
{
	if (!wrap->word.text.len)
		return;
	wrap_begin_row(wrap);
	if (wrap->page->cells > wrap->start && wrap->blanks + wrap->word.cells > wrap_space(wrap)) {
		wrap_end_row(wrap);
		wrap_begin_row(wrap);
	}
	/* An indent of any depth leaves room for text. */
	if (wrap->page->cells == wrap->start)
		wrap->blanks = min_of(wrap->blanks, wrap_space(wrap) / 2);
	page_pad(wrap->page, wrap->page->cells + wrap->blanks, wrap->blank_style);
	wrap->blanks = 0;
	if (wrap->word.cells <= wrap_space(wrap))
		page_copy_open(wrap->page, &wrap->word);
	else
		wrap_add_word_pieces(wrap);
	page_drop_row(&wrap->word);
}

static void wrap_add_blank(struct wrap *wrap, struct style style)
{
	wrap_end_word(wrap);
	wrap->blanks++;
	wrap->blank_style = style;
}

static void wrap_add_words(struct wrap *wrap, struct sv text, struct style style)
{
	while (text.len) {
		size_t len = 0;

		while (len < text.len && !ascii_is_blank(text.ptr[len]))
			len++;
		page_add(&wrap->word, sv_slice(text, 0, len), style);
		text = sv_skip(text, len);
		if (text.len) {
			wrap_add_blank(wrap, style);
			text = sv_skip(text, 1);
		}
	}
}

void wrap_add(struct wrap *wrap, struct sv text, struct style style)
{
	for (;;) {
		size_t end = sv_find_char(text, '\n');
		struct sv line = sv_slice(text, 0, end);

		if (wrap->mode == WRAP_WORDS)
			wrap_add_words(wrap, line, style);
		else
			wrap_add_clusters(wrap, line, style);
		if (end == SIZE_MAX)
			return;
		wrap_end_word(wrap);
		wrap_end_row(wrap);
		text = sv_skip(text, end + 1);
	}
}

void wrap_set_link(struct wrap *wrap, struct sv url)
{
	page_set_link(wrap->mode == WRAP_WORDS ? &wrap->word : wrap->page, url);
}

void wrap_end(struct wrap *wrap)
{
	wrap_end_word(wrap);
	if (wrap->has_row)
		wrap_end_row(wrap);
	page_clear(&wrap->word);
}
