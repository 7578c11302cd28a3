/* view.h - the part of a text that the model sees: lines numbered as by `cat -n`, from a first line
 * up to a number of lines and LIMIT_READ_RESULT bytes. The text may arrive in pieces; pure. A line
 * ends with "\n" or "\r\n". Malformed UTF-8 and NUL are shown as U+FFFD. A line longer than
 * LIMIT_READ_LINE characters is cut, with the number of missing characters. */
#ifndef AWL_TOOL_READ_VIEW_H
#define AWL_TOOL_READ_VIEW_H

#include "base/str.h"

struct view {
	struct str text;  /* as shown; every line but the last ends with "\n" */
	struct str plain; /* the same without numbers */
	size_t first, limit;
	size_t shown;    /* number of lines shown, from `first` on */
	size_t lines;    /* complete lines so far, shown or not */
	bool capped;     /* the next line did not fit into LIMIT_READ_RESULT */
	bool cut;        /* a line was cut */
	struct str head; /* start of the current line */
	size_t length;   /* of the whole current line */
	char last;       /* last byte of the current line */
};

/* Shows `limit` lines from line `first`; both are at least 1. */
void view_init(struct view *v, size_t first, size_t limit);
void view_clear(struct view *v);

void view_feed(struct view *v, struct sv bytes);
/* Ends the text, and its last line if that had no newline. */
void view_end(struct view *v);
/* Whether nothing more will be shown. */
bool view_is_full(const struct view *v);

#endif
