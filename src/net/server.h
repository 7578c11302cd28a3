/* server.h - a small HTTP/1.1 server on the loop, for loopback: scripted models, OAuth callbacks,
 * and later the HTTP front end. Response bodies are streamed with back-pressure. Requests are read
 * completely, up to a limit. Connections are kept alive.
 *
 * It is our own because a scripted model has to misbehave to the byte. We tried libmicrohttpd
 * 0.9.75 for that: it does not notice a client that leaves while its connection is suspended (and
 * every stall is a suspension), it closes the connection on a garbled request without an answer,
 * and it sends the head by itself, so that nothing can break inside the head or replace it. */
#ifndef AWL_NET_SERVER_H
#define AWL_NET_SERVER_H

#include "base/str.h"
#include "net/http.h"
#include "sys/op.h"

struct server;
struct reply;

/* A complete request. The views are valid as long as its reply. */
struct server_request {
	struct sv method, path; /* the path as sent, with the query */
	const struct http_header *headers;
	size_t nheaders;
	struct sv body;
};

/* From the FIFO, once per request. The handler answers through `reply` now or later, with a head
 * first. The reply belongs to the handler until it calls server_end(), server_cut() or
 * server_abort(), or until it is told that the client is gone. */
typedef void server_fn(void *owner, struct reply *reply, const struct server_request *request);
/* From the FIFO: the client left before the reply was ended. */
typedef void server_gone_fn(void *owner, struct reply *reply);
/* From the FIFO: everything that server_waiting() counted has been sent. */
typedef void server_drained_fn(void *owner, struct reply *reply);

struct server_opts {
	const char *address; /* numeric; NULL: 127.0.0.1 */
	int port;            /* 0: any free port */
	size_t max_body;     /* 0: LIMIT_SERVER_BODY */
	int64_t request_ms;  /* until a request is complete; 0: 30 seconds */
	/* 0: LIMIT_SERVER_CONNECTIONS. When a client comes that would be one too many, a connection between two
	 * requests is closed for it. If there is none, the client waits. */
	size_t max_connections;
	server_fn *on_request;
	server_gone_fn *on_gone;       /* may be NULL */
	server_drained_fn *on_drained; /* may be NULL */
	void *owner;
};

/* Fails when the address cannot be bound; the error names it. Malformed requests are answered with
 * a status (400, 413, ...) and never reach the handler. */
struct server *server_new(struct loop *loop, const struct server_opts *opts, struct err *err);
int server_port(const struct server *server);
/* Drops everything in progress; no callback comes any more. Steps may still be in the FIFO, so let
 * the loop finish before freeing it. */
void server_free(struct server *server);
void server_freep(struct server **server);

/* Whether a header may be used in a reply: well formed, and not one that we set ourselves
 * (Content-Length, Transfer-Encoding, Connection). */
bool server_header_is_sound(const struct http_header *header);

/* Sends the head, once; the body follows in pieces. `content_length` < 0: not known yet. The
 * headers must be valid. */
void server_head(struct reply *reply, int status, const struct http_header *headers,
		 size_t nheaders, int64_t content_length);
/* Sends a piece of the body, as a packet of its own when nothing is waiting before it. Bytes that
 * the client does not accept yet are copied and wait here. */
void server_write(struct reply *reply, struct sv bytes);
size_t server_waiting(const struct reply *reply); /* bytes */
void server_end(struct reply *reply);

/* Ways to misbehave. Both endings first send what is waiting. */
/* Sends raw bytes instead of a head and a body. */
void server_raw(struct reply *reply, struct sv bytes);
/* Closes without ending the body. */
void server_cut(struct reply *reply);
/* Resets the connection, as a crashing server would. */
void server_abort(struct reply *reply);

/* A pointer of the handler's own; NULL at first. */
void reply_set(struct reply *reply, void *state);
void *reply_get(const struct reply *reply);

#endif
