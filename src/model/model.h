/* model.h - talking to a language model, whichever it is and wherever it runs.
 *
 * A request goes in as bytes that are already JSON where they will be JSON on the
 * wire; decoded events come out while the answer streams, in the words of the
 * Anthropic Messages format whatever the provider speaks. Between the two, and
 * visible as events too: credentials, retries and their waits, stalls, the
 * fallback model, recording and replaying.
 *
 *   model_start() --> MODEL_START --> blocks ... --> MODEL_STOP --> done
 *                 \-> MODEL_RETRY (a wait) --> MODEL_START ...
 *
 * What a failed attempt had already shown is taken back by MODEL_DISCARD before
 * anything of the next one is shown, so nothing is ever shown twice. */
#ifndef AWL_MODEL_MODEL_H
#define AWL_MODEL_MODEL_H

#include "model/catalogue/models.h"
#include "model/config.h"
#include "model/usage.h"
#include "net/http.h"
#include "sys/op.h"

struct model_client;

/* Borrows `http`, `config` and `table`, which outlive it. The table learns what the
 * host says of models that it does not know. */
struct model_client *model_client_new(struct loop *loop, struct http *http,
				      const struct model_config *config, struct model_table *table);
void model_client_free(struct model_client *client);
void model_client_freep(struct model_client **client);

/* From now on every exchange is also appended to the file at `path`, without
 * credentials; or answered from such a file and never from the network, at full
 * speed or as `timed` in it; or answered by the built-in script. Each fails with
 * path and reason, and the client is then only good for being freed. */
must_use bool model_client_record(struct model_client *client, const char *path, struct err *err);
must_use bool model_client_replay(struct model_client *client, const char *path, bool timed,
				  struct err *err);
/* Why the recording is not complete, or NULL: the exchanges went on without it. */
const struct err *model_client_record_error(const struct model_client *client);
must_use bool model_client_demo(struct model_client *client, struct err *err);

/* What a run sees that is no answer of a model and yet goes into its requests, such as
 * the date: a recording, if there is one, gets it as a note; a replay gives the notes of
 * a name back one by one, and SV_EMPTY when there is none left or no replay. A note
 * lives as long as the client. */
void model_client_record_note(struct model_client *client, const char *name, struct sv text);
struct sv model_client_replay_note(struct model_client *client, const char *name);

/* Who is asking. Somebody waits for the foreground ones, so only they are
 * retried when the service is overloaded. */
enum model_source {
	MODEL_FOR_MAIN,
	MODEL_FOR_AGENT,
	MODEL_FOR_SDK,
	MODEL_FOR_COMPACT,
	MODEL_FOR_HOOK,
	MODEL_LAST_FOREGROUND = MODEL_FOR_HOOK,
	MODEL_FOR_TITLE,
	MODEL_FOR_SUMMARY,
	MODEL_FOR_SUGGESTION,
	MODEL_FOR_CLASSIFIER,
	MODEL_FOR_WEB,
	MODEL_FOR_COUNT,
};

enum model_thinking { MODEL_THINK_OFF, MODEL_THINK_ADAPTIVE, MODEL_THINK_BUDGET };
enum model_effort {
	MODEL_EFFORT_DEFAULT,
	MODEL_EFFORT_LOW,
	MODEL_EFFORT_MEDIUM,
	MODEL_EFFORT_HIGH,
	MODEL_EFFORT_XHIGH,
	MODEL_EFFORT_MAX,
};
enum model_cache { MODEL_CACHE_5M, MODEL_CACHE_1H, MODEL_CACHE_OFF };

/* Everything is borrowed until done. The bytes of system, tools and messages go
 * to the wire as they are: an unchanged prefix is byte-identical every time. */
struct model_request {
	struct sv model;         /* an id, resolved: limits, prices and events go by it */
	struct sv wire;          /* the provider's own id for it; empty: the same */
	struct sv fallback;      /* tried after three overloads in a row; may be empty */
	const struct sv *system; /* plain texts, one block each */
	size_t nsystem;
	const struct sv *tools; /* JSON objects: name, description, input_schema, or server tools */
	size_t ntools, nbuiltin;   /* the built-in ones come first */
	const struct sv *messages; /* JSON objects: role, content */
	size_t nmessages;
	int64_t max_tokens; /* 0: the model's default */
	enum model_thinking thinking;
	int64_t thinking_budget;
	enum model_effort effort;
	enum model_cache cache;
	struct sv tool_choice; /* a JSON object; empty: the model chooses */
	struct sv user_id;     /* metadata.user_id; may be empty */
	/* For the logs of the first-party host; the client sets it anew for each attempt. */
	struct sv client_request_id;
	enum model_source source;
	bool whole; /* do not stream */
	bool fast;
	bool raw; /* MODEL_RAW events are wanted */
};

enum model_stop {
	MODEL_STOP_END_TURN,
	MODEL_STOP_TOOL_USE,
	MODEL_STOP_MAX_TOKENS,
	MODEL_STOP_SEQUENCE,
	MODEL_STOP_REFUSAL,
	MODEL_STOP_PAUSE_TURN,
	MODEL_STOP_CONTEXT_FULL,
	MODEL_STOP_OTHER, /* a reason we do not know; its name is in the event */
};

enum model_block {
	MODEL_BLOCK_TEXT,
	MODEL_BLOCK_THINKING,
	MODEL_BLOCK_REDACTED_THINKING,
	MODEL_BLOCK_TOOL_USE,
	MODEL_BLOCK_SERVER_TOOL_USE,
	MODEL_BLOCK_OTHER, /* kept byte for byte */
};

enum model_failure {
	MODEL_FAILED_AUTH,
	MODEL_FAILED_BILLING,
	MODEL_FAILED_RATE_LIMIT,
	MODEL_FAILED_OVERLOADED,
	MODEL_FAILED_PROMPT_TOO_LONG, /* tokens and limit are in the error */
	MODEL_FAILED_OUTPUT_LIMIT,    /* prompt + max_tokens is over the window */
	MODEL_FAILED_REFUSED,
	MODEL_FAILED_MEDIA,     /* an image or document it cannot take */
	MODEL_FAILED_NOT_FOUND, /* no such model */
	MODEL_FAILED_INVALID,
	MODEL_FAILED_SERVER,
	MODEL_FAILED_NETWORK,  /* err.kind says which */
	MODEL_FAILED_PROTOCOL, /* an answer that is none */
	MODEL_FAILED_REPLAY,   /* the request is not the recorded one */
	MODEL_FAILED_CANCELLED,
	MODEL_FAILURES,
};

struct model_error {
	enum model_failure failure;
	struct err err;
	int status;             /* HTTP; 0: none came */
	int64_t tokens, limit;  /* as reported; 0: not reported */
	int64_t retry_after_ms; /* -1: not said */
	int should_retry;       /* x-should-retry: 1 yes, -1 no, 0 not said */
	bool denied;            /* the credential is good, but not for this */
	char request_id[64];    /* of the service; may be empty */
};

/* "rate_limit", "overloaded", ...: the words of the wire protocol. */
const char *model_failure_name(enum model_failure failure);

enum model_event_kind {
	MODEL_START,       /* text: id of the message; model: who answers; usage so far */
	MODEL_BLOCK_START, /* index, block, json: the block as it begins; name, id of a tool call */
	MODEL_TEXT,        /* index, block, text: a piece, always whole characters */
	MODEL_THINKING,    /* the same */
	MODEL_SIGNATURE,   /* the same */
	MODEL_INPUT,       /* index, block, text: a piece of a tool call's input JSON */
	/* index, block, json: the exact finished block. text: only when a tool call's
	 * input came as anything but a JSON object (a model cut off, or a small one
	 * at a loss): what came; `json` has {} then, and the call is not to be run. */
	MODEL_BLOCK_STOP,
	MODEL_USAGE,    /* usage, cumulative */
	MODEL_STOP,     /* stop, text: its name; usage: final */
	MODEL_RAW,      /* json: a stream event in the Anthropic form, for whoever wants the wire */
	MODEL_RETRY,    /* error, attempt, attempts, wait_ms: a wait begins or goes on */
	MODEL_STALL,    /* wait_ms: silent so long; limit_ms: given up then */
	MODEL_DISCARD,  /* what this attempt has shown so far is void */
	MODEL_FALLBACK, /* model: asked from now on */
	/* text: something that could not be expressed to this provider, or was mended;
	 * with an error: more about why it is going to fail. */
	MODEL_NOTE,
	MODEL_LOGIN,      /* text: what the command that logs in says; somebody has to see it */
	MODEL_CACHE_DROP, /* text: which part of the prefix changed first; usage */
};

/* Views die when the callback returns. Fields not named by the kind are zero. */
struct model_event {
	enum model_event_kind kind;
	size_t index;
	enum model_block block;
	struct sv text, json, name, id, model;
	struct usage usage;
	enum model_stop stop;
	const struct model_error *error;
	int attempt, attempts;
	int64_t wait_ms, limit_ms;
};

/* From the FIFO. */
typedef void model_event_fn(void *owner, const struct model_event *event);

/* Done when the answer is complete, or has finally failed; model_error() then
 * has the class. Cancelling takes effect at once, in a wait too. */
struct op *model_start(struct model_client *client, const struct model_request *request,
		       model_event_fn *on_event, struct then then);

/* In `done`, after a failure. */
const struct model_error *model_error(const struct op *op);

/* How many tokens the request's prompt has: by the service's own count where it
 * has one, else by a one-token request to the small model, else by estimate. */
enum model_count { MODEL_COUNT_EXACT, MODEL_COUNT_BY_CALL, MODEL_COUNT_ESTIMATE };
struct op *model_count_start(struct model_client *client, const struct model_request *request,
			     struct then then);
int64_t model_count_result(const struct op *op, enum model_count *how); /* in `done` */
/* The estimate alone: 4 bytes a token, 2 in JSON. */
int64_t model_estimate(struct sv text, bool json);
int64_t model_estimate_request(const struct model_request *request);

#endif
