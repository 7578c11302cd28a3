/* context_parts.h - what the parts of the context consist of: tools, agents, skills, pieces of the conversation. */
#ifndef AWL_CORE_CONTROL_CONTEXT_PARTS_H
#define AWL_CORE_CONTROL_CONTEXT_PARTS_H

#include "core/session/session.h"
#include "proto/reply.h"

/* Adds the lists to a report about `bytes` bytes. What MCP tools, agents and skills take is no longer part of the tools
 * and the messages. The lists are in `arena`. */
void context_parts_fill(struct session *s, struct reply_context *report, size_t bytes,
			struct arena *arena);

#endif
