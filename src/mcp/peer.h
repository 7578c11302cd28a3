/* peer.h - JSON-RPC over a link: our requests as ops, matched to their responses by id in whatever order
 * these come, and the requests and notifications of the server.
 *
 * A request that is cancelled or takes too long is withdrawn: the server is told, and a response that comes
 * all the same is ignored. Nothing that a server sends ends the peer: messages that make no sense
 * are reported and dropped. */
#ifndef AWL_MCP_PEER_H
#define AWL_MCP_PEER_H

#include "mcp/link/link.h"
#include "mcp/rpc.h"

struct mcp_request;

/* What the server says by itself. Values are valid until the function returns. */
struct mcp_peer_events {
	void *arg;
	/* Every request has to be answered once, by mcp_peer_reply() or mcp_peer_refuse(), now or later. */
	void (*request)(void *arg, const struct rpc_message *message);
	void (*notification)(void *arg, const struct rpc_message *message);
	/* Something came that is not a message; NULL: nobody wants to know. */
	void (*nonsense)(void *arg, const struct err *why);
};

struct mcp_peer {
	struct loop *loop;
	struct mcp_peer_events events;
	struct op *link; /* borrowed; NULL: none, and requests fail */
	struct mcp_request *requests;
	int64_t last_id;
	/* The server is told of requests that are withdrawn. Stateless HTTP just ends them. */
	bool sends_cancelled;
};

void mcp_peer_init(struct mcp_peer *peer, struct loop *loop, const struct mcp_peer_events *events);

struct mcp_request_opts {
	struct sv method;
	struct sv params; /* a JSON object; empty: none */
	struct sv name;   /* of the tool, prompt or resource; may be empty */
	const struct http_header *headers;
	size_t nheaders;
	int64_t timeout_ms; /* for the whole request; 0: none */
	int64_t idle_ms;    /* without a word of progress; 0: none */
	bool is_initialize; /* begins a session, and cannot be withdrawn */
	/* Progress that the server reports under the id of the request. NULL: dropped. */
	void (*on_progress)(void *arg, struct json params);
	void *arg;
};

/* The id of the next request, which is also its progress token. */
int64_t mcp_peer_next_id(const struct mcp_peer *peer);
/* Copies what it needs. Fails with the text of the server (see mcp_request_code()), with ERR_TIMEOUT,
 * with ERR_RESET when the link is over, or as the link reports. */
struct op *mcp_request_start(struct mcp_peer *peer, const struct mcp_request_opts *opts,
			     struct then then);

/* For `done`: the result on success. */
struct json mcp_request_result(const struct op *op);
/* The error that the server answered with, 0: it did not; and the whole of its text and data. */
int64_t mcp_request_code(const struct op *op);
struct sv mcp_request_text(const struct op *op);
struct json mcp_request_data(const struct op *op);
/* Why it was not delivered; false: it was, as far as we know. */
bool mcp_request_undelivered(const struct op *op, enum mcp_undelivered *why, int *status);

/* Answer a request of the server. `id` is that of the message. */
void mcp_peer_reply(struct mcp_peer *peer, struct json id, struct sv result);
void mcp_peer_refuse(struct mcp_peer *peer, struct json id, int64_t code, struct sv text);
void mcp_peer_notify(struct mcp_peer *peer, struct sv method, struct sv params);

/* For the owner of the link. */
void mcp_peer_receive(struct mcp_peer *peer, struct sv json);
void mcp_peer_undelivered(struct mcp_peer *peer, int64_t id, const struct mcp_failure *failure);
/* The link is over, or another one follows: everything in flight fails. */
void mcp_peer_disconnect(struct mcp_peer *peer, const struct err *why);

#endif
