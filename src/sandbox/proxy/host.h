/* gate_host.h - private to src/net: names of hosts as a sandbox may ask for them, and lists
 * of those it gets. Pure.
 *
 * A name is taken only in the one spelling that every resolver understands alike: what could
 * be read in two ways (a NUL, a percent sign, an octal address, a dot at the end, IPv4 inside of
 * IPv6) is refused before any list is asked. */
#ifndef AWL_SANDBOX_PROXY_HOST_H
#define AWL_SANDBOX_PROXY_HOST_H

#include "base/err.h"
#include "base/str.h"

enum { PROXY_HOST_SIZE = 254 };

struct proxy_host {
	char name[PROXY_HOST_SIZE]; /* lower case; an address without brackets */
	bool is_address;
	int port;
};

/* Fails (ERR_INVALID) on what is no host, or could be another for somebody else. An IPv6
 * address may stand in brackets. */
must_use bool proxy_host_read(struct proxy_host *out, struct sv name, int port, struct err *err);

/* Whether an entry speaks of it: "host", "*.host" (all below, not itself), either with a
 * ":port". With `wide`, for lists that forbid, also "*" and "*.com"; what is malformed speaks
 * of nothing. `*exact`, where not NULL, is whether it names the host itself. */
bool proxy_host_matches(const struct proxy_host *host, struct sv entry, bool wide, bool *exact);

#endif
