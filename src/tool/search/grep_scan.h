/* grep_scan.h - private to src/tool: one text after the other searched without
 * ripgrep, and what is found told as ripgrep would (the records of grep_output.h). */
#ifndef AWL_TOOL_SEARCH_GREP_SCAN_H
#define AWL_TOOL_SEARCH_GREP_SCAN_H

#include "text/match/regex.h"
#include "tool/search/grep_query.h"

/* A record, whole; false: no more are wanted. */
typedef bool grep_record_fn(void *arg, struct sv record);

struct grep_scan {
	/* Of the caller. */
	const struct grep_query *query;
	struct regex *regex;        /* not NULL; .dotall when the query is multiline */
	struct regex_budget budget; /* for one text; the caller renews it */
	grep_record_fn *put;
	void *arg;

	bool enough;  /* put() said so */
	bool gave_up; /* on the last text: too costly, or told to by the budget */
	bool any;     /* something was found in a text before */

	/* Private: the text at hand. */
	struct sv text, path;
	size_t at;            /* where the search goes on */
	size_t start, end;    /* of the line last looked for; its newline is at `end` */
	size_t shown;         /* the end of the last line that was told of */
	size_t line, counted; /* the number of the line that begins at `counted` */
	size_t after;         /* lines of context still to follow */
	bool begun;           /* something was found in it */
	struct str record;
};

void grep_scan_clear(struct grep_scan *s);

/* `text` is valid UTF-8; `path` is what records begin with. `nul_at` is the offset of
 * the first NUL in what `text` was made of, SIZE_MAX: none. Of a text with one only is
 * told whether it matches. */
void grep_scan_text(struct grep_scan *s, struct sv text, struct sv path, size_t nul_at);

#endif
