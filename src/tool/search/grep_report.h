/* grep_report.h - private to src/tool: the result of a call of Grep. */
#ifndef AWL_TOOL_SEARCH_GREP_REPORT_H
#define AWL_TOOL_SEARCH_GREP_REPORT_H

#include "tool/search/grep_output.h"

/* What the reader should know of how it was found. */
struct grep_notes {
	struct sv stopped; /* a sentence on why there may be more; empty: nothing stopped it */
	bool timed_out;
	bool overflowed; /* more paths were found than are put in order */
	bool is_builtin; /* not by ripgrep */
	bool unreadable; /* some of what is there */
	size_t too_big;  /* files that were not searched */
	size_t too_hard; /* files that were not searched to their end */
};

/* Fills `result`, which is empty, with the page in `out`. */
void grep_report(struct tool_result *result, const struct grep_output *out,
		 const struct grep_notes *notes);

#endif
