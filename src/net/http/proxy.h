/* proxy.h - private to src/net: which proxy a URL goes through. Pure, and ours
 * rather than curl's, so that an error can say whether a proxy was in the way
 * and every version of curl reads NO_PROXY alike. */
#ifndef AWL_NET_HTTP_PROXY_H
#define AWL_NET_HTTP_PROXY_H

#include "net/http/http_core.h"

/* All borrowed; NULL or "" is none. */
struct proxy_rules {
	const char *for_http, *for_https;
	const char *except; /* divided by commas or blanks, see http.h */
};

/* The proxy to ask, or NULL to connect directly. */
const char *proxy_for(const struct proxy_rules *rules, const struct http_url *url);

#endif
