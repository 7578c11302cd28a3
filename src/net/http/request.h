/* request.h - private to src/net: one request in flight.
 *
 * transfer.c is curl's side: its callbacks fill the fields below and post the step. request.c is
 * the owner's side: the step turns what was noted into callbacks, watches the deadlines and
 * finishes the op. */
#ifndef AWL_NET_HTTP_REQUEST_H
#define AWL_NET_HTTP_REQUEST_H

#include "net/http/client.h"
#include "net/http/response_head.h"

enum phase {
	PHASE_CREDENTIALS, /* until the proxy credentials are known */
	PHASE_CONNECT,     /* until it has a connection */
	PHASE_SEND,        /* until the final response begins */
	PHASE_RECEIVE,
};

struct request {
	struct op op;
	struct transfer transfer;
	struct http_request ask; /* strings and headers are invalid once curl has them */
	char *where;             /* "https://host:port", for errors */

	/* The body to send: a copy of the list, not of the bytes. */
	struct sv *body;
	size_t slice, offset; /* position of the next byte */

	enum phase phase;
	bool barred; /* an address was not public */
	bool moved;  /* bytes were sent or received since the last step */
	struct head head;
	struct str waiting; /* body that is not delivered yet */
	uint64_t received;  /* bytes of body in total */
	bool choked;        /* curl is paused */
	bool has_reported_head;
	bool paused; /* by the owner */

	bool waits;           /* for the credentials */
	bool was_refused;     /* by the proxy; there is no third attempt */
	unsigned credentials; /* the number of the credentials it uses */
	struct request *next_waiting;

	int64_t started_at, begun_at, moved_at;
	struct op *timer;
	int64_t timer_at; /* when it fires */

	bool ended;     /* nothing more comes from curl */
	struct err why; /* why it failed */
	struct task step;
};

/* Creates the handle and sets all its options. `r->ask` has been checked. */
void exchange_init(struct request *r);

/* The credentials it waited for are there, or will not come. */
void request_authorized(struct request *r, const struct err *why);

/* Ends curl's part. Keeps an error that is set already. */
void request_end(struct request *r, CURLcode code);

#endif
