/* gate_upstream.h - private to src/net: a proxy between this machine and the world, that the
 * proxy has to go through itself: what it is told, and what it answers. Pure. */
#ifndef AWL_SANDBOX_PROXY_UPSTREAM_H
#define AWL_SANDBOX_PROXY_UPSTREAM_H

#include "sandbox/proxy/proxy.h"
#include "sandbox/proxy/request.h"

struct upstream_proxy {
	struct proxy_host host;
	struct str credentials; /* for Proxy-Authorization; empty: none */
};

void upstream_proxy_clear(struct upstream_proxy *upstream);

/* The URL of the proxy that a host is reached by; NULL: directly. What is near is. */
const char *upstream_proxy_for(const struct sandbox_proxy_opts *opts,
			       const struct proxy_request *request);
/* Reads such a URL: "http://user:password@host:port", of which only the host is needed. Fails
 * (ERR_UNSUPPORTED) on proxies of other kinds. */
must_use bool upstream_proxy_read(struct upstream_proxy *out, const char *url, struct err *err);

/* Appends what it is told first: to connect, or the request that was made of us. */
void upstream_proxy_request(const struct upstream_proxy *upstream,
			    const struct proxy_request *request, struct str *out);
/* Whether it answers that before bytes flow. */
bool upstream_proxy_answers(const struct proxy_request *request);
/* Takes the head of its answer off `heard`. False when more is needed; `*refused` is the first
 * line of another answer than yes, or says what is wrong with it; else ERR_NONE. */
bool upstream_proxy_read_answer(struct str *heard, struct err *refused);

#endif
