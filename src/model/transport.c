#include "model/transport.h"

#include "base/mem.h"

struct http_transport {
	struct transport base;
	struct http *http;
};

static struct op *http_transport_start(struct transport *transport,
				       const struct http_request *request, struct then then)
{
	struct http_transport *t = container_of(transport, struct http_transport, base);

	return http_start(t->http, request, then);
}

static void http_transport_pause(__attribute__((unused)) struct transport *transport, struct op *op,
				 bool paused)
{
	http_pause(op, paused);
}

static void http_transport_free(struct transport *transport)
{
	free(container_of(transport, struct http_transport, base));
}

struct transport *transport_http(struct http *http)
{
	struct http_transport *t = xnew(struct http_transport);

	t->base = (struct transport){ .start = http_transport_start,
				      .pause = http_transport_pause,
				      .free = http_transport_free };
	t->http = http;
	return &t->base;
}
