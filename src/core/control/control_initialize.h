/* control_initialize.h - what a host asks for when it initializes a session. */
#ifndef AWL_CORE_CONTROL_CONTROL_INITIALIZE_H
#define AWL_CORE_CONTROL_CONTROL_INITIALIZE_H

#include "core/session/session.h"

/* What the host has asked for when it initialized the session. */
struct session_preferences {
	struct json_doc *agents; /* an object of their definitions; NULL: none */
	struct json_doc *skills; /* an array: the only ones that there are; NULL: all */
	bool suggests;           /* what the user may want to say next */
	bool forwards_text;      /* of sub-agents, not only what they do */
	bool summarizes_agents;  /* lines about what sub-agents do */
	bool spares_tasks;       /* an interrupt does not end commands in the background */
};

void session_preferences_clear(struct session_preferences *preferences);
/* Takes definitions that are not the host's; what the host defines replaces them. Fails, naming the
 * agent, if one has no description or prompt. */
must_use bool session_take_agents(struct session *s, struct sv json, struct err *err);

#endif
