/* highlight.h - source code with colours: one lexer, and a table of languages.
 *
 * The lexer goes line by line and carries its state (inside a comment or a string) from one line to the next, so a
 * growing text is coloured as it comes. It knows what a reader looks for: comments, strings, numbers, keywords, types,
 * calls, keys, and the lines of a diff. It does not parse: code that is wrong or cut off looks as good as code that is
 * right. Pure.
 *
 * A tree-sitter grammar per language would be exacter. The one for bash alone adds 1.3 MB and a second of building,
 * and it has to see the whole text again for every line that arrives. */
#ifndef AWL_TERM_MARKDOWN_HIGHLIGHT_H
#define AWL_TERM_MARKDOWN_HIGHLIGHT_H

#include "term/style.h"

struct highlight_look {
	struct style text, comment, string, number, keyword, type, function, constant, key;
	struct style added, removed, hunk;
};

struct highlight_language;

/* By the word after a fence or by the name of a file ("c", "python", "Makefile", "x.tsx"); NULL: unknown. */
const struct highlight_language *highlight_find(struct sv name);

struct highlight {
	const struct highlight_language *language;
	const char *
		until; /* the end of the comment or string that the line begins in; NULL: in neither */
	bool is_comment; /* which of the two */
};

/* `language` may be NULL: everything is plain text. */
void highlight_init(struct highlight *highlight, const struct highlight_language *language);

typedef void highlight_fn(void *arg, struct sv text, const struct style *style);

/* Gives the pieces of one line, without its end, in order. */
void highlight_line(struct highlight *highlight, struct sv line, const struct highlight_look *look,
		    highlight_fn *fn, void *arg);

#endif
