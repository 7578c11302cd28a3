/* bash_plain.h - what a terminal would have left standing of the bytes a command
 * printed, as plain text: escape sequences and control characters are gone, of a
 * line that was drawn again and again after "\r" the last state remains, "\b"
 * takes back a character, malformed UTF-8 is U+FFFD. Pure, and the same however
 * the bytes are split. */
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
	struct str line; /* the present one as far as it may still change; raw bytes */
	enum bash_escape escape;
	bool returned; /* by "\r": what comes next draws the line anew */
};

#define BASH_PLAIN_INIT          \
	{                        \
		.line = STR_INIT \
	}

void bash_plain_clear(struct bash_plain *p);

/* Appends to `out` what can change no more: whole lines, and all but the end of one
 * of over LIMIT_BASH_LINE bytes. */
void bash_plain_feed(struct bash_plain *p, struct sv bytes, struct str *out);
/* No more will come: appends the last line, which had no end. */
void bash_plain_end(struct bash_plain *p, struct str *out);

/* Length of `text` without a character at its end that is still incomplete. */
size_t bash_plain_whole(struct sv text);

#endif
