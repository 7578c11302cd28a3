/* proxy_auth.h - private to src/net: the credentials for a proxy. They are requested when the first
 * request needs them, and again when the proxy rejects them. Requests that come meanwhile wait. */
#ifndef AWL_NET_HTTP_PROXY_AUTH_H
#define AWL_NET_HTTP_PROXY_AUTH_H

#include "base/str.h"
#include "net/http.h"

struct request;

struct proxy_credentials {
	const struct http_proxy_auth *source; /* NULL: there is none */
	struct str line;                      /* "Proxy-Authorization: ..."; empty: not known */
	unsigned count;                       /* how many there have been */
	struct op *asking;                    /* NULL: not being requested */
	struct request *waiting;              /* newest first */
};

void proxy_auth_clear(struct proxy_credentials *p);

/* Whether the request may continue now. Otherwise it waits until request_authorized() is called. */
bool proxy_auth_await(struct request *r);

/* The proxy rejected the credentials of this request. */
void proxy_auth_refuse(struct request *r);

/* The request ended while it was waiting. The last one still waits for the end of what it has
 * started; request_authorized() is called then. */
void proxy_auth_leave(struct request *r);

#endif
