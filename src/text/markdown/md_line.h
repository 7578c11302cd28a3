/* md_line.h - the lines of Markdown, for the files that implement md.h. */
#ifndef AWL_TEXT_MARKDOWN_MD_LINE_H
#define AWL_TEXT_MARKDOWN_MD_LINE_H

#include "base/str.h"

/* Gives the line at `*at`, without its end (LF, CR or both), and moves `*at` past that
 * end; false at the end of the text. */
static inline bool md_next_line(struct sv text, size_t *at, struct sv *line)
{
	size_t end = *at;

	if (end >= text.len)
		return false;
	while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
		end++;
	*line = sv_slice(text, *at, end);
	*at = sv_starts(sv_skip(text, end), SV("\r\n")) ? end + 2 : min_of(end + 1, text.len);
	return true;
}

#endif
