/* proxy.h - the filtering proxy: the only way to the network from inside a sandbox.
 *
 * The problem: let a sandboxed program reach some hosts and no others, although programs know only
 * names, names can resolve to anything, and one address can serve many names.
 *
 * The idea: inside, there is no network interface except loopback, and one listening socket that is
 * passed out to us. A program speaks HTTP or SOCKS 5 to it. The proxy decides by the *name*,
 * resolves the name itself, checks the *address* that results, and connects to exactly that
 * address. So no second resolution can give a different answer.
 *
 * The decision, in this order: a host on the deny list is refused. A host on the allow list is
 * accepted. About any other host the user is asked, once per host and port for the lifetime of the
 * proxy; it is refused when the proxy is strict or nobody can be asked. An empty allow list allows
 * nothing.
 *
 * Addresses: an address of this machine or of a private network is used only if a list names that
 * address itself, or names the private host name that resolves to it ("localhost"). So a public
 * name that resolves to 127.0.0.1 leads nowhere (DNS rebinding). A name that resolves to a denied
 * address is refused as well.
 *
 * Limits: the proxy does not inspect what flows through a connection. A program that may reach a
 * server which serves many names can reach all of them. A plain HTTP request is limited to the one
 * that was decided about: the next request on the same connection could name another host. */
#ifndef AWL_SANDBOX_PROXY_PROXY_H
#define AWL_SANDBOX_PROXY_PROXY_H

#include <sys/socket.h>

#include "base/limits.h"
#include "proto/verdict.h"
#include "sys/op.h"

struct sandbox_proxy;

struct proxy_addresses {
	struct sockaddr_storage at[LIMIT_PROXY_ADDRESSES]; /* with port */
	size_t n;
};
/* Resolves a name, on a worker thread. */
typedef bool proxy_resolve_fn(void *arg, const char *host, int port, struct proxy_addresses *out,
			      struct err *err);

struct sandbox_proxy_opts {
	/* "host" or "*.host" (everything below it), optionally with ":port". NULL-terminated; NULL:
	 * empty. Borrowed until sandbox_proxy_free(). */
	const char *const *allow;
	const char *const *deny;
	bool strict; /* refuse hosts that no list names */
	/* The user's own proxy on this machine. It gets everything unchanged and decides for
	 * itself; 0: none. */
	int http_port, socks_port;
	/* Upstream proxies, in the format of the environment variables; NULL: none. Allowed
	 * connections go through them, and they resolve the names. */
	const char *http_proxy, *https_proxy, *no_proxy;
	const char *const *env; /* where those are from; NULL: our own environment */
	/* Asks a question: sets `*allowed` before `done`, and fails when there is no answer. NULL:
	 * nobody can be asked. */
	struct op *(*ask)(void *arg, const char *host, int port, bool *allowed, struct then then);
	/* A host was refused. Called from the FIFO. May be NULL. */
	void (*on_refused)(void *arg, const char *host, int port, const char *why);
	void *arg;
	proxy_resolve_fn *resolve; /* NULL: the system's */
	void *resolve_arg;
	int64_t head_ms; /* how long a program may take to send its request; 0: 30 s */
};

/* Takes the upstream proxies from opts->env; they are borrowed from there. */
void sandbox_proxy_take_environment(struct sandbox_proxy_opts *opts);

/* Fails only when the system is out of descriptors. */
struct sandbox_proxy *sandbox_proxy_new(struct loop *loop, const struct sandbox_proxy_opts *opts,
					struct err *err);
/* Ends all connections. Calls nothing of `opts` any more, but memory may be in use until the loop
 * has finished. */
void sandbox_proxy_free(struct sandbox_proxy *proxy);
void sandbox_proxy_freep(struct sandbox_proxy **proxy);

/* What the lists say about a host: BEHAVIOR_ASK if none names it. */
enum behavior sandbox_proxy_look_up(const struct sandbox_proxy *proxy, const char *host, int port);

/* For struct sandbox_policy: serves a listening socket, which it takes, until the command has
 * ended. `arg` is the proxy. */
void sandbox_proxy_serve(void *arg, int listener);
void sandbox_proxy_leave(void *arg, int listener);

#endif
