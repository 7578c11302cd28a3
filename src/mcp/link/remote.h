/* remote.h - private to src/mcp: requests to a server on the network, with all that its configuration
 * adds to them: its headers, those that its headersHelper prints, and the access token.
 *
 * A request is one op, however many HTTP requests it takes: redirects inside the same origin are followed, and
 * a 401 or 403 is answered with another token where there is one. The owner sees the final response only. */
#ifndef AWL_MCP_LINK_REMOTE_H
#define AWL_MCP_LINK_REMOTE_H

#include "base/vec.h"
#include "mcp/link/links.h"
#include "net/ws.h"

struct remote_request;

struct remote {
	struct mcp_link_env env;         /* borrows what it points to */
	const struct mcp_config *config; /* borrowed */
	struct str url;    /* http or https; where the server has sent us by a permanent redirect */
	struct op *helper; /* headersHelper, under way; NULL: not now */
	struct str printed; /* its output, an object */
	bool has_helped;
	VEC(struct remote_request *) waiting; /* for the helper */
};

/* Borrows `config` and what `env` points to until it is cleared. */
void remote_init(struct remote *remote, const struct mcp_link_env *env,
		 const struct mcp_config *config);
/* No request may be under way. */
void remote_clear(struct remote *remote);

struct remote_send {
	const char *method;
	struct sv url;                     /* empty: that of the server */
	const struct http_header *headers; /* besides those of the configuration */
	size_t nheaders;
	struct sv body;
	int64_t total_ms; /* 0: none, the owner knows how long it waits */
	/* Of the final response, called with then.owner. */
	http_head_fn *on_head;
	http_body_fn *on_body;
	/* Not NULL: the request asks for a WebSocket, and the messages that come. The op is then over when the
	 * socket is. */
	ws_message_fn *on_message;
};

/* Copies everything. Fails as http_start() does, as the helper does, and when the server answers 401 or 403
 * and there is no other token to try: with ERR_ACCESS if somebody has to log in, else with another kind. */
struct op *remote_start(struct remote *remote, const struct remote_send *send, struct then then);

/* In `done`: the 401 or 403 that ended it; 0: something else did. */
int remote_status(const struct op *op);
struct sv remote_body(const struct op *op);

/* The WebSocket (ws.h) of a request that was answered with 101; NULL: it is over. */
struct op *remote_socket(const struct op *op);

/* What an HTTP status that is not a success stands for: ERR_BUSY if the server may answer later, else ERR_PROTOCOL. */
enum err_kind remote_kind(int status);

/* Whether a response has this media type. */
bool remote_is_type(const struct http_head *head, struct sv type);

#endif
