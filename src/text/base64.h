/* base64.h - RFC 4648, both alphabets, each in its one strict spelling: the
 * standard one padded to groups of four, the one for URLs without padding. */
#ifndef AWL_TEXT_BASE64_H
#define AWL_TEXT_BASE64_H

#include "base/err.h"
#include "base/str.h"

enum base64_kind { BASE64_STD, BASE64_URL };

/* Appends. */
void base64_encode(struct str *out, struct sv bytes, enum base64_kind kind);

/* Appends the bytes that `text` stands for; exactly one text stands for any
 * bytes, so white space, missing or wrong padding and stray bits in the last
 * character are refused: ERR_PARSE, with the offset; then `out` is unchanged. */
must_use bool base64_decode(struct str *out, struct sv text, enum base64_kind kind,
			    struct err *err);

#endif
