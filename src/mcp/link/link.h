/* link.h - the way to one server: JSON-RPC messages out, messages in. A link knows nothing of what the
 * messages mean, apart from the few facts that HTTP wants in headers.
 *
 * A link is an op. It is started (stdio.h, http_link.h, ...), may be sent to at once, and is done when it
 * is over: because it was cancelled, the server has closed it, or it broke. A link of HTTP is over only
 * when it is cancelled; each message that could not be delivered is reported by itself. After op_cancel()
 * only `done` is called. */
#ifndef AWL_MCP_LINK_LINK_H
#define AWL_MCP_LINK_LINK_H

#include "base/str.h"
#include "net/http.h"
#include "sys/op.h"

/* What became of a message that was not delivered. */
enum mcp_undelivered {
	MCP_LOST,            /* sent or not, nobody knows: the connection broke */
	MCP_NOT_SENT,        /* certainly not received */
	MCP_SESSION_EXPIRED, /* the server does not know the session any more: initialize again */
	MCP_UNAUTHORIZED,    /* 401 or 403, and somebody has to log in */
	MCP_REFUSED, /* another HTTP error, or a login would not help; `body` has what the server said */
};

struct mcp_failure {
	enum mcp_undelivered what;
	int status;            /* of HTTP; 0: none */
	struct sv body;        /* the first LIMIT_HTTP_ERROR bytes; may be empty */
	const struct err *err; /* a sentence for people */
};

/* All are called with the owner of the op, from the FIFO. Views are valid until they return. */
struct mcp_link_events {
	/* One message: a JSON object. What is not even JSON is passed on too. */
	void (*message)(void *owner, struct sv json);
	/* The request with this id, or for 0 a notification or response, was not delivered. */
	void (*undelivered)(void *owner, int64_t id, const struct mcp_failure *failure);
	/* What a child wrote to stderr, in pieces; NULL: dropped. */
	void (*on_stderr)(void *owner, struct sv text);
};

struct mcp_outgoing {
	struct sv json; /* the message; copied */
	int64_t id;     /* of a request; 0: a notification or a response */
	/* Of a request or notification, for the headers Mcp-Method, Mcp-Name and Mcp-Param-*, which are
	 * sent in the stateless era. The values are plain text; the link encodes them. Copied. */
	struct sv method, name;
	const struct http_header *params;
	size_t nparams;
	bool is_initialize; /* begins a session: carries no session id and no version */
};

struct mcp_link;

struct mcp_link_type {
	void (*send)(struct mcp_link *link, const struct mcp_outgoing *message);
	/* The answer to this request is not wanted any more, or has come. NULL: nothing to do. */
	void (*forget)(struct mcp_link *link, int64_t id);
	/* The version of what is sent from now on; `is_stateless` from 2026-07-28 on. Before this, the
	 * link assumes nothing. It may change: a probe for 2026-07-28 names that version, and the session that
	 * follows a refusal names another. NULL: nothing to do. */
	void (*agreed)(struct mcp_link *link, const char *version, bool is_stateless);
	/* Open the stream for what the server says by itself. NULL: it is open. */
	void (*listen)(struct mcp_link *link);
};

struct mcp_link {
	struct op op; /* first */
	const struct mcp_link_type *type;
	struct mcp_link_events events;
};

static inline void mcp_link_send(struct op *link, const struct mcp_outgoing *message)
{
	struct mcp_link *l = (struct mcp_link *)link;

	l->type->send(l, message);
}

static inline void mcp_link_forget(struct op *link, int64_t id)
{
	struct mcp_link *l = (struct mcp_link *)link;

	if (l->type->forget)
		l->type->forget(l, id);
}

static inline void mcp_link_agreed(struct op *link, const char *version, bool is_stateless)
{
	struct mcp_link *l = (struct mcp_link *)link;

	if (l->type->agreed)
		l->type->agreed(l, version, is_stateless);
}

static inline void mcp_link_listen(struct op *link)
{
	struct mcp_link *l = (struct mcp_link *)link;

	if (l->type->listen)
		l->type->listen(l);
}

#endif
