/* invisible.h - characters that a model or a shell reads but no screen shows. With them,
 * a text can say one thing to the model and another to the user. Pure. */
#ifndef AWL_TEXT_INVISIBLE_H
#define AWL_TEXT_INVISIBLE_H

#include "base/str.h"

/* Zero-width and direction marks, soft hyphens, annotation anchors, tags, and control
 * characters except tab and line breaks. Joiners do not count: emoji and many scripts
 * need them. */
bool invisible_is(uint32_t rune);

/* Appends `text` without invisible characters, as valid UTF-8: malformed parts become
 * U+FFFD. */
void invisible_drop(struct str *out, struct sv text);

/* Invisible characters, and those that some scripts need but no command or path does:
 * joiners, fillers, variation selectors, a carriage return. */
bool invisible_misleads(uint32_t rune);
/* For text that must fit on one line: also matches tab and newline. */
bool invisible_misleads_in_line(uint32_t rune);

/* Appends `text` with every character for which `is` returns true, and every malformed
 * byte, written as an escape ("\x1b", "\u{200b}"). */
void invisible_escape(struct str *out, struct sv text, bool (*is)(uint32_t rune));

#endif
