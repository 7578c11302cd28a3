/* grep_output.h - private to src/tool: what a search finds, as one page of lines.
 *
 * What goes in are records as `rg --null --line-number` prints them:
 *
 *   files     path NUL
 *   content   path NUL number (':' or '-') text NEWLINE
 *             "--" NEWLINE between groups of lines that are apart
 *   count     path NUL number NEWLINE
 *
 * and for a single file the lines as they are to be shown. */
#ifndef AWL_TOOL_SEARCH_GREP_OUTPUT_H
#define AWL_TOOL_SEARCH_GREP_OUTPUT_H

#include "tool/search/grep_query.h"

struct grep_output {
	const struct grep_query *query; /* borrowed */
	struct str partial;             /* a record without its end yet, at most LIMIT_GREP_LINE */
	struct str text;                /* the page, valid UTF-8, a newline after each line */
	size_t seen, kept;              /* lines */
	bool more;                      /* there are lines after the page */
	bool full;                      /* because of LIMIT_GREP_TEXT */
};

void grep_output_clear(struct grep_output *o);

/* Records in any split. False once the page is complete and it is known that there is
 * more: the rest is of no interest. */
bool grep_output_add(struct grep_output *o, struct sv bytes);
/* Nothing more will come. */
void grep_output_end(struct grep_output *o);

/* Puts whole files' records in order: paths alone by when the files were last modified,
 * the newest first and those that are gone last, lines and counts by path. Blocks. */
void grep_sort(struct str *records, const struct grep_query *query);

/* The sum of the numbers after the last ':' of each line of the page. */
int64_t grep_output_sum(const struct grep_output *o);

#endif
