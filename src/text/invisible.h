/* invisible.h - characters that a model or a shell reads and no screen shows, by which a text can
 * say more to the one than to whoever looks at it. Pure. */
#ifndef AWL_TEXT_INVISIBLE_H
#define AWL_TEXT_INVISIBLE_H

#include "base/str.h"

/* Zero-width and direction marks, soft hyphens, annotation anchors, tags, controls but
 * for tab and line breaks. Joiners are not among them: emoji and many scripts need
 * them. */
bool invisible_is(uint32_t rune);

/* Appends `text` without them, as valid UTF-8: malformed parts become U+FFFD. */
void invisible_drop(struct str *out, struct sv text);

/* Those and what scripts need but no command and no path does: joiners, fillers, variation
 * selectors, a carriage return. */
bool invisible_misleads(uint32_t rune);
/* The same within one line: also tab and newline. */
bool invisible_misleads_in_line(uint32_t rune);

/* Appends `text` with the characters that `is` one of these spelt out ("\x1b", "\u{200b}"), and
 * malformed bytes, too. */
void invisible_escape(struct str *out, struct sv text, bool (*is)(uint32_t rune));

#endif
