/* transport.h - private to src/model: how the bytes of an exchange travel: over the network, to
 * a recording as well, or from a replay or a script. Every transport keeps the contract of
 * net/http.h, which defines an exchange. */
#ifndef AWL_MODEL_TRANSPORT_H
#define AWL_MODEL_TRANSPORT_H

#include "net/http.h"

struct transport {
	/* Same contracts as http_start() and http_pause(). */
	struct op *(*start)(struct transport *transport, const struct http_request *request,
			    struct then then);
	void (*pause)(struct transport *transport, struct op *op, bool paused);
	void (*free)(struct transport *transport);
};

static inline void transport_free(struct transport *transport)
{
	if (transport)
		transport->free(transport);
}

/* Creates the network transport. Borrows `http`. */
struct transport *transport_http(struct http *http);

#endif
