/* response_head.h - private to src/net/real: the head of a response, put together from
 * the lines curl hands over. Interim answers (1xx) and trailers are skipped; a
 * redirect that may be followed is kept back until it is known not to be. */
#ifndef AWL_NET_HTTP_RESPONSE_HEAD_H
#define AWL_NET_HTTP_RESPONSE_HEAD_H

#include "base/err.h"
#include "base/vec.h"
#include "net/http.h"

enum head_state {
	HEAD_AWAITED,   /* nothing yet, or only interim answers */
	HEAD_OPEN,      /* its first line is there */
	HEAD_TENTATIVE, /* whole, but curl may follow where it points */
	HEAD_FINAL,     /* whole */
};

struct head {
	enum head_state state;
	bool follows; /* set by the owner: curl follows redirects */
	int status, version;
	size_t size;                    /* as it came */
	struct str text;                /* the fields, a line each */
	VEC(struct http_header) fields; /* views into text, once it is whole */
};

void head_clear(struct head *head);

/* Takes in one line as it came. Fails on a status line that is none
 * (ERR_PROTOCOL) and past LIMIT_HTTP_HEAD (ERR_TOO_BIG). */
must_use bool head_add_line(struct head *head, struct sv line, struct err *err);

/* That no other head will come: the body has begun, or all has been read. */
void head_settle(struct head *head);

/* Borrows until cleared. */
struct http_head head_view(const struct head *head);

#endif
