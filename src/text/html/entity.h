/* entity.h - HTML character references by name and number. */
#ifndef AWL_TEXT_HTML_ENTITY_H
#define AWL_TEXT_HTML_ENTITY_H

#include "base/str.h"

/* Appends the character that `entity` ("&amp;", "&#38;", "&#x26;") stands for. Numbers
 * that are not characters give U+FFFD. Knows the 253 names of HTML 4 and XML; returns
 * false, with nothing appended, for other names and other text. */
must_use bool entity_decode(struct str *out, struct sv entity);

#endif
