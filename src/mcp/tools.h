/* tools.h - what servers offer, as tools of the model. */
#ifndef AWL_MCP_TOOLS_H
#define AWL_MCP_TOOLS_H

#include "mcp/servers.h"
#include "tool/tool.h"

/* A tool of a server. It is never changed: a server that describes it otherwise gets another one. */
struct mcp_tool {
	struct tool tool; /* first */
	struct mcp_server *server;
	char *name;  /* as the server knows it */
	char *title; /* for people; "": none */
	char *full_name, *page, *schema;
	size_t max_result; /* bytes; 0: the usual */
	bool is_read_only, is_destructive, is_idempotent, is_open_world;
	bool has_annotations;
	bool always_loads; /* never deferred */
	uint64_t hash;     /* of all that the server says about it */
	bool is_gone;      /* the server no longer offers it, or is gone itself */
	char *doubt;       /* owns tool.doubt */
};

typedef VEC(struct mcp_tool *) mcp_tool_list;

/* Appends the tools that the server lists now, sorted by name. One that is in `old` and unchanged is taken from
 * there, and its place in `old` is then NULL. Tools that cannot be used are skipped, with a line in `notes`. */
void mcp_tools_read(mcp_tool_list *out, struct mcp_server *server, mcp_tool_list *old,
		    struct str *notes);
void mcp_tool_free(struct mcp_tool *tool);

/* The tool behind a call of the model; NULL: it is not one of a server. */
const struct mcp_tool *mcp_tool_of(const struct tool *tool);

#endif
