/* client_internal.h - a client from inside: for client*.c. */
#ifndef AWL_MCP_CLIENT_INTERNAL_H
#define AWL_MCP_CLIENT_INTERNAL_H

#include "mcp/client.h"
#include "mcp/peer.h"
#include "text/json/json_write.h"

struct mcp_call;

/* What the server offers of one kind. */
struct mcp_list {
	struct mcp_client *client;
	enum mcp_list_kind kind;
	VEC(struct json_doc *) pages;
	VEC(struct json) items;
	/* The list that is being read; it takes the place of the other one when it is complete. */
	VEC(struct json_doc *) next_pages;
	VEC(struct json) next_items;
	struct op *op;
	struct str cursor; /* of the page that is being read; empty: the first */
	bool is_stale;     /* it has changed while it was read */
	struct op *pause;  /* of a list that changes too often; then it is read again */
	int64_t since_ms;  /* of the count: */
	int nreads;
	struct err why; /* it could not be read */
};

/* A request of the server that is not answered yet. */
struct mcp_incoming {
	struct mcp_client *client;
	struct json_doc *doc; /* {"id":..,"params":..} */
	struct op *op;
	struct str out;
	bool is_void; /* nobody waits for the answer */
};

struct mcp_client {
	struct mcp_client_opts opts;
	enum mcp_client_state state;
	struct mcp_peer peer;
	struct op *link;
	struct op *step;     /* discover or initialize */
	struct op *deadline; /* of the connection */
	struct mcp_list lists[MCP_LISTS];
	VEC(struct mcp_incoming *) incoming;
	struct op *subscription; /* stateless: what the server says by itself */
	int64_t subscription_id;
	bool resubscribes;      /* as soon as the old subscription has ended */
	struct mcp_call *calls; /* in flight */
	size_t ntold;           /* requests in flight whose answer does not matter */
	const char *log_level;  /* that the server is to log from; NULL: as it likes */
	VEC(char *) watched;    /* URIs of resources */
	VEC(char *) done_pages; /* ids that no call waits for yet */
	bool is_legacy;         /* known to be */
	bool is_stateless, needs_auth;
	bool has_asked_again; /* server/discover */
	struct err why;
	struct str stderr_text;
	struct json_doc *about; /* the result of discover or initialize */
	struct str version;
};

/* --- client.c --- */

/* Everything that the client waits for may be over. */
void mcp_client_settle(struct mcp_client *client);
/* Writes the members that every request of this server has inside "_meta". */
void mcp_client_put_meta(struct mcp_client *client, struct jw *w);
bool mcp_client_can(const struct mcp_client *client, const char *capability);
/* Keeps the end of what the server says. */
void mcp_client_add_stderr(struct mcp_client *client, struct sv text);

/* --- client_list.c --- */

/* Reads all lists that the server has. */
void mcp_client_list_all(struct mcp_client *client);
/* One has changed: reads it again, unless it is being read. Once the client is READY, those that changed before. */
void mcp_client_list(struct mcp_client *client, enum mcp_list_kind kind);
void mcp_client_list_stale(struct mcp_client *client);
/* Reads none any more. */
void mcp_client_end_lists(struct mcp_client *client);
bool mcp_client_is_listing(const struct mcp_client *client);
void mcp_client_clear_lists(struct mcp_client *client);

void mcp_client_resubscribe(struct mcp_client *client);

/* --- client_news.c --- */

/* The connection is complete: says what it is to report. */
void mcp_client_send_preferences(struct mcp_client *client);
void mcp_client_clear_preferences(struct mcp_client *client);
/* notifications/message. */
void mcp_client_on_log(struct mcp_client *client, struct json params);

/* --- client_call.c --- */

/* The connection is over: calls that wait for an answer of the user wait no longer. */
void mcp_client_end_calls(struct mcp_client *client);
/* The server says that a page which a call waits for is done. */
void mcp_client_end_page(struct mcp_client *client, struct sv id);
void mcp_client_clear_pages(struct mcp_client *client);

/* --- client_serve.c --- */

void mcp_client_on_request(void *arg, const struct rpc_message *message);
void mcp_client_on_notification(void *arg, const struct rpc_message *message);
/* What the server still wants to know is void. */
void mcp_client_drop_incoming(struct mcp_client *client);

#endif
