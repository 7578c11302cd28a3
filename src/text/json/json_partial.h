/* json_partial.h - reads a JSON text that is still arriving, such as the input of a tool
 * while a model writes it.
 *
 * Callers feed bytes in any split, and each byte is examined once. At any moment the
 * part that has arrived can be closed to a valid text, which shows as much as is
 * certain:
 *
 *   {"path": "src/ma            {"path": "src/ma"}
 *   {"path": "a", "lim          {"path": "a"}
 *   {"list": [1, 2, 3           {"list": [1, 2]}
 *
 * A string value appears as far as it has arrived, but without half a character or
 * escape. A number or literal appears once it is complete, a member once it has a value.
 * So the closed text only ever grows into the final one. */
#ifndef AWL_TEXT_JSON_JSON_PARTIAL_H
#define AWL_TEXT_JSON_JSON_PARTIAL_H

#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

enum json_partial_state {
	JSON_PARTIAL_VALUE,       /* expects a value */
	JSON_PARTIAL_FIRST_VALUE, /* expects a value or the end of the array */
	JSON_PARTIAL_KEY,
	JSON_PARTIAL_FIRST_KEY, /* expects a key or the end of the object */
	JSON_PARTIAL_COLON,
	JSON_PARTIAL_NEXT, /* expects a comma or the end of the container */
	JSON_PARTIAL_IN_KEY,
	JSON_PARTIAL_IN_STRING,
	JSON_PARTIAL_IN_NUMBER,
	JSON_PARTIAL_IN_LITERAL,
	JSON_PARTIAL_DONE, /* only white space may follow */
};

struct json_partial {
	struct str text; /* all input, for reading; ends before a malformed byte */
	struct err why;  /* why parsing failed; no error so far: ERR_NONE */
	enum json_partial_state state;
	unsigned depth;                          /* open containers */
	uint8_t is_object[LIMIT_JSON_DEPTH / 8]; /* one bit for each open container */
	size_t keep;                             /* end of the last bracket or whole value */
	size_t shown;                            /* in a string: end of the complete part */
	size_t start;                            /* start of the incomplete character or escape */
	int part;         /* position within that character, escape or number */
	const char *rest; /* remaining part of the literal */
};

#define JSON_PARTIAL_INIT        \
	{                        \
		.text.ptr = NULL \
	}

void json_partial_clear(struct json_partial *p);

/* Consumes all of `chunk`. Fails with ERR_PARSE and the offset of the first byte that is
 * invalid there, or with ERR_TOO_BIG past LIMIT_JSON_DOC or LIMIT_JSON_DEPTH. The text
 * before that byte is kept, and later calls fail with the same error. A byte-order mark
 * is malformed. */
must_use bool json_partial_feed(struct json_partial *p, struct sv chunk, struct err *err);

/* Whether the value is complete, so that json_parse() accepts `text`. A number at the
 * root is complete only once white space follows. */
bool json_partial_is_complete(const struct json_partial *p);

/* Appends the text so far to `out`, closed: json_parse() always accepts it. It is "null"
 * while not even the start of a value can be shown. */
void json_partial_close(const struct json_partial *p, struct str *out);

#endif
