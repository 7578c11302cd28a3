/* response_head.h - private to src/net: the head of a response, assembled from the lines that curl
 * passes on. Interim responses (1xx) and trailers are skipped. A redirect that may be followed is
 * kept until it is clear that it is not. */
#ifndef AWL_NET_HTTP_RESPONSE_HEAD_H
#define AWL_NET_HTTP_RESPONSE_HEAD_H

#include "base/err.h"
#include "base/vec.h"
#include "net/http.h"

enum head_state {
	HEAD_AWAITED,   /* nothing yet, or only interim responses */
	HEAD_OPEN,      /* the status line has come */
	HEAD_TENTATIVE, /* complete, but curl may follow the redirect */
	HEAD_FINAL,     /* complete */
};

struct head {
	enum head_state state;
	bool follows; /* set by the owner: curl follows redirects */
	int status, version;
	size_t size;                    /* in bytes, as received */
	struct str text;                /* the fields, one per line */
	VEC(struct http_header) fields; /* views into text, once it is complete */
};

void head_clear(struct head *head);

/* Takes one line as it came. Fails on an invalid status line (ERR_PROTOCOL) and past
 * LIMIT_HTTP_HEAD (ERR_TOO_BIG). */
must_use bool head_add_line(struct head *head, struct sv line, struct err *err);

/* No other head will come: the body has begun, or everything has been read. */
void head_settle(struct head *head);

/* Borrows until cleared. */
struct http_head head_view(const struct head *head);

#endif
