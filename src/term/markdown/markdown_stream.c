#include "term/markdown/markdown_stream.h"

#include "base/ascii.h"
#include "term/wrap.h"
#include "text/markdown/md.h"

void markdown_stream_clear(struct markdown_stream *s)
{
	str_clear(&s->text);
	str_clear(&s->fence);
	*s = (struct markdown_stream){ .needs_gap = false };
}

void markdown_stream_add(struct markdown_stream *s, struct sv text)
{
	str_add(&s->text, text);
}

/* The look of the open block. */
static struct markdown_look markdown_stream_look(const struct markdown_stream *s,
						 const struct markdown_look *look)
{
	struct markdown_look own = *look;

	if (s->printed) {
		own.columns = s->columns;
		own.folds_code = true;
	}
	return own;
}

static void markdown_stream_gap(struct markdown_stream *s, struct page *done)
{
	if (s->needs_gap)
		page_end_row(done);
	s->needs_gap = false;
}

/* Finish the first rows of the open block, up to `end`. */
static void markdown_stream_print(struct markdown_stream *s, const struct page *rows, size_t end,
				  struct page *done)
{
	if (end <= s->printed)
		return;
	markdown_stream_gap(s, done);
	page_copy(done, rows, s->printed, end);
	s->printed = end;
}

/* Finish the first `len` bytes. */
static void markdown_stream_finish(struct markdown_stream *s, const struct markdown_look *look,
				   size_t len, struct page *done)
{
	struct markdown_look own = markdown_stream_look(s, look);
	struct page rows = { .link = 0 };

	markdown_paint(&rows, sv_slice(sv_of(&s->text), 0, len), &own);
	markdown_stream_print(s, &rows, rows.rows.n, done);
	s->needs_gap = s->needs_gap || s->printed;
	s->printed = 0;
	str_consume(&s->text, len);
	page_clear(&rows);
}

/* --- lists ------------------------------------------------------------------------ */

/* Whether a line begins an item of an outermost list. */
static bool markdown_is_item(struct sv line)
{
	size_t digits = 0;

	if (line.len > 1 && ascii_is_one_of(*line.ptr, "-*+") && line.ptr[1] == ' ')
		return true;
	while (digits < line.len && ascii_is_digit(line.ptr[digits]))
		digits++;
	return digits && digits < 10 && digits + 1 < line.len &&
	       ascii_is_one_of(line.ptr[digits], ".)") && line.ptr[digits + 1] == ' ';
}

/* Where the last item of a list begins, if the text is one; else 0. */
static size_t markdown_last_item(struct sv text)
{
	size_t last = 0, at = 0;
	struct sv rest = text, line;

	if (!markdown_is_item(text))
		return 0;
	while (sv_cut_line(&rest, &line)) {
		if (sv_starts(sv_trim(line), SV("```")) || sv_starts(sv_trim(line), SV("~~~")))
			return 0; /* what looks like an item may be code */
		if (at && markdown_is_item(line))
			last = at;
		at = text.len - rest.len;
	}
	return last;
}

/* --- code ------------------------------------------------------------------------- */

/* Whether the text begins with the complete line that opens a fence; gives its mark and what follows it. */
static bool markdown_opens_fence(struct sv text, struct sv *mark, struct sv *info)
{
	size_t end = sv_find_char(text, '\n'), n = 0;

	if (end == SIZE_MAX || !text.len || (*text.ptr != '`' && *text.ptr != '~'))
		return false;
	while (n < end && text.ptr[n] == *text.ptr)
		n++;
	*mark = sv_slice(text, 0, n);
	*info = sv_trim(sv_slice(text, n, end));
	return n >= 3 && sv_find_char(*info, '`') == SIZE_MAX;
}

static bool markdown_closes_fence(struct sv line, struct sv mark)
{
	line = sv_trim(line);
	if (!sv_starts(line, mark))
		return false;
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] != *mark.ptr)
			return false;
	return true;
}

static void markdown_add_piece(void *arg, struct sv text, const struct style *style)
{
	page_add(arg, text, *style);
}

static void markdown_wrap_piece(void *arg, struct sv text, const struct style *style)
{
	wrap_add(arg, text, *style);
}

static void markdown_begin_fence(struct markdown_stream *s, struct page *done)
{
	struct sv mark, info;
	size_t end = 0;

	if (s->is_code || !markdown_opens_fence(sv_of(&s->text), &mark, &info))
		return;
	while (end < info.len && !ascii_is_one_of(info.ptr[end], " ,{"))
		end++;
	highlight_init(&s->highlight, highlight_find(sv_slice(info, 0, end)));
	str_set(&s->fence, mark);
	markdown_stream_gap(s, done);
	s->is_code = true;
	str_consume(&s->text, sv_find_char(sv_of(&s->text), '\n') + 1);
}

/* Finish the complete lines of code. */
static void markdown_finish_code(struct markdown_stream *s, const struct markdown_look *look,
				 struct page *done)
{
	size_t used = 0;

	while (s->is_code) {
		struct sv rest = sv_skip(sv_of(&s->text), used);
		size_t end = sv_find_char(rest, '\n');
		struct sv line = sv_slice(rest, 0, end);

		if (end == SIZE_MAX)
			break;
		used += end + 1;
		if (markdown_closes_fence(line, sv_of(&s->fence))) {
			s->is_code = false;
			s->needs_gap = true;
			break;
		}
		highlight_line(&s->highlight, line, &look->code_block, markdown_add_piece, done);
		page_end_row(done);
	}
	str_consume(&s->text, used);
}

/* The line that is not complete. */
static void markdown_open_line(const struct markdown_stream *s, const struct markdown_look *look,
			       struct page *open)
{
	static const struct wrap_prefix none;
	struct highlight highlight = s->highlight; /* it will be read again */
	struct wrap wrap;

	wrap_init(&wrap, open, look->columns, WRAP_CLUSTERS, none, none);
	highlight_line(&highlight, sv_of(&s->text), &look->code_block, markdown_wrap_piece, &wrap);
	wrap_end(&wrap);
}

/* --- all of it -------------------------------------------------------------------- */

/* Finish everything that can be. */
static void markdown_stream_advance(struct markdown_stream *s, const struct markdown_look *look,
				    struct page *done)
{
	size_t before;

	do {
		size_t len;

		before = s->text.len;
		if (!s->printed)
			markdown_begin_fence(s, done);
		markdown_finish_code(s, look, done);
		if (s->is_code)
			return;
		len = md_stable_prefix(sv_of(&s->text));
		if (len)
			markdown_stream_finish(s, look, len, done);
		len = markdown_last_item(sv_of(&s->text));
		if (len) {
			markdown_stream_finish(s, look, len, done);
			s->needs_gap = false; /* the list goes on */
		}
	} while (s->text.len && s->text.len < before);
}

void markdown_stream_paint(struct markdown_stream *s, const struct markdown_look *look,
			   size_t max_open, struct page *done, struct page *open)
{
	struct markdown_look own;
	struct page rows = { .link = 0 };

	markdown_stream_advance(s, look, done);
	if (s->is_code) {
		markdown_open_line(s, look, open);
		return;
	}
	own = markdown_stream_look(s, look);
	own.folds_code = true;
	markdown_paint(&rows, sv_of(&s->text), &own);
	if (rows.rows.n > s->printed + max_open) {
		s->columns = own.columns;
		markdown_stream_print(s, &rows, rows.rows.n - max_open, done);
	}
	if (s->needs_gap && rows.rows.n)
		page_end_row(open);
	page_copy(open, &rows, min_of(s->printed, rows.rows.n), rows.rows.n);
	page_clear(&rows);
}

void markdown_stream_end(struct markdown_stream *s, const struct markdown_look *look,
			 struct page *done)
{
	markdown_stream_advance(s, look, done);
	if (s->is_code && s->text.len) {
		str_addc(&s->text, '\n');
		markdown_finish_code(s, look, done);
	} else {
		markdown_stream_finish(s, look, s->text.len, done);
	}
	markdown_stream_clear(s);
}
