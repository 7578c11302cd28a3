#include "base/ascii.h"
#include "base/utf8.h"
#include "term/editor/editor_internal.h"

/* --- words ------------------------------------------------------------------------ */

/* Letters and digits of any script. A folded piece is a word of its own. */
static bool editor_is_word(const struct editor *e, size_t at)
{
	unsigned char c = (unsigned char)e->text.ptr[at];

	return ascii_is_word(c) || (c >= 0x80 && !editor_piece_at(e, at));
}

static size_t editor_word_left(const struct editor *e)
{
	size_t at = e->cursor;

	while (at > 0 && !editor_is_word(e, editor_before(e, at))) {
		at = editor_before(e, at);
		if (editor_piece_at(e, at))
			return at;
	}
	while (at > 0 && editor_is_word(e, editor_before(e, at)))
		at = editor_before(e, at);
	return at;
}

static size_t editor_word_right(const struct editor *e)
{
	size_t at = e->cursor;

	while (at < e->text.len && !editor_is_word(e, at)) {
		bool is_piece = editor_piece_at(e, at);

		at = editor_after(e, at);
		if (is_piece)
			return at;
	}
	while (at < e->text.len && editor_is_word(e, at))
		at = editor_after(e, at);
	return at;
}

static size_t editor_blank_left(const struct editor *e)
{
	size_t at = e->cursor;

	while (at > 0 && ascii_is_space(e->text.ptr[at - 1]))
		at--;
	while (at > 0 && !ascii_is_space(e->text.ptr[at - 1]))
		at--;
	return at;
}

/* --- motions ---------------------------------------------------------------------- */

static size_t editor_target(const struct editor *e, enum editor_action action)
{
	switch ((int)action) {
	case EDIT_LEFT: return editor_before(e, e->cursor);
	case EDIT_RIGHT: return editor_after(e, e->cursor);
	case EDIT_WORD_LEFT: return editor_word_left(e);
	case EDIT_WORD_RIGHT: return editor_word_right(e);
	case EDIT_LINE_START: return editor_line_start(e, e->cursor);
	case EDIT_LINE_END: return editor_line_end(e, e->cursor);
	case EDIT_START: return 0;
	default: return e->text.len;
	}
}

static bool editor_go(struct editor *e, enum editor_action action)
{
	size_t target = editor_target(e, action);

	if (target == e->cursor)
		return false;
	editor_move(e, target);
	return true;
}

/* --- changes ---------------------------------------------------------------------- */

static bool editor_remove(struct editor *e, size_t from, size_t to)
{
	if (from == to)
		return false;
	editor_replace(e, from, to, SV_EMPTY);
	return true;
}

static bool editor_kill_from(struct editor *e, size_t from, size_t to)
{
	editor_kill(e, from, to);
	return from != to;
}

static bool editor_kill_to_end(struct editor *e)
{
	size_t end = editor_line_end(e, e->cursor);

	if (end == e->cursor)
		end = editor_after(e, end);
	return editor_kill_from(e, e->cursor, end);
}

/* Exchange the characters around the cursor, or the last two at the end of a line. */
static bool editor_transpose(struct editor *e)
{
	size_t middle = e->cursor == editor_line_end(e, e->cursor) ? editor_before(e, e->cursor)
								   : e->cursor;
	size_t from = editor_before(e, middle), to = editor_after(e, middle);
	defer(str_clear) struct str swapped = STR_INIT;

	if (from < editor_line_start(e, e->cursor) || from == middle || middle == to)
		return false;
	str_add(&swapped, sv_slice(sv_of(&e->text), middle, to));
	str_add(&swapped, sv_slice(sv_of(&e->text), from, middle));
	editor_replace(e, from, to, sv_of(&swapped));
	return true;
}

static char editor_change_case(char c, enum editor_action action, bool is_first)
{
	bool upper = action == EDIT_UPPER_WORD || (action == EDIT_CAPITAL_WORD && is_first);

	if (!ascii_is_alpha(c))
		return c;
	return upper ? (char)(c & ~0x20) : (char)(c | 0x20);
}

static bool editor_change_word(struct editor *e, enum editor_action action)
{
	size_t to = editor_word_right(e);
	defer(str_clear) struct str word = STR_INIT;
	bool is_first = true;

	if (to == e->cursor)
		return false;
	for (size_t i = e->cursor; i < to; i++) {
		char c = e->text.ptr[i];

		str_addc(&word, editor_change_case(c, action, is_first));
		if (ascii_is_word(c))
			is_first = false;
	}
	editor_replace(e, e->cursor, to, sv_of(&word));
	return true;
}

bool editor_do(struct editor *e, enum editor_action action)
{
	switch (action) {
	case EDIT_LEFT:
	case EDIT_RIGHT:
	case EDIT_WORD_LEFT:
	case EDIT_WORD_RIGHT:
	case EDIT_LINE_START:
	case EDIT_LINE_END:
	case EDIT_START:
	case EDIT_END: return editor_go(e, action);
	case EDIT_UP: return editor_move_row(e, -1);
	case EDIT_DOWN: return editor_move_row(e, 1);
	case EDIT_NEWLINE: editor_insert(e, SV("\n")); return true;
	case EDIT_BACKSPACE: return editor_remove(e, editor_before(e, e->cursor), e->cursor);
	case EDIT_DELETE: return editor_remove(e, e->cursor, editor_after(e, e->cursor));
	case EDIT_KILL_WORD_LEFT: return editor_kill_from(e, editor_word_left(e), e->cursor);
	case EDIT_KILL_WORD_RIGHT: return editor_kill_from(e, e->cursor, editor_word_right(e));
	case EDIT_KILL_BLANK_LEFT: return editor_kill_from(e, editor_blank_left(e), e->cursor);
	case EDIT_KILL_TO_START:
		return editor_kill_from(e, editor_line_start(e, e->cursor), e->cursor);
	case EDIT_KILL_TO_END: return editor_kill_to_end(e);
	case EDIT_YANK: return editor_yank(e);
	case EDIT_YANK_POP: return editor_yank_older(e);
	case EDIT_TRANSPOSE: return editor_transpose(e);
	case EDIT_UPPER_WORD:
	case EDIT_LOWER_WORD:
	case EDIT_CAPITAL_WORD: return editor_change_word(e, action);
	case EDIT_UNDO: return editor_undo(e);
	case EDIT_REDO: return editor_redo(e);
	}
	return false;
}
