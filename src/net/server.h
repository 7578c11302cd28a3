/* server.h - a small HTTP/1.1 server on the loop, for loopback: scripted models,
 * OAuth call-backs, and later the HTTP front end. Bodies are streamed out with
 * back-pressure; requests are read whole, up to a cap; connections are kept.
 *
 * It is our own because a scripted model has to misbehave to the byte. Tried
 * against that, libmicrohttpd 0.9.75 does not notice a client that leaves while
 * its connection is suspended (every stall is a suspension), closes on a
 * garbled request without an answer, and sends the head by itself, so that
 * nothing can break inside it or stand in its place. */
#ifndef AWL_NET_SERVER_H
#define AWL_NET_SERVER_H

#include "base/str.h"
#include "net/http.h"
#include "sys/op.h"

struct server;
struct reply;

/* A request that has come in whole. Views live as long as its reply. */
struct server_request {
	struct sv method, path; /* the path as sent, with its query */
	const struct http_header *headers;
	size_t nheaders;
	struct sv body;
};

/* From the FIFO, once a request. The handler answers through `reply` now or
 * later, with a head first. The reply is the handler's until it calls one of
 * server_end(), server_cut() and server_abort(), or is told that the client has
 * gone. */
typedef void server_fn(void *owner, struct reply *reply, const struct server_request *request);
/* From the FIFO: the client went away before the reply was ended. */
typedef void server_gone_fn(void *owner, struct reply *reply);
/* From the FIFO: all that server_waiting() had counted has been sent. */
typedef void server_drained_fn(void *owner, struct reply *reply);

struct server_opts {
	const char *address; /* numeric; NULL: 127.0.0.1 */
	int port;            /* 0: any free one */
	size_t max_body;     /* 0: LIMIT_SERVER_BODY */
	int64_t request_ms;  /* for a request to be whole; 0: 30 seconds */
	server_fn *on_request;
	server_gone_fn *on_gone;       /* may be NULL */
	server_drained_fn *on_drained; /* may be NULL */
	void *owner;
};

/* Fails when the address cannot be bound, naming it. What is no request is
 * answered with its status (400, 413, ...) and never shown to the handler. */
struct server *server_new(struct loop *loop, const struct server_opts *opts, struct err *err);
int server_port(const struct server *server);
/* Drops what is under way; no callback comes any more. Steps may still be in the
 * FIFO, so let the loop run out before freeing it. */
void server_free(struct server *server);
void server_freep(struct server **server);

/* Whether a header may stand in a reply: well formed, and none of those that are
 * ours to say (Content-Length, Transfer-Encoding, Connection). */
bool server_header_is_sound(const struct http_header *header);

/* Sends the head, once; the body follows in pieces. `content_length` < 0: of a
 * length not known yet. Headers must be sound. */
void server_head(struct reply *reply, int status, const struct http_header *headers,
		 size_t nheaders, int64_t content_length);
/* Sends a piece of the body, as a piece of its own when nothing waits before it.
 * What the client does not take yet is copied and waits here. */
void server_write(struct reply *reply, struct sv bytes);
size_t server_waiting(const struct reply *reply); /* bytes */
void server_end(struct reply *reply);

/* The ways to misbehave. Both endings first send what waits. */
/* Bytes as they are, in the place of a head and body. */
void server_raw(struct reply *reply, struct sv bytes);
/* Closes without ending the body. */
void server_cut(struct reply *reply);
/* Breaks the connection off with a reset, as a crashing server would. */
void server_abort(struct reply *reply);

/* The handler's own; NULL at first. */
void reply_set(struct reply *reply, void *state);
void *reply_get(const struct reply *reply);

#endif
