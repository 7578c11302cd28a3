/* reply_mcp.h - what is reported about the MCP servers of a session. Everything is borrowed. */
#ifndef AWL_PROTO_REPLY_MCP_H
#define AWL_PROTO_REPLY_MCP_H

#include "text/json/json_write.h"

struct reply_mcp_tool {
	struct sv name, description;
	bool has_hints, is_read_only, is_destructive, is_open_world;
};

struct reply_mcp_server {
	struct sv name, status, scope, source;
	struct sv error;                   /* may be empty */
	struct sv transport;               /* "stdio" */
	struct sv command, url;            /* one of them; both may be empty */
	const char *const *args;           /* of the command, NULL-terminated */
	struct sv info_name, info_version; /* of the server; may be empty */
	const struct reply_mcp_tool *tools;
	size_t ntools;
	bool is_connected;
};

struct reply_mcp_status {
	const struct reply_mcp_server *at;
	size_t n;
};

/* A server that could not be connected. */
struct reply_mcp_error {
	struct sv name, text;
};

/* Which servers of the host have changed. */
struct reply_mcp_set {
	const struct sv *added, *removed;
	size_t nadded, nremoved;
	const struct reply_mcp_error *errors;
	size_t nerrors;
};

/* These add the members to an open object. */
void reply_mcp_status_write(struct jw *w, const struct reply_mcp_status *status);
void reply_mcp_set_write(struct jw *w, const struct reply_mcp_set *set);

#endif
