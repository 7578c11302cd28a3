/* base64.h - RFC 4648 with both alphabets, each in one strict form: the standard
 * alphabet with padding to groups of four, the URL alphabet without padding. */
#ifndef AWL_TEXT_BASE64_H
#define AWL_TEXT_BASE64_H

#include "base/err.h"
#include "base/str.h"

enum base64_kind { BASE64_STD, BASE64_URL };

/* Appends the encoded text. */
void base64_encode(struct str *out, struct sv bytes, enum base64_kind kind);

/* Appends the bytes that `text` encodes. Every byte string has exactly one valid
 * encoding: white space, missing or wrong padding and stray bits in the last character
 * fail with ERR_PARSE and the offset; `out` is then unchanged. */
must_use bool base64_decode(struct str *out, struct sv text, enum base64_kind kind,
			    struct err *err);

#endif
