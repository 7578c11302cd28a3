/* agent_servers.h - the MCP servers that the definition of an agent has in `mcpServers`: a list of names of servers that
 * the session has, and of servers of its own.
 *
 *   mcpServers:
 *     - github                       the session's server
 *     - docs: { command: docs-mcp }  a server of its own, a "guest" of the session
 *
 * A guest starts when an agent that has it starts, is shared by those that work at the same time, and ends with the last
 * of them. Its tools are offered to them alone. The servers of the agent that leads the session start with the session,
 * like any other. */
#ifndef AWL_CORE_SUBAGENTS_AGENT_SERVERS_H
#define AWL_CORE_SUBAGENTS_AGENT_SERVERS_H

#include "core/subagents/subagent.h"

struct mcp_server;

/* Starts the servers of an agent; the op is over when each is connected or has failed. NULL: it has none. */
struct op *agent_servers_start(struct subagent *a, struct then then);
/* Offers the agent what its servers have. */
void agent_servers_take(struct subagent *a);
/* Its work is over. */
void agent_servers_leave(struct subagent *a);

/* The same for the agent that leads the session, which does not wait. */
void agent_servers_lead(struct session *s);

/* A server lists its tools: offers them to the agents that work with it. */
void agent_servers_offer(struct session *s, struct mcp_server *server);
/* No agent that was started may use this tool any more. */
void agent_servers_withdraw(struct session *s, struct sv name);

#endif
