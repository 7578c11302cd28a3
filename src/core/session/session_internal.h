/* session_internal.h - a session from inside: what its parts share, and its machine (session.c).
 *
 * Each part has a header of its own, with its struct and its functions, beside its source. Only the
 * folders of core that work on a session include this one. */
#ifndef AWL_CORE_SESSION_SESSION_INTERNAL_H
#define AWL_CORE_SESSION_SESSION_INTERNAL_H

#include "context/instructions.h"
#include "core/commands/session_commands.h"
#include "core/compaction/context_edit.h"
#include "core/control/control_initialize.h"
#include "core/extend/session_plugins.h"
#include "core/extend/session_skills.h"
#include "core/extend/session_styles.h"
#include "core/schedule/schedule.h"
#include "core/session/session.h"
#include "core/session/session_append.h"
#include "core/session/session_open.h"
#include "core/session/session_plan.h"
#include "core/session/session_prompts.h"
#include "core/session/session_records.h"
#include "core/session/session_settings.h"
#include "core/session/session_transcript.h"
#include "core/side/session_goal.h"
#include "core/side/session_notes.h"
#include "core/side/session_tool_summary.h"
#include "core/subagents/agent_defs.h"
#include "core/toolset/user_tool.h"
#include "proto/input.h"
#include "tool/shell/background.h"

enum session_state {
	SESSION_IDLE,
	SESSION_EXPANDING, /* a slash command becomes a prompt */
	SESSION_OPENING, /* finding the model, looking up the environment; before the first turn */
	SESSION_PROMPTING, /* hooks look at the prompt */
	SESSION_TURN,
	SESSION_CLOSING, /* waiting for what is in flight; no event is emitted any more */
	SESSION_GONE
};

/* What is settled when it opens. */
struct session_kind {
	int64_t opened_ms;
	bool has_user;       /* somebody answers questions */
	bool is_bare;        /* opens no connection ahead of a request */
	bool is_resumed;     /* it continues an older conversation */
	bool may_bypass;     /* the mode bypassPermissions may be chosen */
	bool is_coordinator; /* its own agent only directs others */
	bool is_led;         /* by an agent with a prompt of its own (--agent) */
	bool suggests;       /* what the user may want to say next, whatever the host wishes */
};

struct session {
	struct engine *engine;
	struct session *next;
	struct control_wait *control_waits; /* control requests whose reply takes time */
	enum session_state state;
	struct op *step; /* what the state waits for: environment, hook, turn */
	bool is_interrupted; /* in EXPANDING, OPENING or PROMPTING: the turn ends as soon as it begins */
	struct agent *agent;
	struct conversation conversation;
	struct session_sent sent;
	struct session_pending pending;
	struct session_plan plan;
	struct session_commands commands;
	struct session_agents agents;
	struct session_plugins plugins;
	struct session_styles styles;
	struct session_goal goal;
	struct session_schedule schedule; /* prompts for later */
	struct subagents *subagents;      /* agents that work for it */
	struct session_preferences preferences;
	struct {
		int64_t window;        /* of --autocompact, in tokens; 0: as the settings say */
		int failures;          /* in a row */
		bool has_warned;       /* that the window is nearly full */
		session_skills skills; /* the newest last */
	} compaction;
	struct {
		struct op *op; /* the question to the model; NULL: none */
		struct str text;
	} suggestion;
	struct session_tool_summary tool_summary;
	struct {
		struct op *op; /* the question to the model; NULL: none */
		struct str about, answer;
		bool is_settled; /* the conversation has one, or was asked for one */
	} title;
	struct session_prompts prompts;
	struct session_mirror mirror;
	struct op *sync; /* of the transcript, beside OPENING */

	struct settings *settings; /* that apply in its directory */
	struct model_rules rules;  /* which models they allow */
	struct session_sources sources;
	struct perm_policy policy;
	struct session_sandbox *sandbox; /* NULL: none */
	struct {
		bool is_wanted; /* now */
		bool is_set;    /* as the settings last said */
	} fast;                 /* fast mode */
	struct host_queue host;
	struct session_kind kind;
	bool is_initialized; /* by a host */
	bool is_ending;      /* the host wants no more of it */
	bool owes_idle;      /* front ends are told that it rests once hooks are over */
	struct costs costs;
	struct budget budget;
	int64_t answered_ms;            /* when the model last answered; 0: never */
	struct hook_points hooks;       /* who takes part in the work of its agents */
	struct session_hooks *handlers; /* the hooks of the user and of the host */
	struct session_mcp *mcp;        /* its MCP servers */
	struct session_peers *peers;    /* other sessions can reach it; NULL: not yet, or never */
	struct session_undo *undo;      /* what its calls change can be undone (session_undo.h) */
	struct session_lsp *lsp;        /* its language servers */
	struct session_worktree *worktree; /* that it works in (worktree/session_worktree.h) */

	struct tool_session shared; /* with the tools of its agents */
	struct tool_services services;
	env_list child_env;     /* of commands, as the settings have it */
	VEC(env_list) old_envs; /* from before a change; commands that start may still use them */
	struct user_toolset user_tools;
	struct instructions *instructions;
	struct str memory_dir; /* real; empty: the project has no memory */
	struct session_notes notes;
	struct session_records records;
	struct context_drops drops; /* what the user has taken out of the conversation */
	struct session_system system;

	session_event_fn *on_event;
	void *arg;
	void (*on_gone)(void *arg);
};

/* For the agents of the session. */
struct agent_listener session_listener(struct session *s);
/* The only place where the state changes. */
void session_enter(struct session *s, enum session_state next);
/* Begins with the prompt that waits first. */
void session_prompt_next(struct session *s);
/* Drops the prompts of the point, which a hook has refused, and says why. */
void session_refuse_prompts(struct session *s);
/* Turns fast mode on or off as the settings say, if that is new. */
void session_fast_follow(struct session *s);
/* Does what can be done now; `worked`: something has just ended. */
void session_run(struct session *s, bool worked);
/* Starts what waits, when nothing is under way. */
void session_pump(struct session *s);
/* The same after something has ended: front ends are told if the session comes to rest. */
void session_continue(struct session *s);
/* Ends the turn because another prompt replaces it. */
void session_supersede(struct session *s);
/* The model has lost what it was sent besides the conversation; all of it is sent again. */
void session_forget_sent(struct session *s);
/* Starts another conversation: the model knows nothing of the old one. Only when idle. */
void session_reset(struct session *s);
/* The host has ended the session: tells front ends once it is idle. */
void session_announce_end(struct session *s);
/* Frees a closing session once nothing of it is in flight. */
void session_settle(struct session *s);
/* A warning for the user, emitted when somebody listens; and emitting all of them. */
void session_add_notice(struct session *s, struct sv text);
void session_emit_notices(struct session *s);
void session_emit_announcements(struct session *s);

#endif
