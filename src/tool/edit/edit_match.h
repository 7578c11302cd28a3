/* edit_match.h - where in a file an edit's old text is, and what the file becomes.
 * Pure, on bytes: everything outside the places found stays as it was.
 *
 * The search is a ladder; the first rung that finds anything decides:
 *   exact       the very bytes
 *   line ends   "\n" and "\r\n" are the same
 *   trailing    whole lines, whatever blanks end them
 *   indent      whole lines, all indented deeper, or less deep, by the same blanks;
 *               the new text is shifted likewise
 * On every rung the line ends of the new text become those of the place it comes
 * to, unless an exact match was written with carriage returns itself. */
#ifndef AWL_TOOL_EDIT_EDIT_MATCH_H
#define AWL_TOOL_EDIT_EDIT_MATCH_H

#include "base/str.h"
#include "base/vec.h"

enum edit_rung { EDIT_NOWHERE, EDIT_EXACT, EDIT_LINE_ENDS, EDIT_TRAILING, EDIT_INDENT };

struct edit_place {
	size_t from, to;
	/* EDIT_INDENT: what the file has more than the old text, or, when `less`, what
	 * it lacks. Borrows from one of the two. */
	struct sv indent;
	bool less;
};

struct edit_match {
	enum edit_rung rung;
	VEC(struct edit_place) places; /* in order, apart; at most LIMIT_EDIT_PLACES */
};

#define EDIT_MATCH_INIT              \
	{                            \
		.rung = EDIT_NOWHERE \
	}

/* Finds every place of `old_text` (not empty). `new_text` counts only where the
 * indentation is less: a new text that cannot be shifted fits nowhere. The match
 * borrows from both; the caller clears it. */
void edit_find(struct edit_match *m, struct sv text, struct sv old_text, struct sv new_text);
void edit_match_clear(struct edit_match *m);

/* Appends `text` with `new_text` in all places. False, with `out` untouched, when
 * that would take it past `max` bytes. */
must_use bool edit_apply(struct str *out, struct sv text, const struct edit_match *m,
			 struct sv old_text, struct sv new_text, size_t max);

/* The number, from 1, of the line that the byte `at` is in. */
size_t edit_line_of(struct sv text, size_t at);

#endif
