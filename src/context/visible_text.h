/* visible_text.h - text by others, reduced to what a person sees.
 *
 * A model reads characters that no screen shows (tags, zero-width and direction marks), so a
 * file could say more to it than to its reviewers. These characters are removed. Joiners and
 * left-to-right marks stay: emoji and many scripts need them. */
#ifndef AWL_CONTEXT_VISIBLE_TEXT_H
#define AWL_CONTEXT_VISIBLE_TEXT_H

#include "base/str.h"

/* Appends `raw` as valid UTF-8 (malformed parts become U+FFFD) without invisible characters, and
 * returns how many it removed. A byte order mark at the start is dropped and not counted. */
size_t visible_text(struct str *out, struct sv raw);

/* Appends the same as part of one line: control characters appear as "\x0a". */
void visible_line(struct str *out, struct sv raw);

#endif
