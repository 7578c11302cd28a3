/* url.h - URLs in parts, and what a link on a page leads to (RFC 3986). Pure; what
 * a connection is made of is src/net's own and stricter matter. */
#ifndef AWL_TEXT_URL_H
#define AWL_TEXT_URL_H

#include "base/str.h"

/* Views into the URL; a part that is not there is empty. */
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

/* Never fails: what is no URL is all path. */
struct url url_split(struct sv text);

bool url_is_web(const struct url *url); /* http or https, and a host */

/* Appends where `ref`, as written on a page, leads from `base`, an absolute URL.
 * Blanks at its ends are dropped, line breaks and tabs wherever they are, as
 * browsers do. An absolute `ref` needs no base. False, with nothing appended, when
 * there is no telling or the result is longer than LIMIT_URL. */
must_use bool url_resolve(struct str *out, struct sv base, struct sv ref);

/* Whether `host` is `domain` or below it, in any case of letters. */
bool url_host_is_in(struct sv host, struct sv domain);

#endif
