/* mcp_endpoint.h - where `awl --mcp-cli` finds the servers of a session that runs: in two files that only the user can
 * read, in awl/mcp-cli in the configuration directory. They exist while the session does.
 *
 * SESSION.json has an address on the loopback and a key, {"url": TEXT, "key": TEXT}: the endpoint.
 *
 * A request is a POST to /mcp with the key as its bearer token: {"command": "offers", "server": NAME?}, or {"command":
 * "request", "server": NAME, "method": "tools/call" | "resources/read", "params": {...}}. It is answered with the
 * result, or with a status of 400 or more and {"error": TEXT, "type": WORD}.
 *
 * SESSION.state.json says what the servers are and offer, for those who cannot or may not use the endpoint: "clients" (name,
 * type: the status, error), "configs" by name, "normalizedNames" (names as tools have them, and whose they are), "tools" (name,
 * originalToolName, serverName and what the server says about them), and "resources" by server. */
#ifndef AWL_CORE_MCP_MCP_ENDPOINT_H
#define AWL_CORE_MCP_MCP_ENDPOINT_H

#include "base/err.h"
#include "base/str.h"

struct session_mcp;
struct mcp_endpoint;
struct mcp_state_file;

/* --- the session: session_mcp_endpoint.c --- */

/* Opens it if the variables of the session want that; a notice if it cannot be. */
void session_mcp_open_endpoint(struct session_mcp *mcp);
/* Removes the file and ends what is under way. */
void session_mcp_close_endpoint(struct session_mcp *mcp);
bool session_mcp_endpoint_is_quiet(const struct session_mcp *mcp);
void session_mcp_free_endpoint(struct session_mcp *mcp);

/* --- the session: session_mcp_state_file.c --- */

/* The same for the other file. */
void session_mcp_open_state(struct session_mcp *mcp);
/* Writes it soon: something in it has changed. */
void session_mcp_note_state(struct session_mcp *mcp);
void session_mcp_close_state(struct session_mcp *mcp);
bool session_mcp_state_is_quiet(const struct session_mcp *mcp);
void session_mcp_free_state(struct session_mcp *mcp);

/* --- both --- */

/* Append the paths of the files. */
void mcp_endpoint_path(struct str *out, const char *config_dir, struct sv session);
void mcp_state_path(struct str *out, const char *config_dir, struct sv session);
/* Whether a variable is on; `usual` if it is not set. */
bool mcp_cli_is_on(const char *value, bool usual);

#endif
