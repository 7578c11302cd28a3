/* agent_defs.h - the definitions of agents that a session knows. */
#ifndef AWL_CORE_SUBAGENTS_AGENT_DEFS_H
#define AWL_CORE_SUBAGENTS_AGENT_DEFS_H

#include "core/control/file_suggestions.h"
#include "core/session/session.h"
#include "extend/agent_list.h"

/* What the user has chosen for the session, whatever the agent that leads it wants. */
struct session_lead_opts {
	bool has_model, has_effort, has_mode;
	bool continues; /* an older conversation */
	bool is_again;  /* as the transcript says, so it may not make the session more lenient */
};

/* The definitions of agents. */
struct session_agents {
	struct agent_list list; /* as of the last look */
	bool is_loaded;
	struct str notes;     /* what is wrong with files, as the user knows it */
	struct str announced; /* the list as the model knows it */
	struct str lead;      /* the one that leads the conversation; empty: none */
	struct str
		awaited; /* the one that is to lead it once the host has defined it; empty: none */
	struct str recorded; /* the one that led the session before it was resumed; may be empty */
	bool owes_record;    /* the transcript does not say yet who leads */
	struct session_lead_opts lead_opts;
};

/* The agents that can be started, in `arena`; how many. */
size_t session_agents(struct session *s, const struct reply_agent **out, struct arena *arena);
/* Offers those whose mention ("agent-NAME") matches, after the files that match as well. */
void session_agents_suggest(struct session *s, struct file_suggestions *out);

#endif
