/* servers_internal.h - the servers of a session from inside: for servers.c and server_call.c. */
#ifndef AWL_MCP_SERVERS_INTERNAL_H
#define AWL_MCP_SERVERS_INTERNAL_H

#include "mcp/servers.h"

/* Somebody who waits for a server. */
struct mcp_waiter {
	struct op op;
	struct mcp_waiter *next;
	struct mcp_server *server;
	bool is_over;
};

struct mcp_server {
	struct mcp_servers *set;
	struct arena arena; /* of the configuration */
	struct mcp_config config;
	struct mcp_client *client;
	enum mcp_status status;
	bool is_queued;   /* waits until others have connected */
	bool is_starting; /* counts among those that connect */
	bool is_disabled, is_removed;
	bool wants_anew;     /* is connected again as soon as it is closed */
	bool was_ready;      /* this connection was complete */
	int tries;           /* since it was last connected */
	int64_t since_ms;    /* when it was last connected, or first tried */
	struct op *in_batch; /* ends when others need not wait for it any more */
	struct op *backoff;
	struct task look; /* at what became of the client */
	struct str problem;
	struct mcp_waiter *waiters;
	size_t ncalls; /* and waiters, that are not freed yet */
	void *data;
};

struct mcp_servers {
	struct mcp_servers_opts opts;
	VEC(struct mcp_server *) all;
	VEC(struct mcp_server *) leaving; /* removed, and not closed yet */
	size_t nlocal, nremote;           /* that connect now */
	bool is_closing;
	struct task quiet;
};

/* A copy whose strings are all in `arena`. */
struct mcp_config mcp_config_copy(const struct mcp_config *from, struct arena *arena) must_use;

/* A call is over, or the client has changed: the server may be freed when it is to go. */
void mcp_server_look(struct mcp_server *server);

#endif
