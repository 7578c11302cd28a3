/* conn.h - private to src/net/real: one connection of the server, which moves
 * bytes and knows whose turn it is.
 *
 *   READING -> ASKED -> REPLYING -> ENDING -+-> READING
 *      |  (the handler's from here)         +-> LINGERING -> CLOSED
 *      +-> ENDING, with a refusal           +-> CLOSED, by a reset
 *
 * From any state a client that goes away leads to CLOSED. */
#ifndef AWL_NET_SERVER_CONN_H
#define AWL_NET_SERVER_CONN_H

#include "net/alarm.h"
#include "net/server.h"
#include "net/server/incoming.h"

enum conn_state {
	CONN_READING,   /* a request, or waiting for one */
	CONN_ASKED,     /* it is whole; the handler is told in the next step */
	CONN_REPLYING,  /* the handler's */
	CONN_ENDING,    /* what waits is being sent; `end` says what follows */
	CONN_LINGERING, /* all is said; the client may still be sending */
	CONN_CLOSED,    /* freed in the next step */
};

enum conn_end { CONN_KEEP, CONN_CLOSE, CONN_RESET };

struct reply {
	void *state;
	bool open;    /* the handler has not ended it */
	bool headed;  /* the head, or something raw in its place, is out */
	bool chunked; /* the body goes out in chunks */
	bool silent;  /* it has no body: HEAD, 204, 304 */
	bool keep;    /* the connection, when the reply ends well */
	int64_t left; /* of the length said; -1: none was */
};

struct conn {
	struct reply reply;
	struct server *server; /* NULL once that is freed */
	struct conn *prev, *next;
	struct loop *loop;
	int fd;
	struct poll *poll;
	int wanted; /* of the poll */
	struct alarm alarm;
	bool overdue; /* it has rung */
	enum conn_state state;
	enum conn_end end;
	struct incoming in;
	struct str early; /* what came after the request under way */
	struct str out;
	size_t sent; /* of `out` */
	bool drained;
	struct task step;
};

struct server {
	struct loop *loop;
	struct server_opts opts;
	int fd, port;
	struct poll *poll;
	struct conn *first; /* closed ones, too, until they are freed */
	size_t nconns;      /* not closed */
	bool full;          /* not accepting until a connection ends */
	struct alarm again; /* accepts again, after the system had no descriptor */
};

/* Takes `fd`, also when it fails. */
must_use bool conn_open(struct server *server, int fd, struct err *err);
/* By the server's end: closes and forgets the handler. */
void conn_drop(struct conn *c);

/* Queues, and sends what the kernel takes now. Nothing when it is closed. */
void conn_send(struct conn *c, struct sv bytes);
/* The reply is over; what waits is sent first. */
void conn_end(struct conn *c, enum conn_end end);

/* server.c: a connection is closed, so there is room; its memory goes, too. */
void server_closed(struct server *server);
void server_forget(struct server *server, struct conn *c);

/* reply.c: gets ready for the request just read; answers one that is refused. */
void reply_begin(struct conn *c);
void reply_refuse(struct conn *c, int status, const char *why);

#endif
