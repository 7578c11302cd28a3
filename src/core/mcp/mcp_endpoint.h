/* mcp_endpoint.h - where `awl --mcp-cli` finds the servers of a session that runs: an address on the loopback and a
 * key, in a file that only the user can read, awl/mcp-cli/SESSION.json in the configuration directory.
 *
 * A request is a POST to /mcp with the key as its bearer token: {"command": "offers", "server": NAME?}, or {"command":
 * "request", "server": NAME, "method": "tools/call" | "resources/read", "params": {...}}. It is answered with the
 * result, or with a status of 400 or more and {"error": TEXT, "type": WORD}. */
#ifndef AWL_CORE_MCP_MCP_ENDPOINT_H
#define AWL_CORE_MCP_MCP_ENDPOINT_H

#include "base/err.h"
#include "base/str.h"

struct session_mcp;
struct mcp_endpoint;

/* --- the session: session_mcp_endpoint.c --- */

/* Opens it if the variables of the session want that; a notice if it cannot be. */
void session_mcp_open_endpoint(struct session_mcp *mcp);
/* Removes the file and ends what is under way. */
void session_mcp_close_endpoint(struct session_mcp *mcp);
bool session_mcp_endpoint_is_quiet(const struct session_mcp *mcp);
void session_mcp_free_endpoint(struct session_mcp *mcp);

/* --- both --- */

/* Appends the path of the file. */
void mcp_endpoint_path(struct str *out, const char *config_dir, struct sv session);

#endif
