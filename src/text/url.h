/* url.h - splits URLs into parts and resolves the links on a page (RFC 3986). Pure.
 * src/net parses the URLs that it connects to by its own, stricter rules. */
#ifndef AWL_TEXT_URL_H
#define AWL_TEXT_URL_H

#include "base/str.h"

/* Views into the URL; an absent part is empty. */
struct url {
	struct sv scheme;    /* without the colon */
	struct sv authority; /* "user@host:port" */
	struct sv host;      /* without user, port and the brackets of an IPv6 address */
	struct sv port;
	struct sv path;
	struct sv query;    /* with its question mark */
	struct sv fragment; /* with its number sign */
	bool has_user;
};

/* Never fails: text that is not a URL becomes the path. */
struct url url_split(struct sv text);

bool url_is_web(const struct url *url); /* http or https, and a host */

/* Whether both are web URLs with the same scheme, host and port; a missing port is that of the
 * scheme. */
bool url_is_same_origin(struct sv a, struct sv b);

/* Appends `text` with http in place of ws and https in place of wss: a WebSocket begins as a request of HTTP. */
void url_add_web(struct str *out, struct sv text);

/* Appends the target of `ref`, as written on a page, resolved against `base`, an
 * absolute URL. As browsers do, drops blanks at both ends of `ref` and all line breaks
 * and tabs. An absolute `ref` needs no base. Returns false, with nothing appended, when
 * the target cannot be resolved or is longer than LIMIT_URL. */
must_use bool url_resolve(struct str *out, struct sv base, struct sv ref);

/* Whether `host` is `domain` or a subdomain of it, ignoring case. */
bool url_host_is_in(struct sv host, struct sv domain);

#endif
