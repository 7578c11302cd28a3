/* editor_internal.h - private to the files of the editor. */
#ifndef AWL_TERM_EDITOR_EDITOR_INTERNAL_H
#define AWL_TERM_EDITOR_EDITOR_INTERNAL_H

#include "base/str_list.h"
#include "base/vec.h"
#include "term/editor/editor.h"

enum { EDITOR_FOLDED = 0x100000 }; /* the first character that stands for a folded piece */

/* One change of the buffer. Those of one group are undone together. */
struct editor_step {
	size_t at;
	struct str removed, inserted;
	size_t cursor; /* before it */
	unsigned group;
};
typedef VEC(struct editor_step) editor_steps;

struct editor_piece {
	struct str label, content;
};

/* What the last action was, for those that depend on it. */
enum editor_last { EDITOR_OTHER, EDITOR_TYPED, EDITOR_KILLED, EDITOR_YANKED };

struct editor {
	struct str text;
	size_t cursor;
	VEC(struct editor_piece) pieces;

	editor_steps done, undone;
	unsigned group, nesting;

	str_list ring; /* of kills, the newest last */
	enum editor_last last;
	size_t yank_from, yank_index;

	/* The layout of the last draw: where each row begins. */
	VEC(size_t) rows;
	size_t columns;   /* for text */
	size_t first_row; /* that is visible */
	size_t goal;      /* cell that Up and Down try to keep; SIZE_MAX: the cursor's own */
};

/* Positions. */
size_t editor_before(const struct editor *editor, size_t at); /* the character before; 0 stays 0 */
size_t editor_after(const struct editor *editor, size_t at);
size_t editor_line_start(const struct editor *editor, size_t at);
size_t editor_line_end(const struct editor *editor, size_t at);

/* The folded piece that the character at `at` stands for; NULL: it is an ordinary one. */
const struct editor_piece *editor_piece_at(const struct editor *editor, size_t at);

/* Up and down over the rows of the last layout. */
bool editor_move_row(struct editor *editor, int by);

/* The kill ring; false: nothing to yank. */
bool editor_yank(struct editor *editor);
bool editor_yank_older(struct editor *editor);

/* Undo. */
void editor_record(struct editor *editor, size_t at, struct sv removed, struct sv inserted);
void editor_seal(struct editor *editor); /* the next change is a step of its own */
bool editor_undo(struct editor *editor);
bool editor_redo(struct editor *editor);
void editor_forget_steps(struct editor *editor);

#endif
