/* subagents.h - the agents that work for a session: started by a call of the tool Agent, in its foreground or in
 * the background, a limited number at a time. Each has its own history, tools and file; they share the
 * session's permissions, hooks, files and costs. An agent that has ended stays known and can be
 * continued from its file, also after the session is resumed. */
#ifndef AWL_CORE_SUBAGENTS_SUBAGENTS_H
#define AWL_CORE_SUBAGENTS_SUBAGENTS_H

#include "core/session/session_internal.h"
#include "extend/agent_list.h"

struct subagent;
struct subagents;

struct subagents *subagents_new(struct session *s);
/* Only when they are quiet. NULL is fine. */
void subagents_free(struct subagents *all);
/* Ends all that run; or only those in the background. */
void subagents_stop_all(struct subagents *all);
void subagents_stop_background(struct subagents *all);
/* Whether none runs and nothing of them is in flight. */
bool subagents_are_quiet(const struct subagents *all);
/* Describes those that run in the background, in `arena`; returns how many. */
size_t subagents_tasks(const struct subagents *all, const struct event_task **out,
		       struct arena *arena);

/* By id or name; the newest if several have the name. NULL: there is none. */
struct subagent *subagents_find(const struct subagents *all, struct sv id);
/* The same, also among those of earlier runs of the session, which it reads from their files. */
struct subagent *subagents_seek(struct subagents *all, struct sv id);
/* The file of the one with this id; empty: there is none. */
struct sv subagents_path(const struct subagents *all, struct sv id);
bool subagent_runs(const struct subagent *a);
/* Ends it soon; nothing if it has ended. */
void subagent_stop(struct subagent *a);
/* The same; the op is done when it has ended, or after `ms`. */
struct op *subagent_stop_start(struct subagent *a, int64_t ms, struct then then);
/* Gives a message to an agent: one that runs reads it before its next step, one that has ended continues with it. */
must_use bool subagent_send(struct subagent *a, struct sv text, struct err *err);
/* Appends the last part of what it has answered. */
void subagent_add_result(const struct subagent *a, struct str *out);
const char *subagent_id(const struct subagent *a);
/* How it has ended; COMMAND_RUNNING before. */
enum command_status subagent_status(const struct subagent *a);
/* The result of a call that started one in the background. */
void subagent_write_launched(const struct subagent *a, struct tool_result *out);

/* --- agent_memory.c --- */

/* Appends the instructions about the agent's memory, which it may use from now on; nothing if it has none. */
void agent_memory_write(struct session *s, const struct agent_file *file, struct str *out);
/* The same for the agent that leads the conversation. */
void agent_memory_write_lead(struct session *s, struct str *out);

/* The tools that work with them (tool/tool.h). */
extern const struct tool_agents subagent_tools;

/* --- agent_defs.c: which agents there are --- */

/* The definitions that apply to the session; `fresh`: as the files are now. Valid until the next call with
 * `fresh`. */
const struct agent_list *session_agent_list(struct session *s, bool fresh);
void session_agents_clear(struct session *s);
/* Appends which agents can be started besides the built-in ones, for the model, if it has not been told. */
void session_append_agents(struct session *s);
/* Lets the agent of the options or settings lead the conversation: its prompt, tools, model and mode. Fails
 * when there is no such agent, unless the host may still define it. */
must_use bool session_lead(struct session *s, const struct awl_session_options *options,
			   struct err *err);
/* The same when a conversation is resumed: the agent that led it leads it again, unless the options name another one. */
must_use bool session_lead_again(struct session *s, const struct awl_session_options *options,
				 struct err *err);
/* Records who leads, if the transcript does not say so yet. */
void session_record_lead(struct session *s);
/* The same for an agent that the host defines, once it has. Fails when it did not. */
must_use bool session_lead_awaited(struct session *s, struct err *err);
/* Offers the tools for teams, if the environment asks for them (team.h). */
void session_teams_open(struct session *s, const struct awl_session_options *o);
/* The agent that leads the session rests. */
void session_teams_rest(struct session *s);
/* Coordinator mode, if the environment asks for it. */
void session_coordinate(struct session *s);
/* Whether the definition lets its agent have this tool. */
bool agent_file_keeps(const struct agent_file *file, const struct tool *tool);
/* Whether it says that its agent does not have this tool. */
bool agent_file_refuses(const struct agent_file *file, const struct tool *tool);
/* Adds the hooks of a definition, for the agent with this id; empty: for the session. */
must_use bool agent_file_add_hooks(struct session *s, const struct agent_file *file,
				   struct sv owner, struct err *err);
/* Whether what the files of the project say about permissions and hooks may count. */
bool session_trusts_agent(struct session *s, const struct agent_file *file);

#endif
