/* host.h - private to src/sandbox: the host names that a sandboxed program may ask for, and the
 * entries of lists that match them. Pure.
 *
 * A name is accepted only in a spelling that every resolver reads in the same way. Ambiguous ones
 * (with a NUL, a percent sign, an octal address, a trailing dot, IPv4 inside IPv6) are refused
 * before any list is consulted. */
#ifndef AWL_SANDBOX_PROXY_HOST_H
#define AWL_SANDBOX_PROXY_HOST_H

#include "base/err.h"
#include "base/str.h"

enum { PROXY_HOST_SIZE = 254 };

struct proxy_host {
	char name[PROXY_HOST_SIZE]; /* lower case; an address has no brackets */
	bool is_address;
	int port;
};

/* Fails (ERR_INVALID) on names that are invalid or ambiguous. An IPv6 address may have brackets. */
must_use bool proxy_host_read(struct proxy_host *out, struct sv name, int port, struct err *err);

/* Whether an entry of a list matches: "host" or "*.host" (everything below, but not the host
 * itself), optionally with ":port". With `wide`, for lists that deny, "*" and "*.com" are accepted
 * too. A malformed entry matches nothing. `*exact`, if not NULL, is whether the entry names this
 * very host. */
bool proxy_host_matches(const struct proxy_host *host, struct sv entry, bool wide, bool *exact);
/* Whether an entry names this very host, on whatever port. */
bool proxy_host_is_named(const char *name, struct sv entry);

#endif
