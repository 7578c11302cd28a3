/* bash_plain.h - the text that a terminal would show in the end for the bytes that a command
 * printed. Escape sequences and control characters are removed. Of a line that was redrawn after
 * "\r", the last state remains. "\b" removes a character. Malformed UTF-8 becomes U+FFFD. Pure, and
 * independent of how the bytes are split. */
#ifndef AWL_TOOL_SHELL_BASH_PLAIN_H
#define AWL_TOOL_SHELL_BASH_PLAIN_H

#include "base/str.h"

enum bash_escape {
	ESCAPE_NONE,
	ESCAPE_BEGUN,    /* ESC */
	ESCAPE_CSI,      /* ESC [ parameters, ended by a letter */
	ESCAPE_SHORT,    /* ESC ( and a character */
	ESCAPE_TEXT,     /* ESC ] a title or the like, ended by BEL, ESC \ or the line */
	ESCAPE_TEXT_END, /* perhaps the ESC of that end */
};

struct bash_plain {
	struct str line; /* the current line, as far as it may still change; raw bytes */
	enum bash_escape escape;
	bool returned; /* by "\r": the next character begins the line again */
};

#define BASH_PLAIN_INIT          \
	{                        \
		.line = STR_INIT \
	}

void bash_plain_clear(struct bash_plain *p);

/* Appends what is final to `out`: whole lines, and the beginning of a line of more than
 * LIMIT_BASH_LINE bytes. */
void bash_plain_feed(struct bash_plain *p, struct sv bytes, struct str *out);
/* There are no more bytes: appends the last line. */
void bash_plain_end(struct bash_plain *p, struct str *out);

/* The length of `text` without an incomplete character at its end. */
size_t bash_plain_whole(struct sv text);

#endif
