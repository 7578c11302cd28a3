/* mcp_serve.h - private to mcp_*.c: the MCP server of `awl mcp serve`, without the way that messages travel. */
#ifndef AWL_CLI_MCP_MCP_SERVE_H
#define AWL_CLI_MCP_MCP_SERVE_H

#include <awl.h>

#include "base/vec.h"
#include "text/json/json.h"

/* A request that the session has not answered yet. */
struct mcp_serve_pending {
	struct mcp_serve *serve;
	struct str id; /* at the client, as JSON */
	void *client;
	struct str session; /* of the client */
};

struct mcp_serve {
	struct awl_session *session;
	VEC(struct mcp_serve_pending *) pending;
	/* Sends a message, which may be changed, to the client that a message came from. */
	void (*send)(void *arg, void *client, struct str *json);
	/* The client has cancelled its request, and gets no answer. May be NULL. */
	void (*cancelled)(void *arg, void *client);
	void *arg;
};

/* Whether it is a version of MCP that the server speaks. */
bool mcp_serve_knows_version(struct sv version);
void mcp_serve_clear(struct mcp_serve *serve);
/* Takes a message; `client` is for `send`. Several clients have different sessions, so that each can cancel only its
 * own requests. Returns whether an answer is or will be sent. */
bool mcp_serve_take(struct mcp_serve *serve, void *client, struct sv session, struct sv json);
/* The client is gone: what it asked for is cancelled. */
void mcp_serve_leave(struct mcp_serve *serve, void *client);

struct mcp;
/* Serves over HTTP until SIGINT or SIGTERM. */
enum exit_code mcp_serve_http(const struct mcp *mcp, struct mcp_serve *serve, struct awl *awl);

#endif
