/* incoming.h - private to src/net: one HTTP/1.1 request, read from bytes in any
 * split. Pure: the server moves the bytes.
 *
 * Strict where leniency would make two readers disagree about where a request
 * ends (bare line feeds, folded headers, a length said twice); what is refused
 * comes with the status to answer and a sentence that says why. */
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
	struct str head, line, body; /* `line`: one of chunk sizes or trailers */
	uint64_t left;               /* of the body, or of a chunk */
	size_t overhead;             /* bytes of such lines so far */

	/* Valid once the head is read; views into `head`. */
	struct sv method, path; /* the path with its query; "*" for OPTIONS */
	VEC(struct http_header) headers;
	int version;         /* 10 or 11 */
	bool keep_alive;     /* the client would send another */
	bool waits_for_100;  /* it sends the body only after 100 Continue */
	int refusal_status;  /* when refused: 400, 413, 431, ... */
	const char *refusal; /* static text */
};

/* `max_body` caps the body; the head has LIMIT_SERVER_HEAD. */
void incoming_init(struct incoming *in, size_t max_body);
void incoming_clear(struct incoming *in);

/* Whether anything of the request has come. */
bool incoming_begun(const struct incoming *in);

/* Takes the bytes of this request off the front of `bytes` and returns how many
 * they were: fewer than given only once it is whole or refused. */
size_t incoming_feed(struct incoming *in, struct sv bytes);

#endif
