/* event.h - what a session emits: every event typed, with its one JSON form, the stream-json
 * messages of the Agent SDK. Events that only awl has are of type "system" with a subtype that
 * begins with "awl_", so that other programs skip them.
 *
 * Everything is borrowed. A member `x` that holds JSON bytes is for the writer; the reader
 * (event_read.h) leaves it empty and sets its companion `x_value`, or `value` for `json`. */
#ifndef AWL_PROTO_EVENT_H
#define AWL_PROTO_EVENT_H

#include "proto/host_request.h"
#include "proto/rate_limit.h"
#include "proto/reason.h"
#include "proto/reply.h"
#include "proto/usage.h"

enum event_kind {
	EVENT_INIT,          /* a turn begins */
	EVENT_ASSISTANT,     /* a finished block of a reply, or a text that replaces one */
	EVENT_USER,          /* a tool result, or a text that the engine wrote for the user */
	EVENT_STREAM,        /* a piece of a reply as it arrives */
	EVENT_RESULT,        /* a turn has ended: the last of its events */
	EVENT_STATUS,        /* requesting, compacting; the permission mode has changed */
	EVENT_STATE,         /* running, requires_action, idle */
	EVENT_RETRY,         /* a wait before the next attempt */
	EVENT_STALL,         /* a stream is silent */
	EVENT_DISCARD,       /* messages that no longer count */
	EVENT_DENIED,        /* a call was denied without a question */
	EVENT_FALLBACK,      /* another model takes over */
	EVENT_REFUSED,       /* the model refuses to answer, which ends the turn */
	EVENT_INFORMATIONAL, /* something the user should know */
	EVENT_TRANSITION,    /* the turn continues, and why */
	EVENT_TOOL_PROGRESS, /* a call is still running */
	EVENT_TOOL_OUTPUT,   /* what it has written */
	EVENT_PROMPT,        /* what became of a prompt that the host named */
	EVENT_PROGRESS,      /* a control request that takes time has begun, or waits */
	EVENT_MIRROR,        /* lines that were written to the transcript */
	EVENT_TASKS,         /* all commands that run in the background now */
	EVENT_TASK_STARTED,  /* one more */
	EVENT_TASK_PROGRESS, /* what an agent does now */
	EVENT_TASK_UPDATED,  /* one has ended */
	EVENT_TASK_ENDED,    /* ... and what there is to know of it */
	EVENT_COMPACTED,     /* a summary has replaced the conversation so far */
	EVENT_RESET,         /* another conversation begins */
	EVENT_ENDING,        /* the host has ended the session: nothing more will come */
	EVENT_HOST_REQUEST,  /* a question to the host */
	EVENT_HOST_CANCEL,   /* the question is withdrawn */
	EVENT_REPLY,         /* to a control request */
	EVENT_COMMANDS,      /* other commands can be run now: all of them */
	EVENT_THINKING,      /* about how much the model has thought by now */
	EVENT_SUGGESTION,    /* what the user may want to say next */
	EVENT_PAGE_DONE,     /* the user has finished on a page of an MCP server */
	EVENT_TOOL_SUMMARY,  /* what the last calls have done, in one line */
	EVENT_NOTIFICATION,  /* something for a user who may look elsewhere */
	EVENT_GOAL,          /* the goal of the session is set, was judged, or is removed */
	EVENT_RATE_LIMIT,    /* how much of a subscription is used has changed */
	EVENT_TERMINAL,      /* bytes that a hook wants the user's terminal to get */
	EVENT_HOOK_STARTED,
	EVENT_HOOK_PROGRESS, /* a hook has written something */
	EVENT_HOOK_RESPONSE, /* a hook has ended */
	EVENT_KINDS,
	EVENT_UNKNOWN = EVENT_KINDS, /* read, and of a type or subtype that we do not know */
};

/* How a result is called; every kind but the first is a failure of awl's own limits or of the
 * session, while a failure of the model service is a success with `is_error`. */
enum result_kind {
	RESULT_SUCCESS,
	RESULT_ERROR, /* during execution */
	RESULT_MAX_TURNS,
	RESULT_MAX_BUDGET,
	RESULT_MAX_STRUCTURED_RETRIES,
	RESULT_KINDS,
};

/* How much a text matters to the user. */
enum notice_level { NOTICE_INFO, NOTICE_NOTICE, NOTICE_WARNING, NOTICE_LEVELS };

enum prompt_state {
	PROMPT_QUEUED,
	PROMPT_STARTED,
	PROMPT_COMPLETED,
	PROMPT_CANCELLED,
	PROMPT_STATES
};

enum session_activity { ACTIVITY_RUNNING, ACTIVITY_REQUIRES_ACTION, ACTIVITY_IDLE, ACTIVITIES };

/* An MCP server of the session. */
struct event_mcp_server {
	struct sv name, status, source;
};

struct event_init {
	struct sv cwd, model, permission_mode, api_key_source, version, output_style;
	const struct sv *tools, *dirs;
	const struct reply_command *commands; /* only their names travel */
	const struct sv *agents;              /* their names */
	const struct event_mcp_server *servers;
	const struct reply_plugin *plugins;
	const struct reply_plugin_error *plugin_errors;
	size_t ntools, ndirs, ncommands, nagents, nservers, nplugins, nplugin_errors;
	struct sv betas;  /* that the user wants, separated by commas; may be empty */
	struct sv effort; /* empty: none is sent */
	struct sv memory; /* the directory of the project's memory; empty: none */
	struct fast_mode fast;
};

/* Who decided about a call, for its result. */
struct event_decision {
	struct sv id; /* of the call; empty: nobody decided */
	bool accepted;
	enum verdict_reason why;
	bool is_permanent; /* the user accepted calls like this for the future, too */
	struct sv text;    /* a sentence; may be empty */
};

struct event_message {
	struct sv json; /* the message */
	struct json value;
	struct sv request_id, timestamp;
	struct sv tool_use_result; /* JSON */
	struct json tool_use_result_value;
	struct event_decision decision;
	struct sv error; /* class of an API error */
	int status;      /* HTTP status of one */
	bool is_synthetic, is_replay, is_aborted;
};

struct event_stream {
	struct sv json; /* the provider's event */
	struct json value;
	int64_t ttft_ms; /* on the first event of a reply; else -1 */
};

enum command_status {
	COMMAND_RUNNING,
	COMMAND_COMPLETED,
	COMMAND_FAILED,
	COMMAND_STOPPED,
	COMMAND_STATUSES
};

/* How the `call` of an agent begins that runs a skill which the user has typed, so that no model has called it: one that
 * the user waits for, whose answer follows as that of a command, and one in the background. */
#define EVENT_SKILL_CALL            "skill_"
#define EVENT_BACKGROUND_SKILL_CALL "background_skill_"

struct event_task {
	struct sv id, call; /* call: the tool use that started it; may be empty */
	struct sv type;     /* "local_bash" */
	bool is_awaited;    /* the call waits for it */
	struct sv description;
	enum command_status status;
	int64_t end_ms; /* of the wall clock */
	struct sv output_file, summary;
	/* Of agents. */
	struct sv agent_type; /* empty: it is a command */
	struct sv parent;     /* the agent that started it; empty: the session's own */
	struct sv prompt, last_tool;
	int64_t depth; /* 1: started by the session's own agent */
	int64_t total_tokens, tool_uses, duration_ms;
};

/* The sub-agent that emits an event. */
struct event_agent {
	struct sv id, type, description;
};

struct event_denial {
	struct sv tool, id, input; /* input: JSON */
	struct json input_value;
};

struct event_result {
	enum end_reason reason;
	bool has_reason; /* false: no turn ran */
	bool is_error;
	enum result_kind outcome;
	struct sv text;            /* of RESULT_SUCCESS */
	struct sv error;           /* of every other outcome */
	struct sv startup_failure; /* a word for programs: why there is no session; usually empty */
	int64_t duration_ms, duration_api_ms;
	int64_t ttft_ms; /* -1: nothing arrived */
	int64_t num_turns;
	struct sv stop_reason; /* empty: null */
	int api_error_status;  /* 0: null */
	double cost_usd;
	bool cost_known;
	struct usage_counts usage;        /* of the turn */
	const struct usage_model *models; /* of the session */
	size_t nmodels;
	const struct usage_model *recent_models; /* since the last result */
	size_t nrecent_models;
	struct sv structured_output; /* JSON; empty: none */
	struct json structured_output_value;
	struct sv local_command; /* empty: none */
	struct sv not_saved;     /* why records of the turn were not saved; empty: they were */
	struct sv forked_from;   /* the session that was open elsewhere; empty: none */
	const struct event_denial *denials;
	size_t ndenials;
	struct event_denial deferred; /* a call that a hook wants to be run later; may be empty */
	bool is_notice;               /* the turn began because a command ended in the background */
	struct sv channel;            /* the MCP server whose message began the turn; empty: none */
	int64_t nqueued;              /* prompts that wait */
	int64_t index;                /* results before this one */
	struct fast_mode fast;
};

struct event_hook {
	struct sv id;          /* of this run */
	struct sv name, event; /* "PreToolUse:Bash", "PreToolUse" */
	struct sv status;      /* of EVENT_HOOK_STARTED: what it does, for people; may be empty */
	struct sv out, err;    /* what it has written so far */
	/* Of EVENT_HOOK_RESPONSE. */
	bool has_code;
	int code;          /* with which it exited */
	struct sv outcome; /* success, error, cancelled */
};

struct event_retry {
	int attempt, max;
	int64_t delay_ms;
	int status; /* 0: no response */
	struct sv error, text;
};

struct event {
	enum event_kind kind;
	/* The call whose sub-agent emits this; empty for the session's own agent. */
	struct sv parent_tool_use_id;
	struct event_agent agent; /* all empty likewise */
	/* The prompts that this replies to, of those that a host named, the newest last. */
	const struct sv *prompts;
	size_t nprompts;
	union {
		struct event_init init;
		struct event_message message; /* ASSISTANT, USER */
		struct event_stream stream;
		struct event_result result;
		struct event_retry retry;
		struct event_task task; /* TASK_STARTED, TASK_PROGRESS, TASK_UPDATED, TASK_ENDED */
		struct {
			const struct event_task *at;
			size_t n;
		} tasks;
		struct {
			struct sv path, entries; /* JSON */
			struct json entries_value;
		} mirror;
		struct host_request request;
		struct {
			struct sv status, permission_mode;
			/* When compacting is over: "success" or "failed", and why. */
			struct sv compact_result, compact_error;
			bool is_compacting; /* set by the reader */
		} status;
		struct {
			bool is_manual;        /* the user asked for it */
			int64_t before, after; /* tokens; `after` is an estimate */
			int64_t duration_ms;
		} compacted;
		struct {
			struct sv request_id;
		} cancel;
		struct {
			enum session_activity state;
			bool host_only; /* SDKs act on it and do not pass it on */
		} state;
		struct {
			int64_t silent_ms, limit_ms;
		} stall;
		struct {
			const struct sv *uuids;
			size_t n;
		} discard;
		struct {
			struct sv tool, id, reason_type, reason, message;
			bool nobody_to_ask; /* else it would have been a question */
			struct sv input;    /* JSON; empty: not known */
			struct json input_value;
			const struct sv *rules; /* allow rules that together would have helped */
			size_t nrules;
		} denied;
		struct {
			struct sv from, to, text;
		} fallback;
		struct {
			struct sv model;
			/* Each may be empty. `prompt` is the uuid of what was refused, if somebody
			 * has said it; the service gives the others. */
			struct sv request_id, category, why, prompt;
			struct sv text;
		} refused;
		struct {
			struct sv text;
			enum notice_level level;
			struct sv id;  /* of the call it is about; may be empty */
			struct sv tag; /* of what sort it is; may be empty */
			bool prevents; /* it is the reason why nothing was done */
		} info;
		struct event_hook hook;
		struct {
			const struct reply_command *at;
			size_t n;
		} commands;
		struct {
			int64_t tokens, more; /* in this response; since the last event */
		} thinking;
		struct {
			struct sv text;
		} suggestion;
		struct {
			struct sv server, id; /* of the elicitation */
		} page;
		struct {
			struct sv text;
			const struct sv *ids; /* of the calls */
			size_t nids;
		} tool_summary;
		struct {
			struct sv text;
		} notification;
		struct {
			struct sv condition; /* empty: there is no goal */
			struct sv reason;    /* why it was not met at the last look; may be empty */
			int64_t rounds;      /* how often it was judged */
			int64_t set_at_ms;   /* of the wall clock */
			int64_t tokens_at_start; /* written by models of the session before */
		} goal;
		struct rate_limit rate_limit;
		struct {
			struct sv sequence;
		} terminal;
		struct {
			enum go_reason reason;
		} transition;
		struct {
			struct sv tool, id, text;
			int64_t elapsed_ms;
		} tool;
		struct {
			struct sv uuid;
			enum prompt_state state;
		} prompt;
		struct {
			struct sv request_id;
			struct event_retry retry; /* attempt 0: it has just begun */
		} progress;
		struct {
			struct sv id;     /* of the new one */
			struct sv prompt; /* uuid of the prompt that began it; may be empty */
		} reset;
		struct control_reply reply;
		struct {
			struct sv why; /* it could not be read; empty: its kind is unknown */
		} unknown;
	};
};

/* For event.c: the members of EVENT_INIT (event_init.c). */
void event_init_write(struct jw *w, const struct event_init *init);

/* Appends the JSON object. `uuid` and `session_id` are part of every event but control frames. */
void event_write(struct str *out, const struct event *event, struct sv uuid, struct sv session_id);

/* The "type" and "subtype" of the JSON form; the subtype may be "". */
const char *event_type(enum event_kind kind);
const char *event_subtype(const struct event *event);
/* The kind with this type and subtype, or EVENT_UNKNOWN. */
enum event_kind event_kind_of(struct sv type, struct sv subtype);

const char *result_kind_name(enum result_kind kind); /* "success" */
/* The level with this name; an unknown one counts as NOTICE_INFO. */
enum notice_level notice_level_read(struct sv name);
const char *command_status_name(enum command_status status);    /* "completed" */
const char *prompt_state_name(enum prompt_state state);         /* "queued" */
const char *session_activity_name(enum session_activity state); /* "requires_action" */

#endif
