/* view.h - the part of a text that the model is shown: its lines numbered as
 * `cat -n` does, from one line on, up to a number of them and LIMIT_READ_RESULT.
 * Fed in any split; pure. A line ends with "\n" or "\r\n"; malformed UTF-8 and NUL
 * are shown as U+FFFD; of a line longer than LIMIT_READ_LINE characters the start
 * is shown, and how much is missing. */
#ifndef AWL_TOOL_READ_VIEW_H
#define AWL_TOOL_READ_VIEW_H

#include "base/str.h"

struct view {
	struct str text;  /* as shown; every line but the last ends with "\n" */
	struct str plain; /* the same without numbers */
	size_t first, limit;
	size_t shown;    /* lines, from `first` on */
	size_t lines;    /* ended so far, shown or not */
	bool capped;     /* the next line did not fit into LIMIT_READ_RESULT */
	bool cut;        /* a line is shown in part */
	struct str head; /* of the line under way */
	size_t length;   /* of all of it */
	char last;       /* its last byte */
};

/* From line `first` (1 and up), `limit` (1 and up) lines. */
void view_init(struct view *v, size_t first, size_t limit);
void view_clear(struct view *v);

void view_feed(struct view *v, struct sv bytes);
/* The text has ended; so has its last line if that had no newline. */
void view_end(struct view *v);
/* Whether nothing that is still to come will be shown. */
bool view_is_full(const struct view *v);

#endif
