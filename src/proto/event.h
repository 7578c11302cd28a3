/* event.h - what the engine tells: every event typed, with its one JSON form, the
 * stream-json messages of the Agent SDK. What is ours alone has the type "system"
 * and a subtype that begins with "awl_", so that other programs pass it by.
 *
 * Everything is borrowed; members named "json" are JSON already. */
#ifndef AWL_PROTO_EVENT_H
#define AWL_PROTO_EVENT_H

#include "proto/permission.h"
#include "proto/reason.h"

enum event_kind {
	EVENT_INIT,          /* a turn begins */
	EVENT_ASSISTANT,     /* a finished block of an answer, or words in its place */
	EVENT_USER,          /* a tool result, or what the harness said for the user */
	EVENT_STREAM,        /* a piece of an answer as it comes */
	EVENT_RESULT,        /* a turn has ended: the last of its events */
	EVENT_STATUS,        /* requesting; the permission mode has changed */
	EVENT_STATE,         /* running, requires_action, idle */
	EVENT_RETRY,         /* a wait before the next attempt */
	EVENT_STALL,         /* a stream is silent */
	EVENT_DISCARD,       /* messages that are void */
	EVENT_DENIED,        /* a call was refused without asking */
	EVENT_FALLBACK,      /* another model answers */
	EVENT_INFORMATIONAL, /* something the user should know */
	EVENT_TRANSITION,    /* the turn goes on, and why */
	EVENT_TOOL_PROGRESS, /* a call still runs */
	EVENT_TOOL_OUTPUT,   /* what it has written */
	EVENT_ASK,           /* may this call go ahead? */
	EVENT_ASK_CANCEL,    /* the question is void */
	EVENT_REPLY,         /* to a control request */
	EVENT_KINDS,
};

struct event_init {
	struct sv cwd, model, permission_mode, api_key_source, version;
	const struct sv *tools, *dirs, *commands;
	size_t ntools, ndirs, ncommands;
};

struct event_message {
	struct sv json; /* the message */
	struct sv request_id, timestamp;
	struct sv tool_use_result;  /* JSON */
	struct sv decision, reason; /* of the permission: "accept", "config" */
	struct sv error;            /* class of an API error */
	int status;                 /* HTTP status of one */
	bool is_synthetic, is_replay, is_aborted;
};

struct event_stream {
	struct sv json;
	int64_t ttft_ms; /* on the first; -1: not said */
};

struct event_denial {
	struct sv tool, id, input; /* input: JSON */
};

struct event_result {
	enum end_reason reason;
	bool has_reason; /* false: no turn was run */
	bool is_error;
	struct sv subtype; /* success, error_during_execution, ... */
	struct sv text;    /* of a success */
	struct sv error;   /* of an error */
	int64_t duration_ms, duration_api_ms;
	int64_t ttft_ms; /* -1: nothing came */
	int64_t num_turns;
	struct sv stop_reason; /* empty: null */
	int api_error_status;  /* 0: null */
	double cost_usd;
	bool cost_known;
	struct sv usage, model_usage; /* JSON */
	struct sv structured_output;  /* JSON; empty: none */
	struct sv local_command;      /* empty: none */
	const struct event_denial *denials;
	size_t ndenials;
};

struct event_retry {
	int attempt, max;
	int64_t delay_ms;
	int status; /* 0: no response */
	struct sv error, text;
};

struct event_ask {
	struct sv request_id, tool, id, input; /* input: JSON */
	struct sv reason_type, reason, path;
	const struct permission_change *suggestions; /* that would have allowed it */
	size_t nsuggestions;
	bool needs_user;     /* an answer of words, not only yes or no */
	int64_t patience_ms; /* how long one is waited for; 0: for ever */
};

struct event {
	enum event_kind kind;
	/* The call whose sub-agent emits this; empty for the session's own agent. */
	struct sv parent_tool_use_id;
	union {
		struct event_init init;
		struct event_message message; /* ASSISTANT, USER */
		struct event_stream stream;
		struct event_result result;
		struct event_retry retry;
		struct event_ask ask; /* ASK, ASK_CANCEL */
		struct {
			struct sv status, permission_mode;
		} status;
		struct {
			struct sv state;
			bool host_only;
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
			bool nobody_to_ask; /* it would have been a question */
		} denied;
		struct {
			struct sv from, to, text;
		} fallback;
		struct {
			struct sv text, level, id; /* level: info, notice, warning */
		} info;
		struct {
			enum go_reason reason;
		} transition;
		struct {
			struct sv tool, id, text;
			int64_t elapsed_ms;
		} tool;
		struct {
			struct sv request_id, json;
			struct sv error, code; /* error: not a success */
		} reply;
	};
};

/* Appends the JSON object; `uuid` and `session_id` go into every one but the control
 * frames. */
void event_write(struct str *out, const struct event *event, struct sv uuid, struct sv session_id);

/* The "type" and "subtype" of its JSON form; the latter may be "". */
const char *event_type(enum event_kind kind);
const char *event_subtype(const struct event *event);

#endif
