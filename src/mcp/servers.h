/* servers.h - all servers of a session, supervised. They connect side by side, a few at a time, and nobody waits for
 * them who does not want to. A server whose connection breaks is connected again, after 1 s, 2 s, 4 s ... 30 s, at most
 * five times and for ten minutes. Nothing that a server does ends the session. */
#ifndef AWL_MCP_SERVERS_H
#define AWL_MCP_SERVERS_H

#include "mcp/client.h"

enum mcp_status {
	MCP_STATUS_PENDING, /* connecting, or about to */
	MCP_STATUS_CONNECTED,
	MCP_STATUS_FAILED,
	MCP_STATUS_NEEDS_AUTH,
	MCP_STATUS_DISABLED,
};
const char *mcp_status_name(enum mcp_status status); /* "needs-auth", as hosts know it */

struct mcp_servers;
struct mcp_server;

/* Each may be NULL. */
struct mcp_servers_events {
	void *arg;
	void (*changed)(void *arg, struct mcp_server *server); /* its status */
	void (*listed)(void *arg, struct mcp_server *server, enum mcp_list_kind kind);
	struct op *(*ask)(void *arg, struct mcp_server *server, struct sv method,
			  struct json params, struct str *out, struct then then);
	void (*notified)(void *arg, struct mcp_server *server, struct sv method,
			 struct json params);
	/* It goes away: its tools must not be used any more. */
	void (*removed)(void *arg, struct mcp_server *server);
	/* A server on the network is about to connect, and mcp_servers_use_network() was not called yet. */
	void (*needs_network)(void *arg);
	void (*quiet)(void *arg); /* all are gone, after mcp_servers_close() */
};

struct mcp_servers_opts {
	struct mcp_link_env link;
	struct mcp_host_server host; /* how to reach servers in the host; `name` is not used */
	const char *version;
	int64_t connect_ms, call_ms, idle_ms; /* 0: the usual */
	int64_t local_batch, remote_batch;    /* that connect at a time; 0: the usual */
	bool is_legacy, can_elicit, can_sample;
	bool is_held; /* none connects before mcp_servers_release() */
	struct mcp_servers_events events;
};

struct mcp_servers *mcp_servers_new(const struct mcp_servers_opts *opts);
/* Only when they are quiet. NULL is fine. */
void mcp_servers_free(struct mcp_servers *set);
/* Lets the servers connect that were added so far. */
void mcp_servers_release(struct mcp_servers *set);
/* What servers on the network need, from the next one that connects on. */
void mcp_servers_use_network(struct mcp_servers *set, struct http *http, struct mcp_auth *auth);
/* Ends all connections; `quiet` follows unless they are already. */
void mcp_servers_close(struct mcp_servers *set);
bool mcp_servers_are_quiet(const struct mcp_servers *set);

/* Adds a server, which begins to connect unless it is disabled. Copies the configuration. NULL when there is one
 * of that name, or LIMIT_MCP_SERVERS. */
struct mcp_server *mcp_servers_add(struct mcp_servers *set, const struct mcp_config *config,
				   bool is_disabled);
void mcp_servers_remove(struct mcp_servers *set, struct mcp_server *server);
/* By its name, or by its name as tools have it. */
struct mcp_server *mcp_servers_find(const struct mcp_servers *set, struct sv name);
size_t mcp_servers_count(const struct mcp_servers *set);
struct mcp_server *mcp_servers_at(const struct mcp_servers *set,
				  size_t i); /* in the order of adding */

const struct mcp_config *mcp_server_config(const struct mcp_server *server);
struct mcp_client *mcp_server_client(const struct mcp_server *server);
enum mcp_status mcp_server_status(const struct mcp_server *server);
/* Why it is not connected; empty: it is, or there is no reason. With the last line of its stderr. */
struct sv mcp_server_problem(const struct mcp_server *server);
/* Whoever uses the set may keep something with each server. */
void mcp_server_set_data(struct mcp_server *server, void *data);
void *mcp_server_data(const struct mcp_server *server);

/* Connects it anew, whatever its status; it must not be disabled. */
void mcp_server_reconnect(struct mcp_server *server);
void mcp_server_enable(struct mcp_server *server, bool enabled);

/* Waits until it is connected; fails when it cannot be. */
struct op *mcp_server_wait_start(struct mcp_server *server, struct then then);
/* A call (client.h) of a server that is or will be connected. If the connection breaks, it is made once more on the next
 * connection, provided that the server has not got it or the call `is_harmless`. Copies `opts`. */
struct op *mcp_server_call_start(struct mcp_server *server, const struct mcp_call_opts *opts,
				 bool is_harmless, struct then then);
/* For `done`: the result on success; else the error, as in client.h. */
struct mcp_server *mcp_server_call_server(const struct op *op);
struct json mcp_server_call_result(const struct op *op);
int64_t mcp_server_call_code(const struct op *op);
struct sv mcp_server_call_text(const struct op *op);

#endif
