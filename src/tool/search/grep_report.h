/* grep_report.h - private to src/tool: writes the result of a call of Grep. */
#ifndef AWL_TOOL_SEARCH_GREP_REPORT_H
#define AWL_TOOL_SEARCH_GREP_REPORT_H

#include "tool/search/grep_output.h"

/* What the model should know about the search. */
struct grep_notes {
	struct sv
		stopped; /* a sentence that says why there may be more; empty: the search was complete */
	bool timed_out;
	bool overflowed; /* more paths than can be sorted */
	bool is_builtin; /* without ripgrep */
	bool unreadable; /* some files could not be read */
	size_t too_big;  /* files that were not searched */
	size_t too_hard; /* files that were searched in part */
};

/* Fills the empty `result` with the page in `out`. */
void grep_report(struct tool_result *result, const struct grep_output *out,
		 const struct grep_notes *notes);

#endif
