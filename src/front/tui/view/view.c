#include "front/tui/view/view.h"

#include <stdarg.h>

#include "base/utf8.h"
#include "front/display.h"
#include "term/wrap.h"

enum {
	PROSE_CELLS = 110, /* prose is not easier to read on a wider screen */
	TAB_CELLS = 4,
	MOST_BYTES = 4096, /* of a row that is cut: no screen is wider */
	PROMPT_HEAD = 20,  /* lines that are shown of a long prompt */
	PROMPT_TAIL = 10,
};

void view_markdown_look(const struct view *view, struct markdown_look *look)
{
	*look = (struct markdown_look){ .columns = min_of(view->columns, (size_t)PROSE_CELLS),
					.has_links = view->has_links,
					.folds_code = view->folds_code };
	theme_markdown(view->theme, look);
}

/* Tabs are relative to where the text begins, whatever stands before it. */
void view_expand_tabs(struct str *out, struct sv text, size_t cells)
{
	size_t at;

	while ((at = sv_find_char(text, '\t')) != SIZE_MAX) {
		struct sv piece = sv_slice(text, 0, at);

		str_add(out, piece);
		cells += utf8_cells(piece);
		do
			str_addc(out, ' ');
		while (++cells % TAB_CELLS);
		text = sv_skip(text, at + 1);
	}
	str_add(out, text);
}

static bool view_add_fitting(struct page *page, struct sv text, struct style style, size_t columns)
{
	size_t at = 0, cells = page->cells;

	if (cells + utf8_cells(text) <= columns) {
		page_add(page, text, style);
		return true;
	}
	while (at < text.len) {
		int wide;
		size_t n = utf8_cluster(sv_skip(text, at), &wide);

		if (cells + (size_t)wide > columns - 1)
			break;
		cells += (size_t)wide;
		at += n;
	}
	page_add(page, sv_slice(text, 0, at), style);
	page_add(page, SV("…"), style);
	return false;
}

bool view_add_part(struct page *page, struct sv text, struct style style, size_t columns,
		   size_t start)
{
	defer(str_clear) struct str expanded = STR_INIT;

	if (page->cells >= columns)
		return false;
	text = sv_slice(text, 0, MOST_BYTES);
	if (sv_find_char(text, '\t') != SIZE_MAX) {
		view_expand_tabs(&expanded, text, page->cells - start);
		text = sv_of(&expanded);
	}
	return view_add_fitting(page, text, style, columns);
}

void view_add_cut(struct page *page, struct sv text, struct style style, size_t columns)
{
	view_add_part(page, text, style, columns, page->cells);
}

void view_add_items(struct page *page, struct sv items, struct style style, size_t columns)
{
	static const struct sv separator = SV_INIT(" · ");
	size_t end = 0;

	while (end < items.len) {
		size_t start =
			sv_starts(sv_skip(items, end), separator) ? end + separator.len : end;
		struct sv item;

		item = sv_slice(items, end,
				start + min_of(sv_find(sv_skip(items, start), separator),
					       items.len - start));
		if (end && page->cells + utf8_cells(item) > columns)
			return;
		view_add_cut(page, item, style, columns);
		end += item.len;
	}
}

static size_t view_count_lines(struct sv text)
{
	struct sv line;
	size_t n = 0;

	while (sv_cut_line(&text, &line))
		n++;
	return n;
}

/* --- prompts and notices --------------------------------------------------------- */

/* The first `lines` lines of a text, or as much of them as is worth showing. */
static struct sv view_prompt_head(struct sv text, size_t lines)
{
	struct sv rest = text, line;

	while (lines-- > 0 && sv_cut_line(&rest, &line))
		;
	return utf8_prefix(sv_slice(text, 0, text.len - rest.len), MOST_BYTES);
}

/* The same for the last ones. */
static struct sv view_prompt_tail(struct sv text, size_t lines)
{
	size_t from = text.len, before;

	while (lines-- > 0 && from > 0) {
		before = sv_rfind_char(sv_slice(text, 0, from - 1), '\n');
		from = before == SIZE_MAX ? 0 : before + 1;
	}
	if (text.len - from > MOST_BYTES)
		from = text.len - MOST_BYTES;
	while (from < text.len && ((unsigned char)text.ptr[from] & 0xc0) == 0x80)
		from++; /* the rest of a character */
	return sv_skip(text, from);
}

/* Whether the prompt fills so many rows that its middle is left out: the part between both. */
static bool view_prompt_fold(const struct view *view, struct sv text, struct sv *head,
			     struct sv *middle, struct sv *tail)
{
	*head = view_prompt_head(text, PROMPT_HEAD);
	*tail = view_prompt_tail(text, PROMPT_TAIL);
	*middle = SV_EMPTY;
	if (!view->is_verbose && head->len + tail->len < text.len)
		*middle = sv_slice(text, head->len, text.len - tail->len);
	/* One hidden line costs as much room as the row that counts it. */
	return middle->len > MOST_BYTES || view_count_lines(*middle) > 1;
}

static void view_prompt_part(struct page *rows, const struct view *view, const char *mark,
			     struct sv text)
{
	const struct theme *theme = view->theme;
	struct wrap wrap;

	wrap_init(&wrap, rows, max_of(view->columns, (size_t)4) - 1, WRAP_WORDS,
		  (struct wrap_prefix){ sv_cstr(mark), style_over(theme->user, theme->prompt) },
		  (struct wrap_prefix){ SV("  "), theme->user });
	wrap_add(&wrap, text, theme->user);
	wrap_end(&wrap);
}

void view_prompt(struct page *page, const struct view *view, struct sv text)
{
	size_t first = page->rows.n;
	struct page rows = { .cells = 0 };
	struct sv head, middle, tail;

	text = sv_trim(text);
	if (view_prompt_fold(view, text, &head, &middle, &tail)) {
		view_prompt_part(&rows, view, "❯ ", sv_trim(head));
		view_more(&rows, view, "  ", view_count_lines(middle));
		view_prompt_part(&rows, view, "  ", tail);
	} else {
		view_prompt_part(&rows, view, "❯ ", text);
	}
	for (size_t i = 0; i < rows.rows.n; i++) {
		page_copy_row(page, &rows, i);
		page_pad(page, view->columns, view->theme->user);
		page_end_row(page);
	}
	page_clear(&rows);
	if (page->rows.n == first)
		page_end_row(page);
}

void view_notice(struct page *page, const struct view *view, const char *mark, struct style style,
		 struct sv text)
{
	struct wrap wrap;

	wrap_init(&wrap, page, min_of(view->columns, (size_t)PROSE_CELLS), WRAP_WORDS,
		  (struct wrap_prefix){ sv_cstr(mark), style },
		  (struct wrap_prefix){ SV("  "), style });
	wrap_add(&wrap, sv_trim(text), style);
	wrap_end(&wrap);
}

/* How a line of a patch of git looks. */
static struct style view_patch_style(const struct theme *theme, struct sv line, bool is_heading)
{
	if (is_heading)
		return theme->dim;
	return sv_starts(line, SV("+"))    ? theme->success
	       : sv_starts(line, SV("-"))  ? theme->error
	       : sv_starts(line, SV("@@")) ? theme->accent
					   : theme->text;
}

void view_lines(struct page *page, const struct view *view, struct sv text)
{
	bool is_patch = false, is_heading = false;
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		struct style style = view->theme->text;
		struct wrap wrap;

		if (sv_starts(line, SV("diff --git ")))
			is_patch = is_heading = true;
		else if (sv_starts(line, SV("@@")))
			is_heading = false;
		if (is_patch)
			style = view_patch_style(view->theme, line, is_heading);
		wrap_init(&wrap, page, view->columns, WRAP_WORDS,
			  (struct wrap_prefix){ SV("  "), style },
			  (struct wrap_prefix){ SV("      "), style });
		wrap_add(&wrap, line, style);
		wrap_end(&wrap);
	}
}

void view_aside(struct page *page, const struct view *view, const char *fmt, ...)
{
	defer(str_clear) struct str line = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&line, fmt, args);
	va_end(args);
	view_add_cut(page, sv_of(&line), view->theme->dim, view->columns);
	page_end_row(page);
}

void view_thought(struct page *page, const struct view *view, struct sv text, size_t max_rows)
{
	struct style style = view->theme->dim;
	struct page rows = { .cells = 0 };
	struct wrap wrap;

	style.attrs |= STYLE_ITALIC;
	wrap_init(&wrap, &rows, min_of(view->columns, (size_t)PROSE_CELLS), WRAP_WORDS,
		  (struct wrap_prefix){ SV("  "), style }, (struct wrap_prefix){ SV("  "), style });
	wrap_add(&wrap, sv_trim(text), style);
	wrap_end(&wrap);
	page_copy(page, &rows, rows.rows.n - min_of(rows.rows.n, max_rows), rows.rows.n);
	page_clear(&rows);
}

/* --- output ------------------------------------------------------------------------ */

/* The length of an escape sequence at the start of `text`. Programs colour their output; a row has one style. */
static size_t view_escape_length(struct sv text)
{
	size_t n = 2;

	if (text.len < 2)
		return text.len;
	if (text.ptr[1] == '[') {
		while (n < text.len && (unsigned char)text.ptr[n] < 0x40)
			n++;
		return min_of(n + 1, text.len);
	}
	if (text.ptr[1] != ']')
		return n;
	while (n < text.len && text.ptr[n] != '\a' && text.ptr[n] != '\x1b')
		n++;
	return min_of(n + (n < text.len && text.ptr[n] == '\x1b' ? 2 : 1), text.len);
}

/* Append a line of output as a terminal would leave it: without colours, and with what a carriage return has
 * overwritten left out. */
static void view_clean_line(struct str *out, struct sv line)
{
	size_t from = sv_rfind_char(line, '\r');

	if (from != SIZE_MAX)
		line = sv_skip(line, from + 1);
	while (line.len) {
		size_t n = min_of(sv_find_char(line, '\x1b'), line.len);

		str_add(out, sv_slice(line, 0, n));
		line = sv_skip(line, n);
		line = sv_skip(line, line.len ? view_escape_length(line) : 0);
	}
}

static void view_whole_line(struct page *page, const struct view *view, const char *before,
			    struct style style, struct sv line)
{
	struct wrap_prefix prefix = { sv_cstr(before), view->theme->dim };
	struct wrap wrap;

	if (!line.len)
		page_end_row(page);
	wrap_init(&wrap, page, view->columns, WRAP_CLUSTERS, prefix, prefix);
	wrap_add(&wrap, line, style);
	wrap_end(&wrap);
}

static void view_output_line(struct page *page, const struct view *view, const char *before,
			     struct style style, struct sv line)
{
	defer(str_clear) struct str clean = STR_INIT;

	view_clean_line(&clean, view->is_verbose ? line : sv_slice(line, 0, MOST_BYTES));
	if (view->is_verbose) {
		view_whole_line(page, view, before, style, sv_of(&clean));
		return;
	}
	page_add(page, sv_cstr(before), view->theme->dim);
	view_add_cut(page, sv_of(&clean), style, view->columns);
	page_end_row(page);
}

void view_more(struct page *page, const struct view *view, const char *before, size_t lines)
{
	const char *key = view->key.len ? " · " : "";

	view_aside(page, view, "%s… %zu more line%s%s%.*s", before, lines, lines == 1 ? "" : "s",
		   key, SV_ARG(view->key));
}

void view_output(struct page *page, const struct view *view, const char *before, struct style style,
		 struct sv text, size_t head, size_t tail)
{
	size_t n = view_count_lines(text), hidden;
	struct sv line;

	/* One hidden line costs as much room as the row that counts it. */
	hidden = view->is_verbose || n <= head + tail + 1 ? 0 : n - head - tail;
	for (size_t i = 0; sv_cut_line(&text, &line); i++) {
		if (!hidden || i < head || i >= head + hidden) {
			view_output_line(page, view, before, style, line);
		} else if (i == head) {
			view_more(page, view, before, hidden);
		}
	}
}

void view_add_seconds(struct str *out, int64_t ms)
{
	long long s = (long long)(ms / 1000);

	if (s < 60)
		str_addf(out, "%lld s", s);
	else if (s < 3600)
		str_addf(out, "%lld m %lld s", s / 60, s % 60);
	else
		str_addf(out, "%lld h %lld m", s / 3600, s / 60 % 60);
}
