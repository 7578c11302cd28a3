#include "base/limits.h"
#include "base/utf8.h"
#include "term/editor/editor_internal.h"

struct editor *editor_new(void)
{
	struct editor *e = xcalloc(1, sizeof(*e));

	e->goal = SIZE_MAX;
	return e;
}

static void editor_forget_pieces(struct editor *e)
{
	for (size_t i = 0; i < e->pieces.n; i++) {
		str_clear(&e->pieces.at[i].label);
		str_clear(&e->pieces.at[i].content);
	}
	e->pieces.n = 0;
}

void editor_free(struct editor *e)
{
	if (!e)
		return;
	editor_forget_pieces(e);
	editor_forget_steps(e);
	str_list_clear(&e->ring);
	vec_clear(&e->pieces);
	vec_clear(&e->done);
	vec_clear(&e->undone);
	vec_clear(&e->rows);
	str_clear(&e->text);
	free(e);
}

void editor_freep(struct editor **e)
{
	editor_free(*e);
}

struct sv editor_text(const struct editor *e)
{
	return sv_of(&e->text);
}

size_t editor_cursor(const struct editor *e)
{
	return e->cursor;
}

bool editor_is_empty(const struct editor *e)
{
	return e->text.len == 0;
}

/* --- positions -------------------------------------------------------------------- */

size_t editor_after(const struct editor *e, size_t at)
{
	int cells;

	return at < e->text.len ? at + utf8_cluster(sv_skip(sv_of(&e->text), at), &cells) : at;
}

size_t editor_before(const struct editor *e, size_t at)
{
	size_t start = at;

	/* Clusters can only be found forwards: begin at a place that surely is a boundary. */
	if (!at)
		return 0;
	do {
		start--;
	} while (start > 0 && !((unsigned char)e->text.ptr[start] < 0x80 &&
				(unsigned char)e->text.ptr[start - 1] < 0x80));
	while (editor_after(e, start) < at)
		start = editor_after(e, start);
	return start;
}

size_t editor_line_start(const struct editor *e, size_t at)
{
	while (at > 0 && e->text.ptr[at - 1] != '\n')
		at--;
	return at;
}

size_t editor_line_end(const struct editor *e, size_t at)
{
	while (at < e->text.len && e->text.ptr[at] != '\n')
		at++;
	return at;
}

const struct editor_piece *editor_piece_at(const struct editor *e, size_t at)
{
	uint32_t rune = 0;

	if (at >= e->text.len || (unsigned char)e->text.ptr[at] != 0xf4)
		return NULL;
	if (utf8_decode(sv_skip(sv_of(&e->text), at), &rune) < 0 || rune < EDITOR_FOLDED ||
	    rune - EDITOR_FOLDED >= e->pieces.n)
		return NULL;
	return &e->pieces.at[rune - EDITOR_FOLDED];
}

void editor_move(struct editor *e, size_t position)
{
	e->cursor = min_of(position, e->text.len);
	e->goal = SIZE_MAX;
	e->last = EDITOR_OTHER;
	editor_seal(e);
}

/* --- changes ---------------------------------------------------------------------- */

static bool editor_is_plain(char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t';
}

/* Append text as the buffer may have it; characters up to `last_rune` are kept. */
static void editor_clean(struct str *out, struct sv text, uint32_t last_rune)
{
	while (text.len) {
		uint32_t rune = 0;
		int len = utf8_decode(text, &rune);
		size_t size = (size_t)(len < 0 ? -len : len);

		if (editor_is_plain(*text.ptr)) {
			size = 1;
			while (size < text.len && editor_is_plain(text.ptr[size]))
				size++;
			str_add(out, sv_slice(text, 0, size));
		} else if (len < 0 || rune > last_rune)
			str_add(out, UTF8_REPLACEMENT);
		else if (rune == '\r')
			str_add(out, sv_starts(text, SV("\r\n")) ? SV_EMPTY : SV("\n"));
		else if (rune >= ' ' ? rune < 0x7f || rune >= 0xa0 : rune == '\t' || rune == '\n')
			str_add(out, sv_slice(text, 0, size));
		text = sv_skip(text, size);
	}
}

/* Replace a part of the buffer with text that is clean. */
static void editor_splice(struct editor *e, size_t from, size_t to, struct sv text)
{
	if (from == to && !text.len)
		return;
	editor_record(e, from, sv_slice(sv_of(&e->text), from, to), text);
	str_splice(&e->text, from, to, text);
	e->cursor = from + text.len;
	e->goal = SIZE_MAX;
	e->rows.n = 0;
}

void editor_replace(struct editor *e, size_t from, size_t to, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	/* It may have been taken from the buffer, with folded pieces. */
	editor_clean(&clean, text, (uint32_t)(EDITOR_FOLDED - 1 + e->pieces.n));
	editor_seal(e);
	editor_splice(e, from, to, sv_of(&clean));
	editor_seal(e);
	e->last = EDITOR_OTHER;
}

void editor_insert(struct editor *e, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	editor_clean(&clean, text, EDITOR_FOLDED - 1);
	if (!clean.len)
		return;
	/* A word that begins after a blank is a new step. */
	if (e->last != EDITOR_TYPED ||
	    (*clean.ptr != ' ' && e->cursor > 0 && e->text.ptr[e->cursor - 1] == ' '))
		editor_seal(e);
	editor_splice(e, e->cursor, e->cursor, sv_of(&clean));
	e->last = EDITOR_TYPED;
}

void editor_set(struct editor *e, struct sv text)
{
	editor_replace(e, 0, e->text.len, text);
}

void editor_insert_folded(struct editor *e, struct sv label, struct sv content)
{
	defer(str_clear) struct str mark = STR_INIT;
	struct editor_piece *piece;

	if (e->pieces.n == LIMIT_EDITOR_FOLDED) {
		editor_insert(e, content);
		return;
	}
	utf8_encode(&mark, (uint32_t)(EDITOR_FOLDED + e->pieces.n));
	piece = vec_add(&e->pieces);
	editor_clean(&piece->label, label, EDITOR_FOLDED - 1);
	editor_clean(&piece->content, content, EDITOR_FOLDED - 1);
	editor_seal(e);
	editor_splice(e, e->cursor, e->cursor, sv_of(&mark));
	editor_seal(e);
	e->last = EDITOR_OTHER;
}

void editor_expand(const struct editor *e, struct str *out)
{
	for (size_t at = 0; at < e->text.len;) {
		const struct editor_piece *piece = editor_piece_at(e, at);
		size_t next = piece ? editor_after(e, at) : at + 1;

		if (piece)
			str_add(out, sv_of(&piece->content));
		else
			str_addc(out, e->text.ptr[at]);
		at = next;
	}
}

void editor_reset(struct editor *e)
{
	str_truncate(&e->text, 0);
	e->cursor = 0;
	e->rows.n = e->first_row = 0;
	e->goal = SIZE_MAX;
	e->last = EDITOR_OTHER;
	editor_forget_pieces(e);
	editor_forget_steps(e);
}

/* --- the kill ring ---------------------------------------------------------------- */

static void editor_keep_kill(struct editor *e, struct sv text, bool is_before)
{
	struct str *newest;

	if (e->last != EDITOR_KILLED || !e->ring.n) {
		if (e->ring.n == LIMIT_EDITOR_KILLS) {
			str_clear(&e->ring.at[0]);
			vec_remove(&e->ring, 0);
		}
		vec_add(&e->ring);
	}
	newest = vec_last(&e->ring);
	str_splice(newest, is_before ? 0 : newest->len, is_before ? 0 : newest->len, text);
}

void editor_kill(struct editor *e, size_t from, size_t to)
{
	if (from == to)
		return;
	editor_keep_kill(e, sv_slice(sv_of(&e->text), from, to), to == e->cursor);
	editor_seal(e);
	editor_splice(e, from, to, SV_EMPTY);
	editor_seal(e);
	e->last = EDITOR_KILLED;
}

static void editor_yank_entry(struct editor *e, size_t from, size_t index)
{
	editor_seal(e);
	editor_splice(e, from, e->cursor, sv_of(&e->ring.at[index]));
	editor_seal(e);
	e->last = EDITOR_YANKED;
	e->yank_from = from;
	e->yank_index = index;
}

bool editor_yank(struct editor *e)
{
	if (!e->ring.n)
		return false;
	editor_yank_entry(e, e->cursor, e->ring.n - 1);
	return true;
}

bool editor_yank_older(struct editor *e)
{
	if (e->last != EDITOR_YANKED)
		return false;
	editor_yank_entry(e, e->yank_from, (e->yank_index + e->ring.n - 1) % e->ring.n);
	return true;
}
