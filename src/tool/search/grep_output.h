/* grep_output.h - private to src/tool: collects the matches of a search as one page of lines.
 *
 * Its input are records as `rg --null --line-number` prints them:
 *
 *   files     path NUL
 *   content   path NUL number (':' or '-') text NEWLINE
 *             "--" NEWLINE between groups of lines
 *   count     path NUL number NEWLINE
 *
 * and for a single file the lines as they will be shown. */
#ifndef AWL_TOOL_SEARCH_GREP_OUTPUT_H
#define AWL_TOOL_SEARCH_GREP_OUTPUT_H

#include "tool/search/grep_query.h"

struct grep_output {
	const struct grep_query *query; /* borrowed */
	struct str partial;             /* an incomplete record, at most LIMIT_GREP_LINE */
	struct str text;                /* the page, valid UTF-8, a newline after each line */
	size_t seen, kept;              /* lines */
	bool more;                      /* there are lines after the page */
	bool full;                      /* because of LIMIT_GREP_TEXT */
};

void grep_output_clear(struct grep_output *o);

/* Records may arrive in pieces. Returns false once the page is full and more matches are known to
 * exist: no further input is needed. */
bool grep_output_add(struct grep_output *o, struct sv bytes);
/* Ends the input. */
void grep_output_end(struct grep_output *o);

/* Sorts the records by file: paths alone by modification time, the newest first and deleted files
 * last; lines and counts by path. Blocks. */
void grep_sort(struct str *records, const struct grep_query *query);

/* Adds up the numbers after the last ':' of each line of the page. */
int64_t grep_output_sum(const struct grep_output *o);

#endif
