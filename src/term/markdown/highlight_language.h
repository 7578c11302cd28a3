/* highlight_language.h - private to src/term: what the lexer knows of a language. Word lists are separated by single
 * blanks and begin and end with one. */
#ifndef AWL_TERM_MARKDOWN_HIGHLIGHT_LANGUAGE_H
#define AWL_TERM_MARKDOWN_HIGHLIGHT_LANGUAGE_H

#include "term/markdown/highlight.h"

enum highlight_flag {
	LANGUAGE_ANY_CASE = 1,   /* keywords */
	LANGUAGE_DIRECTIVES = 2, /* a line that begins with # is one */
	LANGUAGE_DECORATORS = 4, /* @name */
	LANGUAGE_VARIABLES = 8,  /* $name, ${...} */
	LANGUAGE_KEYS = 16,      /* name: value, name = value */
	LANGUAGE_TAGS = 32,      /* <name attribute="value"> */
	LANGUAGE_LIFETIMES = 64, /* 'a is not the beginning of a character */
	LANGUAGE_DASHES = 128,   /* words may contain - */
	LANGUAGE_CAPITALS = 256, /* Names with a capital are types */
	LANGUAGE_DIFF = 512,
	LANGUAGE_MARKDOWN = 1024,
	LANGUAGE_TARGETS = 2048, /* a line "name:" is one */
};

struct highlight_language {
	const char *names;                        /* of fences, and endings of files */
	const char *files;                        /* whole names of files; NULL: none */
	const char *keywords, *types, *constants; /* NULL: none */
	/* Empty: none. They are arrays, which the loader need not adjust whenever awl starts. */
	char line_comments[2][4];
	char comment[6], comment_end[6];
	char quotes[6];         /* characters that begin and end a string of one line */
	char long_quotes[3][4]; /* the same for strings of many lines */
	unsigned flags;
};

extern const struct highlight_language highlight_languages[];
extern const size_t highlight_language_count;

#endif
