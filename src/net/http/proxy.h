/* proxy.h - private to src/net and src/sandbox: which proxy a URL goes through. Pure. It is our own
 * instead of curl's, so that an error can say whether a proxy was involved, and so that NO_PROXY
 * means the same with every version of curl. */
#ifndef AWL_NET_HTTP_PROXY_H
#define AWL_NET_HTTP_PROXY_H

#include "net/http/http_core.h"

/* All borrowed; NULL or "" means none. */
struct proxy_rules {
	const char *for_http, *for_https;
	const char *except; /* separated by commas or blanks, see http.h */
};

/* The proxy to use; NULL: connect directly. */
const char *proxy_for(const struct proxy_rules *rules, const struct http_url *url);

#endif
