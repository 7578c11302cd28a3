/* resource_tools.h - two tools of ours with which the model lists and reads the resources of servers. */
#ifndef AWL_MCP_RESOURCE_TOOLS_H
#define AWL_MCP_RESOURCE_TOOLS_H

#include "mcp/servers.h"
#include "tool/tool.h"

enum { MCP_RESOURCE_TOOLS = 2 };

/* Fills in ListMcpResourcesTool and ReadMcpResourceTool, which use these servers. */
void mcp_resource_tools_init(struct tool out[MCP_RESOURCE_TOOLS], struct mcp_servers *servers);

/* Whether the server has resources. */
bool mcp_server_has_resources(const struct mcp_server *server);

#endif
