/* team.h - teams: the leader of a conversation and its teammates, with one list of tasks.
 *
 * A teammate is a sub-agent in the background that stays. When its turn ends, it takes the next free task. If there
 * is none, TeammateIdle hooks may give it more to do. Otherwise it becomes idle, with all it knows, until a message or
 * a new task wakes it. For the machine in subagent.c, an idle teammate has ended but keeps its agent. It leaves the team when it agrees to, is stopped or the team is deleted. A session has one team at
 * most, and it ends with the session. */
#ifndef AWL_CORE_SUBAGENTS_TEAM_H
#define AWL_CORE_SUBAGENTS_TEAM_H

#include "core/subagents/subagent.h"
#include "hook/hook.h"

/* Names are how agents reach each other and how messages say who sent them, so that of a new agent, which may be empty,
 * means neither a teammate nor the leader. */
must_use bool team_check_agent_name(const struct subagents *all, struct sv name, struct err *err);
/* Whether `spec` may become a teammate of this team. */
must_use bool team_check_member(const struct subagents *all, const struct subagent_spec *spec,
				struct err *err);
/* Gives a new teammate its name, its team and its rules. */
void team_brief(struct subagent *a);
/* Looks for more to do after a turn, as the step of the agent. False: there is nothing, it is to end. */
must_use bool team_pursue(struct subagent *a);
/* Whether it waits for a message or a task. */
bool team_is_idle(const struct subagent *a);
/* Removes an idle teammate from the team: only its file keeps what it knows. */
void team_dismiss(struct subagent *a);
/* Appends the status and the summary of the notice for the leader. */
void team_write_state(const struct subagent *a, struct str *out);

/* The fields that hooks get about a teammate; nothing for other agents. */
void team_fill_hook(const struct session *s, const struct agent *agent, struct hook_input *in);

/* The tools TeamCreate and TeamDelete (tool/tool.h). */
struct op *team_create(void *arg, struct tool_call *call, struct then then);
struct op *team_delete(void *arg, struct tool_call *call, struct then then);

/* --- team_message.c: messages that are not just text --- */

/* Whether messages to this name are for the leader. */
bool team_is_leader(struct sv to);
/* Whether the message is an object, and makes sense between these two. */
bool team_is_protocol(const struct tool_call *call);
must_use bool team_check_protocol(const struct session *s, const struct tool_call *call,
				  struct err *err);
/* Appends what the receiver reads, and does what the message brings about. */
void team_write_protocol(struct session *s, const struct tool_call *call, struct str *out);

#endif
