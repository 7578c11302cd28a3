/* content_length.h - messages framed as language servers do it: header lines, an empty line, and as many bytes as
 * the header Content-Length says. Pure; feed bytes in any split. */
#ifndef AWL_TEXT_CONTENT_LENGTH_H
#define AWL_TEXT_CONTENT_LENGTH_H

#include "base/err.h"
#include "base/str.h"

struct content_length {
	struct str in;   /* what has come of the next message */
	size_t body;     /* its length, once the headers are complete */
	bool has_length; /* they are */
};

void content_length_clear(struct content_length *c);

/* Returns whether to continue. The view dies when it returns. */
typedef bool content_length_fn(void *arg, struct sv body);

/* Consumes all of `bytes`. Fails (ERR_PROTOCOL) on headers that make no sense and on a message of more than `max`
 * bytes; then only content_length_clear() is valid. */
must_use bool content_length_feed(struct content_length *c, struct sv bytes, size_t max,
				  content_length_fn *emit, void *arg, struct err *err);

/* Appends a framed message. */
void content_length_write(struct str *out, struct sv body);

#endif
