/* ws.h - a WebSocket as an op: messages in both directions until one side closes it. It is connected by the HTTP
 * client, and so through the same proxies and with the same certificates.
 *
 * Two implementations: src/net/http/ws.c on libcurl, and tests/machine, where no server speaks WebSocket. */
#ifndef AWL_NET_WS_H
#define AWL_NET_WS_H

#include "net/http.h"

/* A whole message, from the FIFO, in order. */
typedef void ws_message_fn(void *owner, struct sv text);

struct ws_request {
	const char *url;                   /* http or https, for ws and wss */
	const struct http_header *headers; /* besides those of the handshake */
	size_t nheaders;
	const char *protocol; /* a subprotocol that is offered; NULL: none */
	int64_t connect_ms;   /* until the server has agreed; 0: HTTP_CONNECT_MS */
	size_t max_message;
	/* Called with then.owner. The head of the response: 101, or a refusal, whose body may follow in part. After a
	 * refusal the op is done without an error, as http_start() is. */
	http_head_fn *on_head;
	http_body_fn *on_body;
	ws_message_fn *on_message;
};

/* Everything is copied. Done when it is closed: never with success after the status 101. Fails as http_start() does,
 * with ERR_PROTOCOL and ERR_TOO_BIG about what the server sends, with ERR_RESET when the server closes. Cancelling
 * closes it as the protocol says, and waits at most a second for the server. */
struct op *ws_start(struct http *http, const struct ws_request *request, struct then then);

/* Sends a text message, after 101. Fails when the socket is closing, or when LIMIT_WS_QUEUE bytes wait already because
 * the server does not read. */
must_use bool ws_send(struct op *op, struct sv text, struct err *err);

/* Whether somebody waits for the server. While they do, half a minute of silence is answered with a ping, and another
 * half with the end (ERR_TIMEOUT_IDLE). Without anybody there is no timer: TCP notices a dead peer. */
void ws_watch(struct op *op, bool is_awaited);

#endif
