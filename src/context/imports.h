/* imports.h - the files that a Markdown text imports: `@docs/style.md`.
 *
 *   struct imports imports = imports_in(text);
 *   while (imports_next(&imports, &path))
 *           ...
 *
 * A path starts with "@" after white space, an opening bracket, a quote or the like, so
 * "me@host.com" is not one, and ends at white space (write a blank as "\ "). Punctuation after
 * it and a "#fragment" are not part of it. An "@" in code (spans, fences, indented blocks), in
 * HTML comments or after a backslash is not an import.
 *
 * Pure, and linear in the length of the text. It follows the block structure as far as people
 * use it: a fence that is never closed extends to the end. */
#ifndef AWL_CONTEXT_IMPORTS_H
#define AWL_CONTEXT_IMPORTS_H

#include "base/str.h"

struct imports {
	struct sv text; /* borrowed */
	size_t at;
	size_t block_end;   /* end of the lines that belong together; a code span may cross them */
	uint32_t unclosed;  /* bit n - 1: the rest contains no n backticks that would end a span */
	bool comments_over; /* the rest contains no end of a comment */
	bool after_blank, in_list;
};

struct imports imports_in(struct sv text);

/* Replaces `path` by the next path, as written except for "\ "; never empty, at most LIMIT_PATH
 * bytes. Returns false at the end. */
bool imports_next(struct imports *in, struct str *path);

#endif
