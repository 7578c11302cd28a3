/* json_halves.h - joins characters whose UTF-16 halves arrive in different strings. JavaScript
 * programs cut text between the halves of a character beyond U+FFFF; each half is then the escape
 * of a lone surrogate ("\ud83d"). json_parse() with JSON_KEEP_HALVES keeps it as three bytes. */
#ifndef AWL_TEXT_JSON_JSON_HALVES_H
#define AWL_TEXT_JSON_JSON_HALVES_H

#include "base/str.h"

/* One text that arrives in pieces. */
struct json_halves {
	uint32_t high; /* a first half at the end of the last piece; 0: none */
	struct str joined;
};

#define JSON_HALVES_INIT  \
	{                 \
		.high = 0 \
	}

void json_halves_clear(struct json_halves *halves);

/* Returns the next piece in whole characters: the piece itself, or a text that is valid until the
 * next call. A half without its other half becomes U+FFFD. */
struct sv json_halves_feed(struct json_halves *halves, struct sv piece);

/* Returns what the end of the text adds: U+FFFD if a half is left, else nothing. */
struct sv json_halves_end(struct json_halves *halves);

#endif
