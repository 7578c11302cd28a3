/* gate.h - the only way out of a sandbox (sys/sandbox.h): a proxy for HTTP and SOCKS 5 that
 * decides by host, resolves the name itself, looks at the address that comes out and connects
 * to that one.
 *
 * In this order: what the deny list names is refused; what the allow list names is let
 * through; any other host is asked about, once a host and port for as long as the proxy lives,
 * or refused when it is strict or nobody is there to ask. An empty allow list allows nothing.
 *
 * An address of this machine or the network around it is reached only when it is itself
 * named: as the host, or besides the name that leads to it. So no name of somebody's can be
 * made to lead there (and "localhost" only if it stands in the list). Nor does a name lead to
 * an address that is denied.
 *
 * What flows through a connection is not looked at: who may reach a server of many names may
 * reach all its names. */
#ifndef AWL_SANDBOX_PROXY_PROXY_H
#define AWL_SANDBOX_PROXY_PROXY_H

#include <sys/socket.h>

#include "base/limits.h"
#include "sys/op.h"

struct sandbox_proxy;

struct proxy_addresses {
	struct sockaddr_storage at[LIMIT_PROXY_ADDRESSES]; /* with the port */
	size_t n;
};
/* The addresses of a name, on a worker thread. */
typedef bool proxy_resolve_fn(void *arg, const char *host, int port, struct proxy_addresses *out,
			      struct err *err);

struct sandbox_proxy_opts {
	/* "host", "*.host" (all below it), either with a ":port"; NULL-terminated, NULL: empty.
	 * Borrowed until sandbox_proxy_free(). */
	const char *const *allow;
	const char *const *deny;
	bool strict; /* what no list knows is refused */
	/* A proxy of the user's own, on this machine, gets everything as it comes, and decides
	 * for itself; 0: none. */
	int http_port, socks_port;
	/* Proxies between here and the world, as variables name them; NULL: none. What is
	 * allowed goes through them, and they resolve its name. */
	const char *http_proxy, *https_proxy, *no_proxy;
	const char *const *env; /* whose; NULL: our own environment */
	/* A question: sets `*allowed` before its `done`, and fails when there is no answer.
	 * NULL: nobody is there. */
	struct op *(*ask)(void *arg, const char *host, int port, bool *allowed, struct then then);
	/* A host was refused; from the FIFO. May be NULL. */
	void (*on_refused)(void *arg, const char *host, int port, const char *why);
	void *arg;
	proxy_resolve_fn *resolve; /* NULL: the system's */
	void *resolve_arg;
};

/* Those proxies as opts->env has them; borrowed from there. */
void sandbox_proxy_take_environment(struct sandbox_proxy_opts *opts);

/* Fails only when the system has no descriptor left. */
struct sandbox_proxy *sandbox_proxy_new(struct loop *loop, const struct sandbox_proxy_opts *opts,
					struct err *err);
/* Ends all connections; nothing of opts is called any more, but what was started may take
 * until the loop has run out. */
void sandbox_proxy_free(struct sandbox_proxy *proxy);
void sandbox_proxy_freep(struct sandbox_proxy **proxy);

/* For struct sandbox_policy: serves a listening socket, which it takes, until the child that
 * listens there has ended. `arg` is a struct sandbox_proxy. */
void sandbox_proxy_serve(void *arg, int listener);
void sandbox_proxy_leave(void *arg, int listener);

#endif
