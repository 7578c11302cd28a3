/* agent.h - one model loop with its tools: a history, a tool set, permissions, limits. The session
 * has one; a sub-agent is another, made for one call of its parent. An agent runs one turn at a
 * time (turn.h) and reports to its listener, never to a front end. */
#ifndef AWL_CORE_AGENT_AGENT_H
#define AWL_CORE_AGENT_AGENT_H

#include "context/window.h"
#include "core/agent/costs.h"
#include "core/agent/history.h"
#include "core/agent/hook_points.h"
#include "core/control/host_request.h"
#include "core/session/budget.h"
#include "core/toolset/toolset.h"
#include "model/catalogue/choice.h"
#include "proto/event.h"
#include "store/transcript/transcript.h"

struct agent;

/* Who follows what an agent does. Each function but `event` may be NULL. */
struct agent_listener {
	void *arg;
	/* `uuid` names what is both emitted and recorded; empty: a new one. */
	void (*event)(void *arg, const struct event *event, struct sv uuid);
	/* Returns false when the record could not be written; the listener has reported it. */
	bool (*record)(void *arg, const struct transcript_record *record);
	/* The records after this one are void. */
	void (*rewind)(void *arg, struct sv uuid);
	void (*used)(void *arg, struct sv model, const struct usage *usage, struct api_time time);
	/* A tool has run for so long; `data` is what it has reported for programs. */
	void (*called)(void *arg, int64_t tool_ms, struct sv data);
	/* A model has decided about a call in mode auto, for so long. */
	void (*judged)(void *arg, int64_t ms);
	/* Starts to make everything that was recorded durable: before a request, and at the end of a
	 * turn (`is_last`), with what is kept of the turn. NULL: there is nothing to do. */
	struct op *(*save)(void *arg, bool is_last, struct then then);
	/* It is over; `why` it failed, or NULL. */
	void (*saved)(void *arg, const struct err *why);
	/* Appends what has arrived meanwhile, prompts of the user among it; how many prompts. */
	size_t (*append_pending)(void *arg);
	/* A call has read or written this file. */
	void (*touched)(void *arg, struct sv path);
};

struct agent_limits {
	int max_turns;         /* requests of a turn; 0: no limit */
	double max_budget_usd; /* of `spent_usd` and all that `costs` counts; 0: no limit */
	double spent_usd;      /* in conversations that were cleared */
	int64_t max_ms;        /* of a turn; 0: no limit */
	int64_t max_tokens;    /* of a turn, read and written; 0: no limit */
	int64_t token_budget;  /* the model is told to use that many in a turn; 0: none */
};

/* Which model answers, and how. */
struct agent_model_spec {
	struct sv id;
	struct sv fallbacks;      /* ids, a line each, in the order they are tried */
	enum model_effort effort; /* what the user wants; rules may lower it */
	bool fast;                /* if the model can */
	enum model_thinking thinking;
	int64_t thinking_budget;
	enum model_display display;
	int64_t task_budget; /* tokens; 0: none. A child has its own, or none */
	enum model_cache cache;
	int64_t max_context; /* tokens; 0: the model's window */
};

/* Which tools the model may call. */
struct agent_tools {
	const char *list;              /* built-in ones, as --tools has it; NULL: the default */
	const struct tool *const *own; /* others, unless a rule or a built-in one hides them */
	size_t nown;
	const char *schema; /* of the answer (structured.h); NULL: free text */
	bool no_tasks;      /* omit the tools that keep a task list */
	bool no_skills;     /* omit the tool that loads skills */
};

/* A child takes over from its parent whatever its spec leaves NULL or empty, except `hooks`, which
 * always are the parent's, and `listener`: without one, the child's events and usage go to the
 * parent's listener and its messages are not recorded. */
struct agent_spec {
	struct event_agent identity;  /* of a child; all empty: it has none */
	struct agent *parent;         /* NULL: the agent of the session; outlives the child */
	struct sv parent_tool_use_id; /* the call of the parent that this agent works for */
	struct loop *loop;
	struct agent_listener listener;
	const struct hook_points *hooks;   /* borrowed; NULL: none */
	const struct tool_session *shared; /* borrowed, like all pointers below */
	const struct model_table *table;
	const struct model_rules *rules; /* consulted again before every request */
	struct perm_policy *policy;
	struct host_queue *host;     /* NULL: nobody can be asked */
	const struct costs *costs;   /* what counts against the budget */
	const struct budget *budget; /* of the day and the project; NULL: none */
	struct agent_limits limits;
	struct agent_model_spec model;
	struct agent_tools tools;
	struct sv system;           /* the system prompt */
	struct sv cwd;              /* absolute */
	bool wants_stream;          /* emits EVENT_STREAM and EVENT_TOOL_OUTPUT, too */
	const enum perm_mode *mode; /* of this agent alone; NULL: the policy's */
	bool is_for_hook;           /* it judges something for a hook of type agent */
	bool is_fork; /* offers exactly the tools that its parent does, in the same bytes */
};

/* Copies the spec. Fails on an unknown tool and on an invalid schema of the answer. */
struct agent *agent_new(const struct agent_spec *given, struct err *err);
/* Begins with the conversation of its parent as the last request had it, byte for byte, so that the
 * provider's cache serves both, and records it: the parent's conversation goes on or is made shorter, so the agent can be
 * continued only from its own file. Only for an agent that has said nothing. */
void agent_fork_history(struct agent *agent);
/* Offers only the tools that its own conversation loads, before that is restored. */
void agent_unload_tools(struct agent *agent);
/* Not during a turn. NULL is fine. */
void agent_free(struct agent *agent);

/* --- what it reports --- */

/* Every event of an agent goes through here and gets the agent's parent_tool_use_id. */
void agent_emit(struct agent *agent, const struct event *event);
void agent_emit_as(struct agent *agent, const struct event *event, struct sv uuid);
/* Emits a text for the user. */
void agent_inform(struct agent *agent, enum notice_level level, const char *fmt, ...)
	printf_like(3, 4);
/* A request to `model` is over. */
void agent_count_usage(struct agent *agent, struct sv model, const struct usage *usage,
		       struct api_time time);

/* --- its history --- */

/* When the conversation is made shorter by itself (compaction.h). */
struct agent_compacting {
	int64_t limit; /* tokens that count as the whole window; 0: the model's own */
	int percent;   /* of the effective window at which it happens; 0: the default */
	bool is_off;
};
void agent_set_compacting(struct agent *agent, const struct agent_compacting *compacting);
const struct agent_compacting *agent_compacting(const struct agent *agent);
/* How full the window of the model may get. All zero: nobody knows its size. */
struct window agent_window(const struct agent *agent);
/* Tokens that the next request will have: counted by the service as far as it has seen them, the
 * rest estimated. */
int64_t agent_estimate(const struct agent *agent);
/* Begins the conversation anew, with nothing in it; what was read and what is to do stays known. */
void agent_forget_messages(struct agent *agent);
/* Continues from an earlier record of the same transcript: `loaded` is the conversation up to
 * `last`, or empty if that is. Takes its messages. */
void agent_go_back(struct agent *agent, struct transcript_loaded *loaded, const struct uuid *last);

/* A message of the user's side: appended to the history, recorded and, unless `quiet`, emitted. */
struct agent_message {
	struct sv content;         /* content blocks, joined by commas */
	struct sv uuid;            /* empty: a new one */
	struct sv tool_use_result; /* JSON; empty: none */
	struct sv plan;            /* that it wants carried out; usually empty */
	struct sv origin;          /* JSON: who says it; may be empty */
	struct sv source;    /* uuid of the record with the call whose result it is; may be empty */
	struct sv paste_ids; /* JSON: the numbers of the images in a typed prompt; usually empty */
	bool is_prompt;      /* the user typed it: this is what the user wants now */
	bool is_meta;        /* the harness wrote it */
	bool is_synthetic;   /* ... and front ends show it */
	bool is_summary;     /* it replaces what was said before */
	bool quiet;
	bool durable; /* on disk before the next request is sent */
};
/* False when it could not be recorded. */
bool agent_append(struct agent *agent, const struct agent_message *message);
/* Records what belongs to the conversation and is not a message: a JSON object with a "type". */
void agent_attach(struct agent *agent, struct sv json);
const struct history *agent_history(const struct agent *agent);
/* Continues a conversation that was saved; takes its messages. */
void agent_restore(struct agent *agent, struct transcript_loaded *loaded);
/* Starts another conversation: forgets everything but the budget that is spent. */
void agent_reset(struct agent *agent);
/* The user has allowed a call that an earlier process asked about, perhaps with another input: the next
 * turn begins with it, if the history ends with it (deferred.h). */
void agent_allow_lost(struct agent *agent, struct sv id, struct sv input);
/* The uuid of the last record; empty: none yet. */
struct sv agent_last_record(const struct agent *agent);
/* Tokens of the last request and its response; 0: unknown. */
int64_t agent_context_tokens(const struct agent *agent);
/* The same in detail; only while agent_context_tokens() is known. */
const struct usage *agent_context_usage(const struct agent *agent);

/* --- its means --- */

/* The model that answers now, and the one of the next request. */
struct sv agent_model(const struct agent *agent);
struct sv agent_next_model(const struct agent *agent);
/* Another model for the next request; one in flight is not touched. */
void agent_set_model(struct agent *agent, struct sv id);
void agent_set_thinking(struct agent *agent, enum model_thinking thinking, int64_t budget);
bool agent_is_thinking(const struct agent *agent); /* whether it thinks in the next turn */
/* As the agent was made. */
void agent_reset_thinking(struct agent *agent);
void agent_set_display(struct agent *agent, enum model_display display);
/* The effort that the user wants; the rules of the model may lower it. */
enum model_effort agent_wanted_effort(const struct agent *agent);
void agent_set_effort(struct agent *agent, enum model_effort effort);
/* Fast mode, while the model has one. */
void agent_set_fast(struct agent *agent, bool fast);
void agent_set_system(struct agent *agent, struct sv system);
struct sv agent_system(const struct agent *agent);
void agent_set_cache(struct agent *agent, enum model_cache cache);
/* The client for requests from now on; borrowed. */
void agent_connect(struct agent *agent, struct model_client *client);
/* The user's own rules for mode auto; borrowed. */
void agent_set_auto_rules(struct agent *agent, struct json rules);
/* Changes the tools on offer, at any time: calls that are under way end as they would have, the
 * next request has the new set. The tool is borrowed until its last call is over. */
void agent_add_tool(struct agent *agent, const struct tool *tool);
/* ToolSearch names the deferred tools that were added, from the next request on. */
void agent_name_deferred(struct agent *agent);
bool agent_remove_tool(struct agent *agent, struct sv name); /* false: there is none */
/* Withdraws all tools that `keep` does not want; before the first request. */
void agent_keep_tools(struct agent *agent, bool (*keep)(void *arg, const struct tool *tool),
		      void *arg);
/* Withdraws them likewise, but the agents that it starts still get every tool that it had, and those that are
 * added later. It offers at once what was deferred. */
void agent_delegate_tools(struct agent *agent, bool (*keep)(void *arg, const struct tool *tool),
			  void *arg);
/* Offers a tool that is deferred, before the first request. */
void agent_offer_deferred(struct agent *agent, struct sv name);
/* It has no mode of its own any longer: that of the policy applies. */
void agent_follow_mode(struct agent *agent);
/* From now on the answer is data that fits this JSON schema; nothing if it has to fit one already. */
must_use bool agent_set_schema(struct agent *agent, struct sv schema, struct err *err);
/* Calls of the name that is a key run the tool that is its value: a JSON object of texts. */
void agent_set_aliases(struct agent *agent, struct json aliases);
const struct toolset *agent_toolset(const struct agent *agent);
struct tool_context *agent_tool_context(struct agent *agent);
struct sv agent_cwd(const struct agent *agent);
/* Who it is, if it is a sub-agent; borrowed. */
struct event_agent agent_identity(const struct agent *agent);
bool agent_is_child(const struct agent *agent);
bool agent_is_for_hook(const struct agent *agent);
/* The rules that decide about its calls, with its own mode. Borrows from the policy until that changes. */
struct perm_policy agent_policy(const struct agent *agent);
const struct agent_limits *agent_limits(const struct agent *agent);
/* Whether the money that may be spent is used up: max_budget_usd, or that of the day or the project. */
bool agent_has_spent_budget(const struct agent *agent);
/* Whether it is max_budget_usd. And raising that, for the agent and those it works for. */
bool agent_has_spent_own_budget(const struct agent *agent);
void agent_raise_budget(struct agent *agent, double usd);
/* The model works until it has used this many tokens in the turn that begins; 0: as `limits` say. */
void agent_set_token_target(struct agent *agent, int64_t tokens);
/* The answer as JSON; empty: free text, or none yet. */
struct sv agent_structured_output(const struct agent *agent);

#endif
