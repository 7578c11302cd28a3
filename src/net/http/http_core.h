/* http_core.h - private to src/net: shared by the real and the simulated client. */
#ifndef AWL_NET_HTTP_HTTP_CORE_H
#define AWL_NET_HTTP_HTTP_CORE_H

#include "base/err.h"
#include "net/http.h"

/* The parts of a URL that say where to connect; views into it. */
struct http_url {
	struct sv scheme; /* "http" or "https", in the original case */
	struct sv host;   /* without the brackets of an IPv6 address */
	struct sv port;   /* as written; "" when it is the default */
	bool tls;
};

/* Fails (ERR_INVALID) on everything but an http or https URL that has a host in ASCII and nothing that
 * could end a line of the request. */
must_use bool http_url_parse(struct http_url *out, const char *url, struct err *err);
int http_url_port(const struct http_url *url);
/* Appends "https://host:port", the only part of a URL that an error may show. */
void http_url_origin(struct str *out, const struct http_url *url);

/* Fails (ERR_INVALID) on what cannot be sent unchanged, above all a method or header that would
 * smuggle in another line. Fails (ERR_ACCESS) when the request is public_only and its URL already
 * names something private. */
must_use bool http_request_check(const struct http_request *request, struct err *err);

#define HTTP_NOT_PUBLIC "this is not an address of the public network"

/* Whether it is a token of RFC 9110, as in methods and header names. */
bool http_is_token(struct sv s);

/* The method; "GET" or "POST" where the request leaves it open. */
const char *http_request_method(const struct http_request *request);

#endif
