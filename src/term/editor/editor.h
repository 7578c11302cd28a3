/* editor.h - the text that the user is writing: any number of lines, undo and redo, a kill ring, motions by
 * character, word and line, and folded pieces.
 *
 * A folded piece is a long paste or an attachment: it is shown as a short label and submitted as its content. In the
 * buffer it is one character (U+100000 and up, which nobody types), so it moves, disappears
 * and comes back with undo like any other.
 *
 * The buffer is valid UTF-8 without control characters except tab and newline: inserted text is cleaned.
 * Positions are byte offsets on boundaries of user-perceived characters. Pure: actions go in, rows come out. */
#ifndef AWL_TERM_EDITOR_EDITOR_H
#define AWL_TERM_EDITOR_EDITOR_H

#include "term/page.h"
#include "term/screen.h"

struct editor;

enum editor_action {
	/* Motions. */
	EDIT_LEFT,
	EDIT_RIGHT,
	EDIT_UP, /* by rows as they were drawn last */
	EDIT_DOWN,
	EDIT_WORD_LEFT,
	EDIT_WORD_RIGHT,
	EDIT_LINE_START,
	EDIT_LINE_END,
	EDIT_START,
	EDIT_END,
	/* Changes. */
	EDIT_NEWLINE,
	EDIT_BACKSPACE,
	EDIT_DELETE,
	EDIT_KILL_WORD_LEFT,
	EDIT_KILL_WORD_RIGHT,
	EDIT_KILL_BLANK_LEFT, /* to the blank before the cursor */
	EDIT_KILL_TO_START,   /* of the line */
	EDIT_KILL_TO_END,     /* of the line; at its end, the line end */
	EDIT_YANK,
	EDIT_YANK_POP, /* right after a yank: replace it with the kill before it */
	EDIT_TRANSPOSE,
	EDIT_UPPER_WORD,
	EDIT_LOWER_WORD,
	EDIT_CAPITAL_WORD,
	EDIT_UNDO,
	EDIT_REDO,
};

struct editor *editor_new(void);
void editor_free(struct editor *editor);
void editor_freep(struct editor **editor);

/* Performs an action; false if there was nothing to do: the cursor is already there, nothing to undo. */
bool editor_do(struct editor *editor, enum editor_action action);
/* Inserts typed text at the cursor. Typing is undone word by word. */
void editor_insert(struct editor *editor, struct sv text);
/* Inserts a folded piece: `label` is shown, `content` is meant. */
void editor_insert_folded(struct editor *editor, struct sv label, struct sv content);

/* Replaces everything, as one step of undo; the cursor is at the end. */
void editor_set(struct editor *editor, struct sv text);
/* Removes everything and forgets the steps of undo and the folded pieces. The kill ring stays. */
void editor_reset(struct editor *editor);

/* The buffer; valid until the next change. */
struct sv editor_text(const struct editor *editor);
size_t editor_cursor(const struct editor *editor);
bool editor_is_empty(const struct editor *editor);
void editor_move(struct editor *editor, size_t position);
/* Replaces [from, to); the cursor is after the new text. */
void editor_replace(struct editor *editor, size_t from, size_t to, struct sv text);
/* Removes [from, to) into the kill ring. */
void editor_kill(struct editor *editor, size_t from, size_t to);
/* Changes between these two are undone together. They nest. */
void editor_begin(struct editor *editor);
void editor_end(struct editor *editor);

/* Appends what the text means: folded pieces become their content. */
void editor_expand(const struct editor *editor, struct str *out);

/* How it is drawn. */
struct editor_look {
	size_t columns, max_rows;
	struct sv prefix, next_prefix; /* "> " on the first row, "  " on the others */
	struct style prefix_style, text, label, hint;
	struct sv placeholder; /* shown as a hint while the buffer is empty */
	struct sv suggestion;  /* shown as a hint behind the cursor at the end of the text */
	size_t selected_from, selected_to;
	struct style selected;
};

/* Appends the rows around the cursor, `max_rows` at most, and sets its place in the page. Where rows above or
 * below are hidden, the prefix is an arrow. */
void editor_draw(struct editor *editor, const struct editor_look *look, struct page *page,
		 struct screen_cursor *cursor);

#endif
