/* http_core.h - private to src/net: what the real and the simulated client share. */
#ifndef AWL_NET_HTTP_HTTP_CORE_H
#define AWL_NET_HTTP_HTTP_CORE_H

#include "base/err.h"
#include "net/http.h"

/* The parts of a URL that tell where to connect; views into it. */
struct http_url {
	struct sv scheme; /* "http" or "https", in the case it was written */
	struct sv host;   /* without the brackets of an IPv6 address */
	struct sv port;   /* as written; "" when it is the scheme's own */
	bool tls;
};

/* Fails (ERR_INVALID) on anything but an http or https URL with a host and
 * nothing in it that could end a line of the request. */
must_use bool http_url_parse(struct http_url *out, const char *url, struct err *err);
int http_url_port(const struct http_url *url);
/* Appends "https://host:port", all of a URL that an error may show. */
void http_url_origin(struct str *out, const struct http_url *url);

/* Fails (ERR_INVALID) on what could not be sent as it stands: above all a
 * method or header that would smuggle in another line; and (ERR_ACCESS) when it
 * is public_only and the URL already says that it will not do. */
must_use bool http_request_check(const struct http_request *request, struct err *err);

#define HTTP_NOT_PUBLIC "this is not an address of the public network"

/* RFC 9110's token: what methods and header names are made of. */
bool http_is_token(struct sv s);

/* "GET" and "POST" spelled out where the request leaves the method open. */
const char *http_request_method(const struct http_request *request);

#endif
