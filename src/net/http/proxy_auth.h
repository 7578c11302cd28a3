/* proxy_auth.h - private to src/net/real: what a proxy wants to be told by whoever comes. It is
 * asked for when the first request needs it, and again when the proxy does not take it;
 * those that come meanwhile wait. */
#ifndef AWL_NET_HTTP_PROXY_AUTH_H
#define AWL_NET_HTTP_PROXY_AUTH_H

#include "base/str.h"
#include "net/http.h"

struct request;

struct permit {
	const struct http_proxy_auth *source; /* NULL: nobody knows any */
	struct str line;                      /* "Proxy-Authorization: ..."; empty: not known */
	unsigned count;                       /* how many there have been */
	struct op *asking;                    /* NULL when it is not asked for */
	struct request *waiting;              /* newest first */
};

void permit_clear(struct permit *permit);

/* Whether the request may go on at once. Else it waits: request_permitted() follows. */
bool permit_await(struct request *r);

/* The proxy did not take the one that the request had. */
void permit_refuse(struct request *r);

/* The request has ended while it waits. The last one still waits for the end of what it
 * has set going: request_permitted() follows. */
void permit_leave(struct request *r);

#endif
