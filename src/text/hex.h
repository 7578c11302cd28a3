/* hex.h - bytes as pairs of hexadecimal digits. */
#ifndef AWL_TEXT_HEX_H
#define AWL_TEXT_HEX_H

#include "base/str.h"

/* Appends two lower-case digits for each byte. */
void hex_encode(struct str *out, struct sv bytes);

/* The value of one digit in either case, or -1. */
int hex_digit(char c);

#endif
