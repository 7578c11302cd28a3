/* front_matter_scalar.h - what an unquoted YAML scalar means, for front.c. */
#ifndef AWL_TEXT_FRONT_MATTER_SCALAR_H
#define AWL_TEXT_FRONT_MATTER_SCALAR_H

#include "text/json/json_write.h"

/* Writes null, a boolean or a number when YAML 1.2's core schema reads `text` as
 * one, else the string. Numbers keep their value however long they are; only
 * hexadecimal and octal ones of over 64 bits stay strings. */
void front_matter_write_plain(struct jw *w, struct sv text);

#endif
