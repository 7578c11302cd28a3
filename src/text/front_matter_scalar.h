/* front_matter_scalar.h - the meaning of an unquoted YAML scalar, for front_matter.c. */
#ifndef AWL_TEXT_FRONT_MATTER_SCALAR_H
#define AWL_TEXT_FRONT_MATTER_SCALAR_H

#include "text/json/json_write.h"

/* Writes null, a boolean or a number when YAML 1.2's core schema reads `text` as one,
 * otherwise the string. Numbers of any length keep their value; only hexadecimal and
 * octal numbers over 64 bits stay strings. */
void front_matter_write_plain(struct jw *w, struct sv text);

#endif
