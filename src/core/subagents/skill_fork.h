/* skill_fork.h - runs a skill in an agent of its own ("context: fork"): its text is the prompt, and only what the
 * agent answers comes back. */
#ifndef AWL_CORE_SUBAGENTS_SKILL_FORK_H
#define AWL_CORE_SUBAGENTS_SKILL_FORK_H

#include "core/subagents/subagents.h"

/* Starts the agent that the skill names, or the general one, for `parent`. `call` is the call that loads it; empty:
 * the user has typed it. Done when the agent has ended; cancelling stops it. NULL, with `err` set, when it cannot
 * be started. */
struct op *skill_fork_start(struct session *s, struct agent *parent, const struct command_run *run,
			    struct sv call, struct then then, struct err *err);
/* The agent, which belongs to the session; inside `done`. */
const struct subagent *skill_fork_agent(const struct op *op);

#endif
