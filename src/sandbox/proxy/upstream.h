/* gate_upstream.h - private to src/net: a proxy between this machine and the world, that the
 * gate has to go through itself: what it is told, and what it answers. Pure. */
#ifndef AWL_SANDBOX_PROXY_UPSTREAM_H
#define AWL_SANDBOX_PROXY_UPSTREAM_H

#include "sandbox/proxy/proxy.h"
#include "sandbox/proxy/request.h"

struct gate_upstream {
	struct gate_host host;
	struct str credentials; /* for Proxy-Authorization; empty: none */
};

void gate_upstream_clear(struct gate_upstream *upstream);

/* The URL of the proxy that a host is reached by; NULL: directly. What is near is. */
const char *gate_upstream_for(const struct gate_opts *opts, const struct gate_wire *wire);
/* Reads such a URL: "http://user:password@host:port", of which only the host is needed. Fails
 * (ERR_UNSUPPORTED) on proxies of other kinds. */
must_use bool gate_upstream_read(struct gate_upstream *out, const char *url, struct err *err);

/* Appends what it is told first: to connect, or the request that was made of us. */
void gate_upstream_ask(const struct gate_upstream *upstream, const struct gate_wire *wire,
		       struct str *out);
/* Whether it answers that before bytes flow. */
bool gate_upstream_answers(const struct gate_wire *wire);
/* Takes the head of its answer off `heard`. False when more is needed; `*refused` is the first
 * line of another answer than yes, or says what is wrong with it; else ERR_NONE. */
bool gate_upstream_hear(struct str *heard, struct err *refused);

#endif
