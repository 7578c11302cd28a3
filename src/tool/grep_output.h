/* grep_output.h - the lines that ripgrep prints, one page of them. */
#ifndef AWL_TOOL_GREP_OUTPUT_H
#define AWL_TOOL_GREP_OUTPUT_H

#include "base/str.h"
#include "base/vec.h"

struct grep_output {
	size_t offset, limit; /* lines to skip, lines to keep; limit 0: all */
	bool strip_dot;       /* lines begin with "./", which goes */
	struct str partial;   /* a line without its end yet, at most LIMIT_GREP_LINE */
	struct str text;      /* the page, valid UTF-8, a newline after each line */
	size_t seen, kept;    /* lines */
	bool more;            /* there are lines after the page */
	bool full;            /* because of LIMIT_GREP_TEXT */
};

#define GREP_OUTPUT_INIT         \
	{                        \
		.text = STR_INIT \
	}

void grep_output_clear(struct grep_output *o);

/* False once the page is complete and it is known that there is more: the rest is of
 * no interest. */
bool grep_output_add(struct grep_output *o, struct sv bytes);
/* Nothing more will come. */
void grep_output_end(struct grep_output *o);

/* Puts the paths in `text` in order, the last modified first; those that are gone
 * come last. They are relative to `dir`. Blocks. */
void grep_output_sort(struct grep_output *o, const char *dir);
/* Reduces `text`, which has all lines, to the page that `offset` and `limit` ask for. */
void grep_output_page(struct grep_output *o, size_t offset, size_t limit);

/* The sum of the numbers after the last ':' of each line. */
int64_t grep_output_sum(const struct grep_output *o);

#endif
