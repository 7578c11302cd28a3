/* imports.h - the files that a Markdown text asks for: `@docs/style.md`.
 *
 *   struct imports imports = imports_in(text);
 *   while (imports_next(&imports, &path))
 *           ...
 *
 * A path begins with "@" after white space, an opening bracket, a quote or the like,
 * so "me@host.com" is none, and ends at white space (a blank in it is written "\ ").
 * Punctuation behind it and a "#fragment" are not part of it. What stands in code
 * (spans, fences, indented blocks) or in HTML comments is no import, nor is "\@x".
 *
 * Pure, and linear in the length of the text. The block structure is followed as far
 * as people use it: a fence that is never closed reaches to the end. */
#ifndef AWL_CONTEXT_IMPORTS_H
#define AWL_CONTEXT_IMPORTS_H

#include "base/str.h"

struct imports {
	struct sv text; /* borrowed */
	size_t at;
	size_t block_end;   /* of the lines that belong together, which a code span may cross */
	uint32_t unclosed;  /* bit n - 1: no n backticks end a span in what is left of them */
	bool comments_over; /* nothing ends a comment any more */
	bool after_blank, in_list;
};

struct imports imports_in(struct sv text);

/* Replaces `path` by the next one, as written but for "\ "; never empty, at most
 * LIMIT_PATH bytes. False when there is none left. */
bool imports_next(struct imports *in, struct str *path);

#endif
