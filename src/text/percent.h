/* percent.h - RFC 3986 percent-encoding for URLs, forms and signatures. */
#ifndef AWL_TEXT_PERCENT_H
#define AWL_TEXT_PERCENT_H

#include "base/str.h"

/* Appends `text` with every byte written as %XX (upper case), except the unreserved
 * ones, A-Z a-z 0-9 - . _ ~, and those in `also_kept` ("" for none). */
void percent_encode(struct str *out, struct sv text, const char *also_kept);

/* Appends the bytes that `text`, a value in a query or a form, stands for: '+' is a blank. A malformed
 * escape stands for itself. */
void percent_decode_form(struct str *out, struct sv text);

#endif
