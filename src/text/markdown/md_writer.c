#include "text/markdown/md_writer.h"

#include "base/utf8.h"
#include "text/invisible.h"

enum { FRAMES = 16 };

void md_writer_init(struct md_writer *w, struct str *out, size_t max)
{
	*w = (struct md_writer){ .out = out, .start = out->len, .max = max };
}

void md_writer_clear(struct md_writer *w)
{
	struct sv written = sv_skip(sv_of(w->out), w->start);

	if (written.len > w->max)
		str_truncate(w->out, w->start + utf8_prefix(written, w->max).len);
	for (size_t i = 0; i < w->marks.n; i++)
		str_clear(&w->marks.at[i].close);
	vec_clear(&w->marks);
	vec_clear(&w->frames);
	str_clear(&w->scratch);
}

bool md_writer_full(const struct md_writer *w)
{
	return w->out->len - w->start > w->max;
}

/* --- lines ------------------------------------------------------------------------ */

static void md_writer_trim_line(struct md_writer *w)
{
	while (w->out->len > w->start && w->out->ptr[w->out->len - 1] == ' ')
		str_truncate(w->out, w->out->len - 1);
}

/* The number of frames around the gap between two blocks, without those that have not
 * begun. */
static void md_writer_add_blank_line(struct md_writer *w)
{
	for (size_t i = 0; i < w->frames.n && w->frames.at[i].used; i++)
		str_adds(w->out, w->frames.at[i].indent);
	md_writer_trim_line(w);
	str_addc(w->out, '\n');
}

static void md_writer_begin_line(struct md_writer *w)
{
	if (w->begun) {
		str_addc(w->out, '\n');
		if (w->want > 1)
			md_writer_add_blank_line(w);
	}
	for (size_t i = 0; i < w->frames.n; i++) {
		struct md_frame *frame = &w->frames.at[i];

		str_adds(w->out, frame->used ? frame->indent : frame->marker);
		frame->used = true;
	}
	w->begun = true;
	w->want = 0;
	w->space = false;
}

/* Write everything that was waiting for text. */
static void md_writer_begin_text(struct md_writer *w)
{
	if (!w->begun || w->want)
		md_writer_begin_line(w);
	else if (w->space)
		str_addc(w->out, ' ');
	w->space = false;
	for (; w->written < w->marks.n; w->written++)
		str_adds(w->out, w->marks.at[w->written].open);
}

void md_bytes(struct md_writer *w, struct sv bytes)
{
	md_writer_begin_text(w);
	str_add(w->out, bytes);
}

void md_line(struct md_writer *w, struct sv line)
{
	w->want = max_of(w->want, 1);
	md_writer_begin_line(w);
	str_add(w->out, line);
	if (!line.len)
		md_writer_trim_line(w);
	w->want = 1;
}

/* --- words ------------------------------------------------------------------------ */

static bool md_writer_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void md_writer_add_word(struct md_writer *w, struct sv word)
{
	struct sv part;

	md_writer_begin_text(w);
	if (!w->cell) {
		str_add(w->out, word);
		return;
	}
	while (sv_cut(&word, '|', &part)) {
		str_add(w->out, part);
		if (word.ptr)
			str_adds(w->out, "\\|");
	}
}

/* Treat non-breaking blanks as blanks. */
static void md_writer_plain_blanks(struct str *text)
{
	for (size_t i = 0; i + 1 < text->len; i++)
		if (text->ptr[i] == '\xc2' && text->ptr[i + 1] == '\xa0')
			text->ptr[i] = text->ptr[i + 1] = ' ';
}

void md_words(struct md_writer *w, struct sv text)
{
	struct sv rest;
	size_t n;

	str_truncate(&w->scratch, 0);
	invisible_drop(&w->scratch, text);
	md_writer_plain_blanks(&w->scratch);
	for (rest = sv_of(&w->scratch); rest.len; rest = sv_skip(rest, n)) {
		for (n = 0; n < rest.len && md_writer_is_blank(rest.ptr[n]); n++)
			w->space = true;
		rest = sv_skip(rest, n);
		for (n = 0; n < rest.len && !md_writer_is_blank(rest.ptr[n]); n++)
			;
		if (n)
			md_writer_add_word(w, sv_slice(rest, 0, n));
	}
}

/* --- structure -------------------------------------------------------------------- */

/* Marks do not extend from one block into the next: they end here, and begin again with
 * the next text. */
static void md_writer_suspend_marks(struct md_writer *w)
{
	while (w->written > 0)
		str_add(w->out, sv_of(&w->marks.at[--w->written].close));
}

void md_break(struct md_writer *w, int lines)
{
	if (w->flat) {
		w->space = true;
		return;
	}
	if (w->frames.n && !vec_last(&w->frames)->used)
		return; /* the frame has no text yet to break away from */
	md_writer_suspend_marks(w);
	w->want = max_of(w->want, lines);
}

void md_newline(struct md_writer *w)
{
	md_break(w, min_of(w->want + 1, 2));
}

void md_push(struct md_writer *w, struct sv marker, struct sv indent)
{
	struct md_frame *frame;

	if (w->frames.n == FRAMES) {
		w->too_deep++;
		return;
	}
	frame = vec_add(&w->frames);
	memcpy(frame->marker, marker.ptr, min_of(marker.len, sizeof(frame->marker) - 1));
	memcpy(frame->indent, indent.ptr, min_of(indent.len, sizeof(frame->indent) - 1));
}

void md_pop(struct md_writer *w)
{
	if (w->too_deep) {
		w->too_deep--;
		return;
	}
	if (vec_pop(&w->frames).used) {
		md_writer_suspend_marks(w);
		w->want = 1;
	}
}

void md_open(struct md_writer *w, const char *open, struct sv close)
{
	struct md_mark *mark = vec_add(&w->marks);

	mark->open = open;
	str_add(&mark->close, close);
}

void md_close(struct md_writer *w)
{
	struct md_mark mark = vec_pop(&w->marks);

	if (w->written > w->marks.n) {
		str_add(w->out, sv_of(&mark.close));
		w->written--;
	}
	str_clear(&mark.close);
}

bool md_is_open(const struct md_writer *w, const char *open)
{
	for (size_t i = 0; i < w->marks.n; i++)
		if (strcmp(w->marks.at[i].open, open) == 0)
			return true;
	return false;
}
