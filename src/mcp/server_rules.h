/* server_rules.h - which MCP servers may be used: the settings allowedMcpServers, deniedMcpServers and
 * allowManagedMcpServersOnly. Pure.
 *
 * An entry of either list has a serverName, a serverCommand (the command and all its arguments) or a serverUrl, in
 * which "*" is any text. A server is denied when any entry of the one list matches it. It must be in the other list
 * if there is one: a program by serverCommand if that list has such entries, an address by serverUrl
 * in the same way, and otherwise by its name. Servers that the policy defines need not be in it. */
#ifndef AWL_MCP_SERVER_RULES_H
#define AWL_MCP_SERVER_RULES_H

#include "mcp/config.h"

struct settings;

/* Fails (ERR_ACCESS) with the reason, such as: deniedMcpServers does not allow it (/etc/x.json:3). */
must_use bool mcp_server_is_allowed(const struct settings *settings,
				    const struct mcp_config *config, struct err *err);

/* Whether the address matches a serverUrl. `is_strict`: a "*" in the host does not match beyond the host. */
bool mcp_server_url_matches(struct sv pattern, struct sv url, bool is_strict);

#endif
