/* agent.h - one conversation with a model and its means: history, tools, limits.
 * The session's own agent is one; a sub-agent will be another. An agent runs one
 * turn at a time (turn.h) and says what happens to its listener. */
#ifndef AWL_CORE_AGENT_H
#define AWL_CORE_AGENT_H

#include "core/costs.h"
#include "core/history.h"
#include "core/host_request.h"
#include "core/repeats.h"
#include "core/seams.h"
#include "core/structured.h"
#include "core/toolset.h"
#include "model/catalogue/choice.h"
#include "proto/event.h"
#include "store/transcript/transcript.h"

/* Who hears of what an agent does. `uuid` names what is both told and recorded. */
struct agent_listener {
	void *arg;
	void (*event)(void *arg, const struct event *event, struct sv uuid);
	/* False: it could not be kept; the listener has said so. */
	bool (*record)(void *arg, const struct transcript_record *record);
	/* The records after this one are void. */
	void (*rewind)(void *arg, struct sv uuid);
	void (*used)(void *arg, struct sv model, const struct usage *usage, int64_t api_ms);
	/* Puts what the user has said meanwhile into the history; how many messages. */
	size_t (*take_waiting)(void *arg);
	/* Files were touched: what the folder says of them goes into the history. */
	void (*touched)(void *arg, struct sv path);
};

struct agent_limits {
	int max_turns;         /* requests of a turn; 0: no limit */
	double max_budget_usd; /* of all; 0: no limit */
	int64_t max_ms;        /* of a turn; 0: no limit */
	int64_t max_tokens;    /* of a turn, read and written; 0: no limit */
	int64_t token_budget;  /* 0: none */
};

struct agent {
	struct loop *loop;
	struct model_client *client;
	const struct model_table *table;
	enum model_source source;

	const struct model_rules
		*rules;        /* borrowed; what is chosen is looked at again at each request */
	struct str model;      /* its id */
	struct str wire;       /* the provider's own; empty: the same */
	struct str next_model; /* empty: the same */
	struct str fallbacks;  /* ids, a line each, in the order they are tried */
	size_t fallback_at;    /* where those begin that are left */
	bool is_asking;        /* a request borrows all of this */
	enum model_effort asked_effort; /* by the user */
	enum model_effort effort;       /* what that comes to */
	enum model_thinking thinking;
	int64_t thinking_budget;
	struct str system;
	struct str user_id;
	enum model_cache cache;
	int64_t max_context; /* tokens; 0: the model's window */
	bool wants_stream;   /* EVENT_STREAM too */
	bool is_superseded;  /* its turn is ended for another prompt: no mark of that */

	struct history history;
	struct toolset tools;
	struct tool_context ctx;
	struct perm_policy *policy; /* borrowed */
	struct host_queue *host;    /* NULL: nobody can be asked */
	struct str asked;           /* what the user wants: the last prompt, cut */
	struct {
		int in_a_row, in_all;
	} blocks;                  /* by mode auto (auto_mode.h) */
	struct json auto_rules;    /* what the user says of that mode; may be missing */
	const struct costs *costs; /* what counts against the budget; borrowed */
	struct agent_limits limits;
	struct seams seams;
	struct agent_listener listener;
	struct repeats repeats;        /* of this turn */
	struct structured *structured; /* NULL: free text */
	struct str last_answer;        /* id of the last one */
	struct uuid last_record;       /* the end of the chain; may be empty */
	int64_t context_tokens;        /* of the last request and its answer; 0: not known */
	size_t context_bytes;          /* of the history then */
};

void agent_init(struct agent *agent, struct loop *loop);
void agent_clear(struct agent *agent);

void agent_tell(struct agent *agent, const struct event *event);
/* ... under the name that its record has. */
void agent_tell_as(struct agent *agent, const struct event *event, struct sv uuid);
/* One record of the chain; fills in what every record has. False: not kept. */
bool agent_record(struct agent *agent, const struct transcript_record *record);
/* The records after `last` are void: the chain goes on from there. */
void agent_rewind(struct agent *agent, const struct uuid *last);
/* "notice", "warning" or "info". */
void agent_inform(struct agent *agent, const char *level, const char *fmt, ...) printf_like(3, 4);

/* A message of the user's side: into the history, the transcript and, unless
 * `quiet`, the events. `block` is one content block, or several joined by commas. */
struct said {
	struct sv block;
	struct sv uuid;            /* empty: a new one */
	struct sv tool_use_result; /* JSON; empty: none */
	struct sv decision, reason;
	bool is_meta;      /* the harness said it */
	bool is_synthetic; /* ... and shows it */
	bool quiet;
	bool durable;
};
/* False when it had to be durable and is not. */
bool agent_hear(struct agent *agent, const struct said *said);
/* Another model for the next request; one that is under way is not touched. */
void agent_set_model(struct agent *agent, struct sv id);
/* Makes it so: before a request, with what its rules and its tools say or should know of it. */
void agent_settle_model(struct agent *agent);

#endif
