/* fetch.h - a client, one request of it, and all that the request's owner was
 * told, for tests. */
#ifndef AWL_TESTS_UNIT_NET_HTTP_FETCH_H
#define AWL_TESTS_UNIT_NET_HTTP_FETCH_H

#include "net/http.h"
#include "net/http/peer.h"
#include "sys/loop.h"

struct fetch {
	struct loop *loop;
	struct http *http;
	struct peer *peer; /* told of every turn of the loop; may be NULL */
	struct op *op;

	int heads, pieces, dones;
	int status, version;
	struct str headers; /* "name: value\n" each */
	struct str body;
	struct err why; /* ERR_NONE: it went well */
	bool order_broken;

	/* Called after each piece of the body, and each turn of the loop. */
	void (*on_piece)(struct fetch *f);
	void (*on_turn)(struct fetch *f);
	size_t turns;
	bool ticking;
	struct task tick;
};

/* With no proxy or certificates, whatever the environment says. */
void fetch_init(struct fetch *fetch, struct peer *peer);
void fetch_clear(struct fetch *fetch);

/* Starts `request` with the callbacks of this file. */
void fetch_start(struct fetch *fetch, const struct http_request *request);
/* Turns the loop until the request is done. */
void fetch_run(struct fetch *fetch);
/* Both, for a GET of the peer's "/". */
void fetch_get(struct fetch *fetch);

#define FETCH(name, peer)                                      \
	defer(fetch_clear) struct fetch name = { .op = NULL }; \
	fetch_init(&name, peer)

#endif
