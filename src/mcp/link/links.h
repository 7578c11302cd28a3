/* links.h - the transports. Each function starts a link (link.h). */
#ifndef AWL_MCP_LINK_LINKS_H
#define AWL_MCP_LINK_LINKS_H

#include "mcp/config.h"
#include "mcp/link/link.h"

struct mcp_auth; /* auth.h */
struct sandbox;

/* What a link needs from the session. What it points to is borrowed until the link is done, and so is the
 * configuration of the server. */
struct mcp_link_env {
	struct loop *loop;
	struct http *http;       /* of all but stdio; NULL: none, and they fail */
	const char *const *env;  /* "NAME=value", NULL-terminated: of children */
	const char *project_dir; /* where children start */
	struct mcp_auth *auth;   /* tokens for servers that want one; NULL: none */
	/* The sandbox for a child that starts now, by the setting sandbox.mcpServers. NULL, as the function or as
	 * its result: none. */
	struct sandbox *(*sandbox)(void *arg);
	void *sandbox_arg;
	/* Each message of a child has a Content-Length, as those of language servers do; it is not a line. */
	bool has_lengths;
};

/* A child process: one message a line. Cancelling closes its stdin, then sends SIGINT, SIGTERM and SIGKILL. */
struct op *mcp_stdio_start(const struct mcp_link_env *env, const struct mcp_config *config,
			   const struct mcp_link_events *events, struct then then);
/* Streamable HTTP: a POST per message, answered by JSON or by an event stream. A server that refuses the
 * first message is tried as one of 2024-11-05, too. */
struct op *mcp_http_start(const struct mcp_link_env *env, const struct mcp_config *config,
			  const struct mcp_link_events *events, struct then then);
/* HTTP with SSE, of 2024-11-05: one long event stream names the address to POST to. */
struct op *mcp_sse_start(const struct mcp_link_env *env, const struct mcp_config *config,
			 const struct mcp_link_events *events, struct then then);

/* A WebSocket: one message a frame, with the subprotocol "mcp". Headers and the access token are those of the handshake. */
struct op *mcp_ws_start(const struct mcp_link_env *env, const struct mcp_config *config,
			const struct mcp_link_events *events, struct then then);

/* A server inside the host: each message travels in a control request. `send` starts it and appends what the
 * server answers, a message, to `out`; notifications are answered too, by something meaningless. */
struct mcp_host_server {
	const char *name;
	struct op *(*send)(void *arg, const char *name, struct sv json, struct str *out,
			   struct then then);
	void *arg;
};
struct op *mcp_in_host_start(struct loop *loop, const struct mcp_host_server *server,
			     const struct mcp_link_events *events, struct then then);
/* A message that the server sent by itself. */
void mcp_in_host_receive(struct op *link, struct sv json);

#endif
