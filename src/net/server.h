/* server.h - a small HTTP/1.1 server on the loop, for loopback: scripted models,
 * OAuth call-backs, and later the HTTP front end. Bodies are streamed out with
 * back-pressure; requests are read whole, up to a cap. */
#ifndef AWL_NET_SERVER_H
#define AWL_NET_SERVER_H

#include "base/str.h"
#include "net/http.h"
#include "sys/op.h"

struct server;
struct reply;

/* A request that has come in whole. Views live until server_end() of its reply,
 * or until the client has gone. */
struct server_request {
	struct sv method, path; /* the path as sent, with its query */
	const struct http_header *headers;
	size_t nheaders;
	struct sv body;
};

/* From the FIFO, once a request. The handler answers through `reply` now or
 * later; `*state` is its own, given back to `on_gone`. */
typedef void server_fn(void *owner, struct reply *reply, const struct server_request *request);
/* The client went away before the reply was ended; the reply is not valid any
 * more. */
typedef void server_gone_fn(void *owner, struct reply *reply);

struct server_opts {
	const char *address; /* NULL: 127.0.0.1 */
	int port;            /* 0: any free one */
	size_t max_body;     /* 0: LIMIT_SERVER_BODY */
	server_fn *on_request;
	server_gone_fn *on_gone; /* may be NULL */
	void *owner;
};

/* Fails when the address cannot be bound, naming it. */
struct server *server_new(struct loop *loop, const struct server_opts *opts, struct err *err);
int server_port(const struct server *server);
/* Drops what is under way. */
void server_free(struct server *server);

/* Sends the head; the body follows in pieces. `content_length` < 0: chunked. */
void server_head(struct reply *reply, int status, const struct http_header *headers,
		 size_t nheaders, int64_t content_length);
/* Queues bytes (copied). */
void server_write(struct reply *reply, struct sv bytes);
void server_end(struct reply *reply);
/* Breaks the connection off: with a reset, as a crashing server would. */
void server_abort(struct reply *reply);

void reply_set(struct reply *reply, void *state);
void *reply_get(const struct reply *reply);

#endif
