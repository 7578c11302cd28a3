/* subagent.h - one sub-agent from inside: for the files of this folder.
 *
 * A machine: WAITING for a place, PREPARING its worktree if it wants one, STARTING (SubagentStart hooks look at it),
 * RUNNING a turn, REVIEWING what it has done in mode auto, CLEANING the worktree up, ENDED.
 * subagent_enter() is the only place where the state changes. */
#ifndef AWL_CORE_SUBAGENTS_SUBAGENT_H
#define AWL_CORE_SUBAGENTS_SUBAGENT_H

#include "base/str_list.h"
#include "core/agent/agent_internal.h"
#include "core/agent/turn.h"
#include "core/subagents/subagents.h"
#include "store/git/git_worktree.h"
#include "sys/wait_list.h"

enum subagent_state {
	SUBAGENT_ENDED, /* or not begun */
	SUBAGENT_WAITING,
	SUBAGENT_PREPARING,
	SUBAGENT_CONNECTING, /* to the MCP servers of its definition */
	SUBAGENT_STARTING,
	SUBAGENT_RUNNING,
	SUBAGENT_REVIEWING,
	SUBAGENT_CLEANING,
};

enum { SUBAGENT_MAX_DEPTH = 16 };
enum { SUBAGENT_ID = 18 }; /* "a", 16 hexadecimal digits, NUL */

/* One line about what an agent does that works for long (subagent_summary.c). */
struct subagent_summary {
	struct op *wait;     /* until the model is asked; NULL: nothing new has happened */
	struct op *question; /* to the model; NULL: none */
	struct str steps;    /* what the agent has done since the last line */
	struct str answer;
	struct str line; /* the last one; empty: none yet */
};

/* What mode auto looks at when it hands back its result (subagent_review.c). */
struct subagent_review {
	struct str calls; /* a line each */
	size_t omitted;   /* calls for which there was no room */
	struct str answer;
};

enum subagent_work { WORK_READ, WORK_SEARCH, WORK_BASH, WORK_EDIT, WORK_OTHER, WORK_KINDS };

/* What its calls did, for the result. */
struct subagent_stats {
	int64_t calls[WORK_KINDS];
	int64_t lines_added, lines_removed;
};

struct subagent {
	struct subagents *all;
	char id[SUBAGENT_ID];
	struct str name;  /* chosen by the caller; may be empty */
	struct str label; /* what others call it: the name, or type and id */
	struct str type, description, prompt, call;
	struct str path;         /* of its transcript; empty: it is not saved */
	struct str model;        /* that it began with */
	struct str mode, effort; /* as the call had them; may be empty */
	enum subagent_state state;
	struct subagent *parent; /* NULL: the session's own agent started it */
	struct agent *agent;     /* while it runs, and as long as it has children */
	size_t nchildren;        /* that have an agent */
	size_t depth;            /* 1: started by the session's own agent */
	bool is_background, is_fork, is_stopped;
	bool is_teammate;              /* it stays when its turn ends (team.h) */
	bool awaits_approval;          /* it may only plan until its leader agrees */
	bool is_asked_to_leave;        /* by its leader */
	bool is_leaving;               /* it has agreed */
	bool wants_task;               /* it was woken to take a task, not for a message */
	bool is_reported;              /* somebody has read its result already */
	struct op *step;               /* hooks, or the turn */
	struct str context;            /* what a SubagentStart hook adds for the model */
	struct transcript *transcript; /* while it runs; NULL: it is not saved */
	struct agent_names types;      /* of agents that it may start; not given: all */
	VEC(struct sv)
	servers;            /* MCP servers of its definition, by name, while it works; in `arena` */
	struct arena arena; /* of `types` */
	str_list inbox;     /* messages that it has not read */
	struct tool_call claim;          /* of a task, while it takes one */
	struct str more_to_do;           /* what TeammateIdle hooks say */
	int idle_refusals;               /* times in a row that they have said something */
	struct waiter *waiters;          /* for its end */
	enum command_status status;      /* once it has ended */
	struct str result;               /* its last answer, or what went wrong */
	struct usage usage;              /* of all its requests */
	struct str last_tool, last_step; /* what it does now */
	struct subagent_summary summary;
	struct subagent_review review;
	bool is_isolated;              /* works in a worktree of its own */
	struct git_worktree tree;      /* without a path: it has none, or none any more */
	struct git_worktree_loss loss; /* what keeps it from being removed */
	struct subagent_stats stats;
	int64_t tool_uses, total_tokens, started_ms, duration_ms;
};

struct team {
	struct str name;  /* empty: there is none */
	bool is_planning; /* its leader is changing the tasks: wait until the turn is over */
};

struct subagents {
	struct session *s;
	struct team team;
	bool has_recalled;                      /* agents of earlier runs are in the list */
	VEC(struct subagent *) list;            /* in the order in which they were started */
	size_t live;                            /* agents that have not ended */
	size_t asides;                          /* summaries in flight */
	size_t waiting;                         /* of them: for a place */
	size_t running[SUBAGENT_MAX_DEPTH + 1]; /* of them: at each depth */
};

/* What is to be started. Borrowed. */
struct subagent_spec {
	struct agent *parent;
	const struct agent_file *file;
	struct sv call, description, prompt, name;
	struct sv team;                /* of a teammate; else empty */
	struct sv model, effort, mode; /* as the call has it; empty: as the definition has it */
	bool is_background, is_isolated;
	const struct command_file *skill; /* that it runs; NULL: none */
};

/* --- subagent.c --- */

/* Starts one, at once or when there is a place. Fails when it cannot be made. */
struct subagent *subagent_new(struct subagents *all, const struct subagent_spec *spec,
			      struct err *err);
/* Continues one that has ended, in the background. */
must_use bool subagent_resume(struct subagent *a, struct sv message, struct err *err);
/* The sub-agent that this agent is; NULL: it is the session's own. */
struct subagent *subagent_of(const struct subagents *all, const struct agent *agent);
/* Another turn, with the messages that wait for it. */
void subagent_continue(struct subagent *a);
/* It has nothing more to do. The session may be gone afterwards. */
void subagent_finish(struct subagent *a);
/* Continues a teammate that is idle. */
void subagent_wake(struct subagent *a);
/* Frees what an agent that has ended no longer needs. */
void subagent_release(struct subagent *a);
void subagent_free(struct subagent *a);

/* What others call it. */
void subagent_write_label(struct subagent *a);

/* --- subagent_file.c --- */

/* Chooses its file: <session>/subagents/agent-<id>.jsonl, beside the session's own. */
void subagent_place(struct subagent *a);
void subagent_open_transcript(struct subagent *a);
/* Writes agent-<id>.meta.json beside it: what it takes to continue the agent when the session is resumed. */
void subagent_save(const struct subagent *a);
/* Puts the agents of earlier runs of this session before those of this one, if that has not happened. */
void subagents_recall(struct subagents *all);

/* --- subagent_worktree.c --- */

/* Begins to make the worktree. NULL, with `err`, if that cannot be begun. */
struct op *subagent_worktree_start(struct subagent *a, struct then then, struct err *err);
/* The worktree is there: makes it the agent's directory, and says so in `context`. */
must_use bool subagent_worktree_take(struct subagent *a, struct err *err);
/* Whether it is to be removed if nothing would be lost; and doing that. */
bool subagent_worktree_owes(const struct subagent *a);
struct op *subagent_worktree_clean(struct subagent *a, struct then then);
/* The worktree was removed or, if `why` exists, was not. */
void subagent_worktree_end(struct subagent *a, const struct err *why);

/* --- subagent_summary.c --- */

/* The agent has made a call, or said something: `last_step`. */
void subagent_summary_note(struct subagent *a);
/* It has ended. */
void subagent_summary_stop(struct subagent *a);
void subagent_summary_clear(struct subagent_summary *summary);

/* --- subagent_review.c --- */

/* The agent makes this call. */
void subagent_review_note(struct subagent *a, struct sv tool, struct json input);
/* Whether its work is to be reviewed; and doing that. */
bool subagent_review_owes(const struct subagent *a);
struct op *subagent_review_start(struct subagent *a, struct then then);
/* There is an answer or, if `why` exists, none: puts a warning before the result if there is reason to. */
void subagent_review_end(struct subagent *a, const struct err *why);
void subagent_review_clear(struct subagent_review *review);

/* --- subagent_make.c --- */

/* Makes the agent: model, tools, permissions, system prompt. NULL on failure. */
struct agent *subagent_make(struct subagent *a, const struct subagent_spec *spec,
			    struct agent_listener listener, struct err *err);
/* The model by its name in the call, the environment or the definition. Empty: that of the parent. */
struct sv subagent_choose_model(struct session *s, const struct subagent_spec *spec);
/* Appends what it has to know, and then the prompt. */
void subagent_brief(struct subagent *a, const struct agent_file *file);
/* How deep agents may start others, and how many of a depth work at a time. */
size_t subagents_max_depth(const struct session *s);
size_t subagents_max_running(const struct session *s);

/* --- subagent_report.c --- */

struct event_task subagent_describe(const struct subagent *a);
void subagent_emit_started(const struct subagent *a);
/* `summary`: a new line about what it does; else empty. */
void subagent_emit_progress(const struct subagent *a, struct sv summary);
void subagent_emit_ended(const struct subagent *a);
/* Tells the model of the end of one in the background, in a turn of its own. */
void subagent_notify(struct subagent *a);
/* The result of the call that started it. */
void subagent_write_result(const struct subagent *a, struct tool_result *out);
/* Counts a call that it makes, from the message that has it. */
void subagent_note_call(struct subagent *a, struct sv message);

/* --- agent_tools.c --- */

/* A copy of the agent that starts it has no definition. */
extern const struct agent_file subagent_fork_file;

/* About the agent that this call of the tool Agent starts: whether it begins as a copy of its parent, and the id of
 * the model that it would use. */
bool agent_tools_forks(const struct tool_call *call);
struct sv agent_tools_model(struct session *s, const struct tool_call *call);

#endif
