/* client.h - one server: connected, asked what it offers, called.
 *
 *   CLOSED > DISCOVERING > INITIALIZING > LISTING > READY > CLOSING > CLOSED
 *
 * Servers of the version 2026-07-28 have no session: they answer server/discover, and every request says which
 * version it is. All others are initialized. Which kind a server is, is found out once and remembered.
 *
 * A client connects when it is told to and stays closed when the connection breaks; whoever owns it (servers.h)
 * decides whether to try again. */
#ifndef AWL_MCP_CLIENT_H
#define AWL_MCP_CLIENT_H

#include "base/vec.h"
#include "mcp/link/links.h"

struct mcp_client;

enum mcp_client_state {
	MCP_CLIENT_CLOSED,
	MCP_CLIENT_DISCOVERING,
	MCP_CLIENT_INITIALIZING,
	MCP_CLIENT_LISTING,
	MCP_CLIENT_READY,
	MCP_CLIENT_CLOSING,
};

enum mcp_list_kind { MCP_TOOLS, MCP_PROMPTS, MCP_RESOURCES, MCP_TEMPLATES, MCP_LISTS };

/* Each may be NULL, but `changed`. */
struct mcp_client_events {
	void *arg;
	/* The state is another one. After CLOSED the client may be connected again or freed, but not before
	 * this returns. */
	void (*changed)(void *arg);
	/* A list of a server that is READY has changed. */
	void (*listed)(void *arg, enum mcp_list_kind kind);
	/* The server wants something of the user or of the model: "elicitation/create",
	 * "sampling/createMessage". Starts an op that appends the result, a JSON object, to `out`; NULL:
	 * refused. `params` lives as long as the op. */
	struct op *(*ask)(void *arg, struct sv method, struct json params, struct str *out,
			  struct then then);
	/* A notification that is not about lists or progress. */
	void (*notified)(void *arg, struct sv method, struct json params);
};

struct mcp_client_opts {
	struct mcp_link_env link;
	const struct mcp_config *config; /* borrowed; outlives the client */
	struct mcp_host_server host;     /* of MCP_IN_HOST */
	const char *version;             /* of awl */
	int64_t connect_ms;              /* from the start to READY */
	int64_t call_ms, idle_ms;        /* for a call, and for a call without progress */
	bool is_legacy;                  /* never ask for the newest version */
	bool can_elicit, can_sample;
	struct mcp_client_events events;
};

struct mcp_client *mcp_client_new(const struct mcp_client_opts *opts);
/* Only while CLOSED, with no call in flight. NULL is fine. */
void mcp_client_free(struct mcp_client *client);

/* Only while CLOSED. */
void mcp_client_connect(struct mcp_client *client, const struct mcp_link_env *link);
/* Ends the connection; from any state, any number of times. */
void mcp_client_close(struct mcp_client *client);

/* A message that a server in the host sent by itself. */
void mcp_client_receive(struct mcp_client *client, struct sv json);

enum mcp_client_state mcp_client_state(const struct mcp_client *client);
/* Why it is closed; of kind ERR_NONE: it was told to, or never connected. */
const struct err *mcp_client_why(const struct mcp_client *client);
/* Whether it is closed because the server wants to be authorized. */
bool mcp_client_needs_auth(const struct mcp_client *client);
/* The end of what it wrote to stderr. */
struct sv mcp_client_stderr(const struct mcp_client *client);

/* What the server has said about itself; empty or missing before READY, and kept when the connection breaks. */
struct sv mcp_client_version(const struct mcp_client *client); /* of the protocol */
struct json mcp_client_info(const struct mcp_client *client);
struct json mcp_client_capabilities(const struct mcp_client *client);
struct sv mcp_client_instructions(const struct mcp_client *client);

/* A list as the server gave it last: objects, at most LIMIT_MCP_ITEMS. */
size_t mcp_client_count(const struct mcp_client *client, enum mcp_list_kind kind);
struct json mcp_client_item(const struct mcp_client *client, enum mcp_list_kind kind, size_t i);
/* Why the list could not be read when that was last tried; NULL: it could, or there is none. */
const struct err *mcp_client_list_problem(const struct mcp_client *client, enum mcp_list_kind kind);

/* --- news: client_news.c --- */

/* Asks the server to log from this level on ("debug", "info", ... "emergency"), on this connection and later ones; false:
 * there is no such level. What it logs is part of mcp_client_stderr(). */
bool mcp_client_set_log_level(struct mcp_client *client, struct sv level);
/* Asks the server to say when the resource changes: `notified` gets "notifications/resources/updated". At most
 * LIMIT_MCP_WATCHED; nothing happens where the server cannot. */
void mcp_client_watch(struct mcp_client *client, struct sv uri);

/* Sends a notification, while it is READY; `params` is JSON. */
void mcp_client_notify(struct mcp_client *client, struct sv method, struct sv params);

/* --- calls: client_call.c --- */

struct mcp_call_opts {
	struct sv method;      /* tools/call, prompts/get, resources/read, completion/complete */
	struct sv name;        /* of the tool, prompt or resource, for the headers of HTTP */
	struct json params;    /* an object, without _meta */
	struct sv tool_use_id; /* may be empty */
	const struct http_header *headers;
	size_t nheaders;
	int64_t timeout_ms; /* 0: the usual */
	void (*on_progress)(void *arg, struct json params);
	void *arg;
};

/* One request to a server that is READY, repeated while the server needs input for it. Copies what it needs. Fails
 * as mcp_request_start() does. */
struct op *mcp_call_start(struct mcp_client *client, const struct mcp_call_opts *opts,
			  struct then then);
/* For `done`: the error of the server, 0: it is not the server's, and its whole text. */
int64_t mcp_call_code(const struct op *op);
struct sv mcp_call_text(const struct op *op);
/* For `done`: the result on success, and the data of the error; owned by the caller; each may be NULL. */
struct json_doc *mcp_call_take_result(struct op *op);
struct json_doc *mcp_call_take_data(struct op *op);
/* Whether a call that failed can be made again: the server has certainly not got it or, if the call `is_harmless`,
 * may have. */
bool mcp_call_may_repeat(const struct op *op, bool is_harmless);

#endif
