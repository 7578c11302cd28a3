/* session_tool_summary.h - after the calls of a response, the small model writes one line about them for hosts
 * that show nothing else. Nobody waits for it. Off unless CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES is set. */
#ifndef AWL_CORE_SIDE_SESSION_TOOL_SUMMARY_H
#define AWL_CORE_SIDE_SESSION_TOOL_SUMMARY_H

#include "core/agent/executor.h"
#include "core/session/session.h"

struct session_tool_summary {
	struct op *op; /* the question to the model; NULL: none */
	struct str answer;
	struct str about; /* what the next question is about */
	struct arena arena;
	VEC(struct sv) ids; /* of calls without a summary, the oldest first */
	size_t asked;       /* how many of them the question is about */
};

/* The calls of a response of the agent that leads have ended. Calls that end while the model writes have their
 * line together, afterwards. */
void session_tool_summary_update(struct session *s, const struct executor *calls);
void session_tool_summary_clear(struct session *s);

#endif
