/* markdown_stream.h - Markdown that is still arriving.
 *
 * What cannot change any more is painted once and forgotten; only the last block, which can, is painted again with each
 * piece that arrives. A block of code is finished line by line and a list item by item, so a long answer costs no more
 * per piece than a short one. */
#ifndef AWL_TERM_MARKDOWN_MARKDOWN_STREAM_H
#define AWL_TERM_MARKDOWN_MARKDOWN_STREAM_H

#include "term/markdown/markdown.h"

struct markdown_stream {
	struct str text; /* that is not finished */
	bool needs_gap;  /* the next block has an empty row before it */
	size_t printed;  /* rows of the open block that were finished because there were too many */
	size_t columns; /* the width of these: the rest of the block keeps it, whatever the screen does */
	bool is_code;     /* the text is inside a fence */
	struct str fence; /* what closes it: "```" */
	struct highlight highlight;
};

void markdown_stream_clear(struct markdown_stream *stream);

void markdown_stream_add(struct markdown_stream *stream, struct sv text);
/* Appends to `done` the rows that are finished by now and were not before, and to `open` those that may still
 * change, `max_open` at most: if there are more, the first of them are finished as they are. */
void markdown_stream_paint(struct markdown_stream *stream, const struct markdown_look *look,
			   size_t max_open, struct page *done, struct page *open);
/* The text is complete. Appends what is left to `done`; the stream is empty again. */
void markdown_stream_end(struct markdown_stream *stream, const struct markdown_look *look,
			 struct page *done);

#endif
