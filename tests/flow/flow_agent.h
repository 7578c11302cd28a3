/* flow_agent.h - between the files that play whole agents. */
#ifndef AWL_TESTS_FLOW_FLOW_AGENT_H
#define AWL_TESTS_FLOW_FLOW_AGENT_H

#include "core/session/session.h"
#include "flow.h"

/* What the scripted hooks say, each once, in order. */
struct flow_hook {
	const char *where; /* "prompt", "prepare", "pre", "keep", "post", "stop", ... */
	struct sv what, text;
	bool used;
};

struct flow_hooks {
	struct flow *flow;
	VEC(struct flow_hook) list; /* views into the script */
};

void flow_hooks_install(struct flow_hooks *hooks, struct flow *flow, struct session *session);
struct flow_hooks *flow_hooks_of(struct flow *f);

/* hook prompt refuse|context TEXT, hook prepare TIME,
 * hook pre allow|ask|deny|defer|stop|context|input|hang TEXT,
 * hook permission allow|deny|interrupt|input|hang TEXT, hook denied retry|nothing, hook keep,
 * hook post stop|context TEXT, hook batch stop|context|hang TEXT,
 * hook stop prevent|feedback|hang TEXT, hook drain|compact ok|fail */
bool flow_do_hook(struct flow *f, const struct line *line, struct err *err);

/* answer, block: text T, thinking T, tool ID NAME JSON, stop REASON, usage IN OUT, wait TIME, stall,
 * reset */
bool flow_do_answer(struct flow *f, const struct line *line, struct err *err);
/* The number of the answer, from 1. */
int flow_agent_next_answer(struct flow *f);

/* tool add Delegate, tool remove NAME */
bool flow_do_tool(struct flow *f, const struct line *line, struct err *err);
/* The tool "Delegate", whose call is a sub-agent; written to `tool`. */
const struct tool *flow_delegate_tool(struct flow *f, struct tool *tool);
/* The agent of the session; NULL: there is no session. */
struct agent *flow_agent_main(struct flow *f);
/* Where that tool is kept as long as the session. */
struct tool *flow_agent_tool(struct flow *f);

#endif
