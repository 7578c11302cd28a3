#include "model/transport.h"

#include "base/mem.h"

struct http_transport {
	struct transport base;
	struct http *http;
};

static struct op *start(struct transport *transport, const struct http_request *request,
			struct then then)
{
	struct http_transport *t = container_of(transport, struct http_transport, base);

	return http_start(t->http, request, then);
}

static void pause_reading(__attribute__((unused)) struct transport *transport, struct op *op,
			  bool paused)
{
	http_pause(op, paused);
}

static void free_transport(struct transport *transport)
{
	free(container_of(transport, struct http_transport, base));
}

struct transport *transport_http(struct http *http)
{
	struct http_transport *t = xnew(struct http_transport);

	t->base = (struct transport){ .start = start,
				      .pause = pause_reading,
				      .free = free_transport };
	t->http = http;
	return &t->base;
}
