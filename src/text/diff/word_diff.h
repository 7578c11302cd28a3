/* word_diff.h - what changed within a line: for a line that replaces another,
 * the parts of both to stress.
 *
 * Words, runs of blanks and single other characters are compared as wholes, so
 * a span never cuts a word or a character; a wide character (CJK, emoji) counts
 * as a word of its own. */
#ifndef AWL_TEXT_DIFF_WORD_DIFF_H
#define AWL_TEXT_DIFF_WORD_DIFF_H

#include "base/str.h"
#include "base/vec.h"

struct word_span {
	size_t from, to; /* bytes [from, to) of the line */
};

struct word_spans {
	VEC(struct word_span) of; /* in order, apart, not empty */
};

#define WORD_SPANS_INIT        \
	{                      \
		.of = VEC_INIT \
	}

void word_spans_clear(struct word_spans *spans);

/* Appends to each list the parts of its line that the other has not. False, with
 * nothing appended, when the lines have over LIMIT_WORD_DIFF tokens: compare
 * them as wholes then. */
bool word_diff(struct sv old_line, struct sv new_line, struct word_spans *old_spans,
	       struct word_spans *new_spans);

#endif
