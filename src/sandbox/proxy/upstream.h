/* upstream.h - private to src/sandbox: a proxy between this machine and the internet that our own
 * proxy has to use. Pure. */
#ifndef AWL_SANDBOX_PROXY_UPSTREAM_H
#define AWL_SANDBOX_PROXY_UPSTREAM_H

#include "sandbox/proxy/proxy.h"
#include "sandbox/proxy/request.h"

struct upstream_proxy {
	struct proxy_host host;
	struct str credentials; /* for Proxy-Authorization; empty: none */
};

void upstream_proxy_clear(struct upstream_proxy *upstream);

/* The URL of the upstream proxy for a host; NULL: connect directly, as to all private hosts. */
const char *upstream_proxy_for(const struct sandbox_proxy_opts *opts,
			       const struct proxy_request *request);
/* Reads "http://user:password@host:port", of which only the host is required. Fails
 * (ERR_UNSUPPORTED) on other kinds of proxies. */
must_use bool upstream_proxy_read(struct upstream_proxy *out, const char *url, struct err *err);

/* Appends what to send to it first: a CONNECT, or the program's own request. */
void upstream_proxy_request(const struct upstream_proxy *upstream,
			    const struct proxy_request *request, struct str *out);
/* Whether it answers before bytes are relayed. */
bool upstream_proxy_answers(const struct proxy_request *request);
/* Cuts the head of its answer off `reply`. False when more bytes are needed. `*refused` is ERR_NONE
 * when it accepts; otherwise it quotes the status line or says what is wrong. */
bool upstream_proxy_read_answer(struct str *reply, struct err *refused);

#endif
