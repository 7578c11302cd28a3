/* visible_text.h - text that others wrote, as a person who looks at it sees it.
 *
 * A model reads characters that no screen shows (tags, zero-width and direction
 * marks), so a file can say more to it than to whoever reviewed the file. These are
 * taken out. Joiners and left-to-right marks stay: emoji and many scripts need them. */
#ifndef AWL_CONTEXT_VISIBLE_TEXT_H
#define AWL_CONTEXT_VISIBLE_TEXT_H

#include "base/str.h"

/* Appends `raw` as valid UTF-8 (malformed parts become U+FFFD) and without what
 * cannot be seen; how many characters that was. A byte order mark at the start is
 * dropped and does not count. */
size_t visible_text(struct str *out, struct sv raw);

/* The same as part of one line: control characters appear as "\x0a". */
void visible_line(struct str *out, struct sv raw);

#endif
