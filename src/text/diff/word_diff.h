/* word_diff.h - what changed within a line: when one line replaces another, the parts of
 * both to highlight.
 *
 * Words, runs of blanks and single other characters are compared as units, so a span
 * never cuts a word or a character. A wide character (CJK, emoji) counts as a word. */
#ifndef AWL_TEXT_DIFF_WORD_DIFF_H
#define AWL_TEXT_DIFF_WORD_DIFF_H

#include "base/str.h"
#include "base/vec.h"

struct word_span {
	size_t from, to; /* bytes [from, to) of the line */
};

struct word_spans {
	VEC(struct word_span) of; /* in order, not adjacent, not empty */
};

#define WORD_SPANS_INIT        \
	{                      \
		.of = VEC_INIT \
	}

void word_spans_clear(struct word_spans *spans);

/* Appends to each list the parts of its line that the other line lacks. Returns false,
 * with nothing appended, when the lines have more than LIMIT_WORD_DIFF tokens; callers
 * then treat the lines as entirely different. */
bool word_diff(struct sv old_line, struct sv new_line, struct word_spans *old_spans,
	       struct word_spans *new_spans);

#endif
