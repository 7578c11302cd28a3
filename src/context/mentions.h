/* mentions.h - what a prompt mentions: `@src/main.c`, `@"with blanks.txt"`, `@main.c#L10-20`, `@agent-NAME`.
 *
 *   struct mentions mentions = { .text = prompt };
 *   while (mentions_next(&mentions, &mention))
 *           ...
 *
 * A mention begins after white space or an opening bracket or quote, so "me@host.com" is not one, and ends at white
 * space. Punctuation after it is not part of it. Whether anything has that name is for the caller to find out.
 *
 * Pure, and linear in the length of the text. */
#ifndef AWL_CONTEXT_MENTIONS_H
#define AWL_CONTEXT_MENTIONS_H

#include "base/str.h"

struct mentions {
	struct sv text; /* borrowed */
	size_t at;
};

struct mention {
	struct sv name;     /* never empty, at most LIMIT_PATH bytes */
	size_t first, last; /* the lines that are meant; both 0: all */
};

bool mentions_next(struct mentions *in, struct mention *out);

#endif
