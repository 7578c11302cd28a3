/* flow_agent.h - between the files that play whole agents. */
#ifndef AWL_TESTS_FLOW_FLOW_AGENT_H
#define AWL_TESTS_FLOW_FLOW_AGENT_H

#include "core/agent.h"
#include "flow.h"

/* What the scripted hooks say, each once, in order. */
struct flow_hook {
	const char *where; /* "pre", "post", "stop", "drain", "compact" */
	struct sv what, text;
	bool used;
};

struct flow_hooks {
	struct flow *flow;
	VEC(struct flow_hook) list; /* views into the script */
};

void flow_hooks_install(struct flow_hooks *hooks, struct flow *flow, struct agent *agent);
struct flow_hooks *flow_hooks_of(struct flow *f);

/* hook pre allow|deny|stop|context TEXT, hook post stop|context TEXT,
 * hook stop prevent|feedback TEXT, hook drain|compact ok|fail */
bool flow_do_hook(struct flow *f, const struct line *line, struct err *err);

#endif
