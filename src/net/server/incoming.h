/* incoming.h - private to src/net: one HTTP/1.1 request, parsed from bytes in pieces of any size.
 * Pure: the server moves the bytes.
 *
 * Strict wherever leniency would let two parsers disagree about the end of a request (bare line
 * feeds, folded headers, two lengths). A refusal has the status to answer and a sentence that says
 * why. */
#ifndef AWL_NET_SERVER_INCOMING_H
#define AWL_NET_SERVER_INCOMING_H

#include "base/vec.h"
#include "net/http.h"

enum incoming_state {
	INCOMING_HEAD,
	INCOMING_BODY,       /* of known length */
	INCOMING_CHUNK_SIZE, /* the line before a chunk */
	INCOMING_CHUNK,
	INCOMING_CHUNK_END, /* the line break after it */
	INCOMING_TRAILER,
	INCOMING_WHOLE,
	INCOMING_REFUSED,
};

struct incoming {
	size_t max_body;
	enum incoming_state state;
	struct str head, line, body; /* `line`: a chunk size or trailer line */
	uint64_t left;               /* of the body, or of a chunk */
	size_t overhead;             /* bytes in such lines so far */

	/* Valid once the head is read; views into `head`. */
	struct sv method, path; /* the path with its query; "*" for OPTIONS */
	VEC(struct http_header) headers;
	int version;         /* 10 or 11 */
	bool keep_alive;     /* the client may send another request */
	bool waits_for_100;  /* it sends the body only after 100 Continue */
	int refusal_status;  /* when refused: 400, 413, 431, ... */
	const char *refusal; /* static text */
};

/* `max_body` limits the body; the head is limited to LIMIT_SERVER_HEAD. */
void incoming_init(struct incoming *in, size_t max_body);
void incoming_clear(struct incoming *in);

/* Whether any byte of the request has come. */
bool incoming_begun(const struct incoming *in);

/* Takes the bytes of this request from the front of `bytes` and returns their number. It is less
 * than given only once the request is complete or refused. */
size_t incoming_feed(struct incoming *in, struct sv bytes);

#endif
