/* agent_internal.h - the agent from inside: for agent.c, turn*.c, call.c, executor.c and
 * side_question.c, which together are the agent. */
#ifndef AWL_CORE_AGENT_AGENT_INTERNAL_H
#define AWL_CORE_AGENT_AGENT_INTERNAL_H

#include "core/agent/agent.h"
#include "core/agent/auto_mode.h"
#include "core/agent/repeats.h"
#include "core/agent/structured.h"

/* Which model answers: as chosen, as it will be for the next request, and as it comes out under
 * the rules. */
struct agent_choice {
	struct str id;
	struct str wire;      /* the provider's own name; empty: the id */
	struct str next;      /* id from the next request on; empty: no change */
	struct str fallbacks; /* ids, a line each */
	size_t fallback_at;   /* where those begin that have not been tried */
	enum model_effort wanted_effort, effort;
	bool wants_fast, is_fast;
	enum model_thinking thinking;
	int64_t thinking_budget;
	enum model_display display;
	int64_t task_budget, task_used; /* `task_used`: in messages that a summary has replaced */
	enum model_thinking first_thinking; /* as the agent was made */
	int64_t first_budget;
	enum model_cache cache;
	int64_t max_context; /* tokens; 0: the model's window */
};

/* The user's yes to a call that an earlier process asked about. */
struct agent_answer {
	struct str id;    /* of the call; empty: there is none */
	struct str input; /* JSON; empty: as it was asked about */
};

struct agent {
	struct agent_answer answer;
	struct loop *loop;
	struct agent *parent;          /* NULL: the session's own agent */
	struct str parent_tool_use_id; /* empty likewise */
	struct {
		struct str id, type, description;
	} identity;          /* of a sub-agent; else empty */
	bool is_for_hook;    /* it judges something for a hook */
	bool has_mode;       /* of its own */
	enum perm_mode mode; /* if it has one */
	struct agent_listener listener;
	const struct hook_points *hooks; /* never NULL */

	struct model_client *client;
	const struct model_table *table;
	const struct model_rules *rules;
	struct agent_choice choice;
	struct str system;
	bool wants_stream;
	bool is_requesting; /* a request borrows the strings above, the tools and the history */

	struct history history;
	struct uuid last_record; /* the end of the chain; may be empty */
	struct str last_reply;   /* id of the last one */
	struct str
		cache_drop; /* why the provider last had to read again what it had; may be empty */
	struct str prompt;  /* the latest of the user: content blocks; may be empty */
	struct {
		int64_t tokens; /* of the last request and its response; 0: unknown */
		size_t bytes;   /* of the history then */
		struct usage usage;
	} measured;

	size_t restored; /* messages at the beginning of the history that an earlier process had */

	struct agent_compacting compacting;

	struct toolset tools;
	struct toolset lent; /* for agents that it starts, if it `delegates` */
	bool delegates;      /* it lends more tools than it has */
	struct tool_context ctx;
	struct perm_policy *policy;
	struct host_queue *host; /* NULL: nobody can be asked */
	struct auto_mode auto_mode;
	struct json auto_rules; /* of the session's own agent: the user's rules for mode auto */
	const struct costs *costs;
	const struct budget *budget; /* may be NULL */
	int64_t token_target;        /* of this turn; 0: as the limits say */
	struct agent_limits limits;
	struct repeats repeats;        /* of this turn */
	struct structured *structured; /* NULL: free text */
};

/* Records one message of the chain; fills in what every record has. False: not written. */
bool agent_record(struct agent *agent, const struct transcript_record *record);
/* The records after `last` are void: the chain continues from there. */
void agent_rewind(struct agent *agent, const struct uuid *last);
/* Before a request: switches to the next model and applies the rules to it. */
void agent_settle_model(struct agent *agent);
/* The history is about to be changed on purpose: the next request will not find it in the cache. */
void agent_expect_cache_miss(struct agent *agent);
/* The user's rules for mode auto; they may change during a turn. */
struct json agent_auto_rules(const struct agent *agent);
/* As in agent_listener. */
struct op *agent_save(struct agent *agent, bool is_last, struct then then);
void agent_saved(struct agent *agent, const struct err *why);
size_t agent_append_pending(struct agent *agent);
void agent_touch(struct agent *agent, struct sv path);

#endif
