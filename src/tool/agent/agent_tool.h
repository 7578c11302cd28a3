/* agent_tool.h - what the tools about agents share. */
#ifndef AWL_TOOL_AGENT_AGENT_TOOL_H
#define AWL_TOOL_AGENT_AGENT_TOOL_H

#include "tool/tool.h"

/* What tool_agents.start() returns begins with this. */
struct agent_tool_op {
	struct op op;
	const struct tool_agents *agents;
};

/* NULL: the session has none. */
const struct tool_agents *agent_tool_service(const struct tool_call *call);
/* Fails: there is no such service. */
bool agent_tool_refuse(struct err *err);
/* These calls touch nothing by themselves. */
void agent_tool_perm_request(const struct tool_call *call, struct arena *arena,
			     struct perm_request *out);

#endif
