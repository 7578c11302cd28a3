/* transport.h - private to src/model: how the bytes of an exchange travel. The
 * network is one way; a recording, a replay and a script are others. All keep
 * the promises of net/http.h, which says what an exchange is. */
#ifndef AWL_MODEL_TRANSPORT_H
#define AWL_MODEL_TRANSPORT_H

#include "net/http.h"

struct transport {
	/* As http_start() and http_pause(). */
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

/* Over the network; borrows `http`. */
struct transport *transport_http(struct http *http);

#endif
