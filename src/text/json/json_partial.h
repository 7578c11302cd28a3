/* json_partial.h - reading a JSON text that is still arriving, such as the input
 * of a tool while a model writes it.
 *
 * Bytes are fed in any split, each looked at once. At any moment the part that
 * has come can be closed to a valid text, which shows as much as is certain:
 *
 *   {"path": "src/ma            {"path": "src/ma"}
 *   {"path": "a", "lim          {"path": "a"}
 *   {"list": [1, 2, 3           {"list": [1, 2]}
 *
 * Strings as values show as far as they go, but no half character or escape; a
 * number or literal shows once it is whole, a member once it has a value. So the
 * closed text only ever grows into the final one. */
#ifndef AWL_TEXT_JSON_JSON_PARTIAL_H
#define AWL_TEXT_JSON_JSON_PARTIAL_H

#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

enum json_partial_state {
	JSON_PARTIAL_VALUE,       /* a value has to come */
	JSON_PARTIAL_FIRST_VALUE, /* or the array ends */
	JSON_PARTIAL_KEY,
	JSON_PARTIAL_FIRST_KEY, /* or the object ends */
	JSON_PARTIAL_COLON,
	JSON_PARTIAL_NEXT, /* a comma or the end of the container */
	JSON_PARTIAL_IN_KEY,
	JSON_PARTIAL_IN_STRING,
	JSON_PARTIAL_IN_NUMBER,
	JSON_PARTIAL_IN_LITERAL,
	JSON_PARTIAL_DONE, /* nothing but white space may come */
};

struct json_partial {
	struct str text; /* all that came, for reading; ends before a malformed byte */
	struct err why;  /* what made it fail, if anything did */
	enum json_partial_state state;
	unsigned depth;                          /* open containers */
	uint8_t is_object[LIMIT_JSON_DEPTH / 8]; /* a bit for each */
	size_t keep;                             /* end of the last bracket or whole value */
	size_t shown;                            /* in a string: end of what is whole in it */
	size_t start;                            /* of the character or escape that is not */
	int part;                                /* where in that, or in a number */
	const char *rest;                        /* of the literal */
};

#define JSON_PARTIAL_INIT        \
	{                        \
		.text.ptr = NULL \
	}

void json_partial_clear(struct json_partial *p);

/* Consumes all of `chunk`. Fails with ERR_PARSE and the offset of the first byte
 * that no JSON text could have there, or with ERR_TOO_BIG past LIMIT_JSON_DOC or
 * LIMIT_JSON_DEPTH; then what came before is kept, and more is refused with the
 * same error. A byte-order mark is malformed. */
must_use bool json_partial_feed(struct json_partial *p, struct sv chunk, struct err *err);

/* Whether the value is whole, so that json_parse() will take `text`. A number that
 * is the root itself is only known to be so once white space follows. */
bool json_partial_is_complete(const struct json_partial *p);

/* Appends to `out` what has come, closed: json_parse() never refuses it. It is
 * "null" while not even the start of a value can be shown. */
void json_partial_close(const struct json_partial *p, struct str *out);

#endif
