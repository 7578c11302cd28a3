/* edit_match.h - finds the old text of an edit in a file and replaces it. Pure, on bytes: everything
 * outside the places found stays unchanged.
 *
 * The search is a ladder; the first rung that finds anything decides:
 *   exact       the same bytes
 *   line ends   "\n" and "\r\n" are equal
 *   trailing    whole lines, ignoring trailing blanks
 *   indent      whole lines, all indented more or less by the same blanks; the new text is shifted
 *               by as much
 * On every rung the new text gets the line ends of its place, unless an exact match contains carriage
 * returns itself. */
#ifndef AWL_TOOL_EDIT_EDIT_MATCH_H
#define AWL_TOOL_EDIT_EDIT_MATCH_H

#include "base/str.h"
#include "base/vec.h"

enum edit_rung { EDIT_NOWHERE, EDIT_EXACT, EDIT_LINE_ENDS, EDIT_TRAILING, EDIT_INDENT };

struct edit_place {
	size_t from, to;
	/* EDIT_INDENT: the additional indentation of the file, or with `less` the missing one.
	 * Borrows from the file or the old text. */
	struct sv indent;
	bool less;
};

struct edit_match {
	enum edit_rung rung;
	VEC(struct edit_place) places; /* sorted, not overlapping; at most LIMIT_EDIT_PLACES */
};

#define EDIT_MATCH_INIT              \
	{                            \
		.rung = EDIT_NOWHERE \
	}

/* Finds every place of `old_text` (not empty). `new_text` matters only where the file is indented
 * less: if the new text cannot be shifted, there is no match. The match borrows from both; the caller
 * clears it. */
void edit_find(struct edit_match *m, struct sv text, struct sv old_text, struct sv new_text);
void edit_match_clear(struct edit_match *m);

/* Appends `text` with `new_text` in all places. Returns false and leaves `out` alone if that would
 * exceed `max` bytes. */
must_use bool edit_apply(struct str *out, struct sv text, const struct edit_match *m,
			 struct sv old_text, struct sv new_text, size_t max);

/* The number, from 1, of the line that contains the byte `at`. */
size_t edit_line_of(struct sv text, size_t at);

#endif
