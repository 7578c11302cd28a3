/* diff.h - two texts line by line: hunks as `diff -u` prints them.
 *
 * A line ends with "\n" and may hold any other bytes, CR among them; a last
 * line without one differs from the same line with it. Applying the hunks to
 * the old text always gives the new one, byte for byte. */
#ifndef AWL_TEXT_DIFF_DIFF_H
#define AWL_TEXT_DIFF_DIFF_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct diff_line {
	struct sv text;  /* into the old or the new text, without the newline */
	char kind;       /* ' ' in both, '-' only in the old, '+' only in the new */
	bool no_newline; /* the text ends here, without one */
};

struct diff_hunk {
	size_t old_start, old_lines; /* from 1; with no lines, the line before it */
	size_t new_start, new_lines;
	size_t first, n; /* its lines: diff.lines.at[first] and on */
};

struct diff {
	VEC(struct diff_hunk) hunks; /* in order, apart; none when nothing differs */
	VEC(struct diff_line) lines;
	size_t added, removed; /* lines in all */
};

#define DIFF_INIT                 \
	{                         \
		.hunks = VEC_INIT \
	}

/* Compares; changes less than 2 x `context` lines apart share a hunk. `d` holds
 * views of both texts, which must outlive it; the caller clears it. Fails when a
 * text is over LIMIT_DIFF_INPUT or its part that differs over LIMIT_DIFF_LINES
 * (ERR_TOO_BIG); `d` is then untouched. */
must_use bool diff_texts(struct diff *d, struct sv old_text, struct sv new_text, size_t context,
			 struct err *err);
void diff_clear(struct diff *d);

/* Appends the hunks as text that `patch` and `git apply` take. The names head it
 * ("a/x.c", or "/dev/null" for a file that was not there), quoted as git does
 * where they need it; nothing is appended when nothing differs. */
void diff_format(struct str *out, const struct diff *d, struct sv old_name, struct sv new_name);

#endif
