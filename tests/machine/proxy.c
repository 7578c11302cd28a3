/* Sandboxes on the simulated machine have no network of their own, so nothing ever
 * connects. */
#include "sandbox/proxy/proxy.h"

#include "base/mem.h"

struct sandbox_proxy {
	struct sandbox_proxy_opts opts;
};

struct sandbox_proxy *sandbox_proxy_new(__attribute__((unused)) struct loop *loop,
					const struct sandbox_proxy_opts *opts,
					__attribute__((unused)) struct err *err)
{
	struct sandbox_proxy *proxy = xnew(struct sandbox_proxy);

	proxy->opts = *opts;
	return proxy;
}

void sandbox_proxy_free(struct sandbox_proxy *proxy)
{
	free(proxy);
}

void sandbox_proxy_freep(struct sandbox_proxy **proxy)
{
	sandbox_proxy_free(*proxy);
	*proxy = NULL;
}

enum behavior sandbox_proxy_look_up(__attribute__((unused)) const struct sandbox_proxy *proxy,
				    __attribute__((unused)) const char *host,
				    __attribute__((unused)) int port)
{
	BUG("nobody asks about a host");
}

void sandbox_proxy_serve(__attribute__((unused)) void *arg, __attribute__((unused)) int listener)
{
	BUG("a simulated child listens");
}

void sandbox_proxy_leave(__attribute__((unused)) void *arg, __attribute__((unused)) int listener)
{
	BUG("a simulated child has listened");
}
