/* grep_query.h - private to src/tool: the input of a call of Grep, for both searches. */
#ifndef AWL_TOOL_SEARCH_GREP_QUERY_H
#define AWL_TOOL_SEARCH_GREP_QUERY_H

#include "base/vec.h"
#include "tool/tool.h"

enum { GREP_COLUMNS = 500 }; /* bytes of a line; longer lines are not shown */

enum grep_mode { GREP_FILES, GREP_CONTENT, GREP_COUNT };

struct grep_query {
	struct arena arena; /* owns all text below; it is NUL-terminated */
	enum grep_mode mode;
	struct sv pattern, type;
	VEC(struct sv) globs;
	struct sv cwd, path; /* absolute */
	const char *shown;   /* the path as results show it; "." for the working directory */
	bool is_file;        /* `path` is a file; the search sets it */
	bool nocase, multiline;
	/* For GREP_CONTENT: line numbers, only the matching part, lines of context. */
	bool numbers, only;
	size_t before, after;
	size_t offset, limit; /* results to skip, results to show; limit 0: all */
};

/* Fills a zeroed `q`. The call must outlive it. */
void grep_query_init(struct grep_query *q, const struct tool_call *call);
void grep_query_clear(struct grep_query *q);

#endif
