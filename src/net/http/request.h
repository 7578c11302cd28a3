/* request.h - private to src/net/real: one request under way.
 *
 * exchange.c is curl's side: its callbacks fill the fields below and post the
 * step. request.c is the owner's side: the step turns what was noted into calls
 * to him, watches the deadlines, and finishes the op. */
#ifndef AWL_NET_HTTP_REQUEST_H
#define AWL_NET_HTTP_REQUEST_H

#include "net/http/client.h"
#include "net/http/response_head.h"

enum phase {
	PHASE_PERMIT,  /* until it is known what to tell the proxy */
	PHASE_CONNECT, /* until there is a connection for it */
	PHASE_SEND,    /* until the final response begins */
	PHASE_RECEIVE,
};

struct request {
	struct op op;
	struct transfer transfer;
	struct http_request ask; /* strings and headers are gone once curl has them */
	char *where;             /* "https://host:port", for errors */

	/* The body to send: a copy of the list, not of the bytes. */
	struct sv *body;
	size_t slice, offset; /* of the next byte */

	enum phase phase;
	bool barred; /* an address was not public */
	bool moved;  /* bytes went or came since the last step */
	struct head head;
	struct str waiting; /* body not yet delivered */
	uint64_t received;  /* body in all */
	bool choked;        /* curl holds bytes back until told to go on */
	bool told_head;
	bool paused; /* by the owner */

	bool waits;       /* for the permit */
	bool was_refused; /* by the proxy: there is no third try */
	unsigned permit;  /* the number of the one it goes with */
	struct request *next_waiting;

	int64_t started_at, begun_at, moved_at;
	struct op *timer;
	int64_t timer_at; /* when it fires */

	bool ended;     /* nothing more will come from curl */
	struct err why; /* it failed */
	struct task step;
};

/* Makes the handle and gives curl all it needs to know. `r->ask` is checked. */
void exchange_init(struct request *r);

/* The permit it waited for is there, or will not be. */
void request_permitted(struct request *r, const struct err *why);

/* Ends curl's part; keeps an error that is there already. */
void request_end(struct request *r, CURLcode code);

#endif
