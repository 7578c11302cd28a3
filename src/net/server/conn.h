/* conn.h - private to src/net: one connection of the server.
 *
 *   READING -> ASKED -> REPLYING -> ENDING -+-> READING
 *      |  (the handler's from here)         +-> LINGERING -> CLOSED
 *      +-> ENDING, with a refusal           +-> CLOSED, by a reset
 *
 * A client that leaves moves any state to CLOSED. */
#ifndef AWL_NET_SERVER_CONN_H
#define AWL_NET_SERVER_CONN_H

#include "net/alarm.h"
#include "net/server.h"
#include "net/server/incoming.h"

enum conn_state {
	CONN_READING,   /* a request, or waiting for one */
	CONN_ASKED,     /* it is complete; the next step calls the handler */
	CONN_REPLYING,  /* the handler is replying */
	CONN_ENDING,    /* sending what is waiting; `end` says what follows */
	CONN_LINGERING, /* everything is sent; the client may still be sending */
	CONN_CLOSED,    /* freed in the next step */
};

enum conn_end { CONN_KEEP, CONN_CLOSE, CONN_RESET };

struct reply {
	void *state;
	bool open;    /* the handler has not ended it */
	bool headed;  /* the head, or raw bytes instead of it, was sent */
	bool chunked; /* the body goes out in chunks */
	bool silent;  /* it has no body: HEAD, 204, 304 */
	bool keep;    /* keep the connection when the reply ends well */
	int64_t left; /* of the announced length; -1: none */
};

struct conn {
	struct reply reply;
	struct server *server; /* NULL once it is freed */
	struct conn *prev, *next;
	struct loop *loop;
	int fd;
	struct poll *poll;
	int wanted; /* events that `poll` waits for */
	struct alarm alarm;
	bool overdue; /* the alarm has rung */
	bool served;  /* it has had a reply and was kept */
	enum conn_state state;
	enum conn_end end;
	struct incoming in;
	struct str early; /* bytes that came after the current request */
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
	struct conn *first; /* includes closed ones until they are freed */
	size_t nconns;      /* number that are not closed */
	bool full;          /* a client waits until a connection ends or becomes idle */
	struct alarm again; /* resumes accepting after we ran out of descriptors */
};

/* Takes `fd`, even when it fails. */
must_use bool conn_open(struct server *server, int fd, struct err *err);
/* Closes it if it is between two requests; false: it is not. */
bool conn_close_idle(struct conn *c);
/* Because the server ends: closes it and forgets the handler. */
void conn_drop(struct conn *c);

/* Queues the bytes, and sends what the kernel accepts now. Does nothing when closed. */
void conn_send(struct conn *c, struct sv bytes);
/* The reply is over. What is waiting is sent first. */
void conn_end(struct conn *c, enum conn_end end);

/* server.c: a connection was closed, or is between two requests, so there is room for another. */
void server_closed(struct server *server);
void server_idle(struct server *server);
/* Frees its memory. */
void server_forget(struct server *server, struct conn *c);

/* reply.c: prepares for the request just read; answers a refused one. */
void reply_begin(struct conn *c);
void reply_refuse(struct conn *c, int status, const char *why);

#endif
