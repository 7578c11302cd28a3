/* diff.h - compares two texts line by line and gives hunks as `diff -u` prints them.
 *
 * A line ends with "\n" and may contain any other bytes, including CR. A last line without
 * a newline differs from the same line with one. Applying the hunks to the old text always
 * gives the new text, byte for byte. */
#ifndef AWL_TEXT_DIFF_DIFF_H
#define AWL_TEXT_DIFF_DIFF_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct diff_line {
	struct sv text;  /* a view into the old or the new text, without the newline */
	char kind;       /* ' ' in both, '-' only in the old, '+' only in the new */
	bool no_newline; /* the text ends here, without a newline */
};

struct diff_hunk {
	size_t old_start, old_lines; /* from 1; when there are no lines, the line before the hunk */
	size_t new_start, new_lines;
	size_t first, n; /* its lines start at diff.lines.at[first] */
};

struct diff {
	VEC(struct diff_hunk) hunks; /* in order, not adjacent; empty when the texts are equal */
	VEC(struct diff_line) lines;
	size_t added, removed; /* total number of lines */
};

#define DIFF_INIT                 \
	{                         \
		.hunks = VEC_INIT \
	}

/* Compares two texts. Changes less than 2 x `context` lines apart share a hunk. `d`
 * contains views of both texts, which must outlive it; the caller clears it. Fails with
 * ERR_TOO_BIG when a text exceeds LIMIT_DIFF_INPUT or the differing part exceeds
 * LIMIT_DIFF_LINES; `d` is then untouched. */
must_use bool diff_texts(struct diff *d, struct sv old_text, struct sv new_text, size_t context,
			 struct err *err);
void diff_clear(struct diff *d);

/* Appends the hunks in the format that `patch` and `git apply` accept. The header has
 * the names ("a/x.c", or "/dev/null" for a file that did not exist), quoted as git
 * quotes them where necessary. Appends nothing when the texts are equal. */
void diff_format(struct str *out, const struct diff *d, struct sv old_name, struct sv new_name);

#endif
