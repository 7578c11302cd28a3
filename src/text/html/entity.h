/* entity.h - the characters that HTML has names and numbers for. */
#ifndef AWL_TEXT_HTML_ENTITY_H
#define AWL_TEXT_HTML_ENTITY_H

#include "base/str.h"

/* Appends the character that `entity` ("&amp;", "&#38;", "&#x26;") stands for.
 * Numbers that are no character give U+FFFD. Known are the 253 names of HTML 4
 * and XML; false, with nothing appended, for other names and other text. */
must_use bool entity_decode(struct str *out, struct sv entity);

#endif
