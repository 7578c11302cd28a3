/* grep_scan.h - private to src/tool: searches texts without ripgrep and reports matches as ripgrep
 * would (the records of grep_output.h). */
#ifndef AWL_TOOL_SEARCH_GREP_SCAN_H
#define AWL_TOOL_SEARCH_GREP_SCAN_H

#include "text/match/regex.h"
#include "tool/search/grep_query.h"

/* Takes a complete record; false: no more are wanted. */
typedef bool grep_record_fn(void *arg, struct sv record);

struct grep_scan {
	/* Set by the caller. */
	const struct grep_query *query;
	struct regex *regex;        /* not NULL; .dotall if the query is multiline */
	struct regex_budget budget; /* for one text; the caller resets it */
	grep_record_fn *put;
	void *arg;

	bool enough;  /* put() wants no more */
	bool gave_up; /* on the last text: the budget was used up */
	bool any;     /* an earlier text had a match */

	/* Private: the current text. */
	struct sv text, path;
	size_t at;            /* where the search continues */
	size_t start, end;    /* of the current line; its newline is at `end` */
	size_t shown;         /* the end of the last line reported */
	size_t line, counted; /* the number of the line that starts at `counted` */
	size_t after;         /* lines of context still to report */
	bool begun;           /* this text had a match */
	struct str record;
};

void grep_scan_clear(struct grep_scan *s);

/* `text` is valid UTF-8; records begin with `path`. `nul_at` is the offset of the first NUL in the
 * original bytes, or SIZE_MAX. A text with a NUL is only reported as matching, without its lines. */
void grep_scan_text(struct grep_scan *s, struct sv text, struct sv path, size_t nul_at);

#endif
