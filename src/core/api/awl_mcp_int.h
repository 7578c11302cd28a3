/* awl_mcp_int.h - private to awl_mcp*.c: MCP servers of a project without a session. */
#ifndef AWL_CORE_API_AWL_MCP_INT_H
#define AWL_CORE_API_AWL_MCP_INT_H

#include "core/api/awl_project.h"
#include "mcp/servers.h"
#include "text/json/json_write.h"

/* What a call needs to know about the project. */
struct awl_mcp {
	struct awl_project *p;
	struct project project;
	struct settings *settings;
};

#define AWL_MCP_INIT                    \
	{                               \
		.project = PROJECT_INIT \
	}
void awl_mcp_clear(struct awl_mcp *m);
/* Begins a call. */
must_use bool awl_mcp_open(struct awl_mcp *m, struct awl_project *p, struct err *err);
/* Reads all servers into p->mcp, describes them in p->servers, in the same order, and notes what is wrong. */
must_use bool awl_mcp_read(struct awl_mcp *m, struct err *err);

/* Connections to servers. All of it ends within the call that began it. */
struct awl_mcp_visit {
	struct awl_mcp *m;
	struct loop *loop;
	struct http *http;     /* NULL: no server is on the network */
	struct mcp_auth *auth; /* the same */
	env_list env;
	struct str credentials; /* path of their file */
	struct mcp_servers *servers;
	/* All servers are connected or cannot be. It ends with awl_mcp_visit_end(). */
	void (*on_settled)(struct awl_mcp_visit *v);
	void *arg;
	bool is_settled;
};

/* Appends what a server offers, as awl_mcp_offers() describes it. */
void awl_mcp_put_server(struct jw *w, struct mcp_server *server);

/* --- awl_mcp_endpoint.c --- */

/* The session whose servers are meant: CLAUDE_CODE_SESSION_ID, if ENABLE_EXPERIMENTAL_MCP_CLI is on. NULL: none, and the
 * servers are those of the configuration. */
const char *awl_mcp_session(const struct awl_project *p);
/* Whether that session answers for its servers. Then `*ok` says whether it did, and the answer is in p->result. `message`
 * is the JSON of the request. Notes that the session should answer, and has no endpoint. */
must_use bool awl_mcp_ask_session(struct awl_project *p, struct sv message, bool is_call, bool *ok,
				  struct err *err);
/* Reads a file that nobody but the user can have written. */
must_use bool awl_mcp_read_private(struct str *out, const char *path, size_t max, struct err *err);

/* --- awl_mcp_state.c --- */

/* Writes to p->result what the servers of the session are and offer, as awl_mcp_offers() does, from its state file. */
must_use bool awl_mcp_state_offers(struct awl_project *p, const char *name, struct err *err);
/* Reads all its servers into p->mcp. */
must_use bool awl_mcp_state_read(struct awl_project *p, struct err *err);

#endif
