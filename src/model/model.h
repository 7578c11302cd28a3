/* model.h - requests to a language model of any provider.
 *
 * The caller passes a request whose parts are already the JSON bytes that go to the wire. The
 * client emits decoded events while the response streams, always in the terms of the Anthropic
 * Messages format. Credentials, retries and their waits, stalls, the fallback model, recording
 * and replaying happen in between and are reported as events too.
 *
 *   model_start() --> MODEL_START --> blocks ... --> MODEL_STOP --> done
 *                 \-> MODEL_RETRY (a wait) --> MODEL_START ...
 *
 * When an attempt fails after it has emitted content, MODEL_DISCARD revokes that content before
 * the next attempt emits any. So nothing is ever shown twice. */
#ifndef AWL_MODEL_MODEL_H
#define AWL_MODEL_MODEL_H

#include "model/catalogue/models.h"
#include "model/config.h"
#include "model/usage.h"
#include "net/http.h"
#include "proto/rate_limit.h"
#include "sys/op.h"

struct model_client;

/* Borrows `http`, `config` and `table`, which must outlive the client. The client adds to the
 * table what the host reports about models that the table does not know. */
struct model_client *model_client_new(struct loop *loop, struct http *http,
				      const struct model_config *config, struct model_table *table);
void model_client_free(struct model_client *client);

/* model_client_record() appends every further exchange to the file at `path`, without
 * credentials. model_client_replay() serves responses from such a file and never from the
 * network, at full speed or, if `timed`, at the recorded speed. model_client_demo() serves them
 * from the built-in script. Each fails with path and reason; after that the client can only be
 * freed. */
must_use bool model_client_record(struct model_client *client, const char *path, struct err *err);
must_use bool model_client_replay(struct model_client *client, const char *path, bool timed,
				  struct err *err);
/* Returns why the recording is incomplete, or NULL. Exchanges continue without it. */
const struct err *model_client_record_error(const struct model_client *client);
must_use bool model_client_demo(struct model_client *client, struct err *err);

/* Notes carry input that is not a model response but ends up in requests, such as the date.
 * model_client_record_note() adds a note to the recording, if there is one.
 * model_client_replay_note() returns the recorded notes of that name one by one, and SV_EMPTY
 * when none is left or nothing is being replayed. A note lives as long as the client. */
void model_client_record_note(struct model_client *client, const char *name, struct sv text);
struct sv model_client_replay_note(struct model_client *client, const char *name);

/* What a request is for. A user waits for foreground requests, so only they are retried when the
 * service is overloaded. */
enum model_source {
	MODEL_FOR_MAIN,
	MODEL_FOR_AGENT,
	MODEL_FOR_SDK,
	MODEL_FOR_COMPACT,
	MODEL_FOR_HOOK,
	MODEL_FOR_QUESTION, /* of the user, beside the conversation */
	MODEL_LAST_FOREGROUND = MODEL_FOR_QUESTION,
	MODEL_FOR_TITLE,
	MODEL_FOR_SUMMARY,
	MODEL_FOR_SUGGESTION,
	MODEL_FOR_CLASSIFIER,
	MODEL_FOR_WEB,
	MODEL_FOR_COUNT,
};

enum model_thinking { MODEL_THINK_OFF, MODEL_THINK_ADAPTIVE, MODEL_THINK_BUDGET };
/* How thinking is returned; "omitted" leaves only what proves that it took place. */
enum model_display { MODEL_DISPLAY_DEFAULT, MODEL_DISPLAY_SUMMARIZED, MODEL_DISPLAY_OMITTED };
enum model_effort {
	MODEL_EFFORT_DEFAULT,
	MODEL_EFFORT_LOW,
	MODEL_EFFORT_MEDIUM,
	MODEL_EFFORT_HIGH,
	MODEL_EFFORT_XHIGH,
	MODEL_EFFORT_MAX,
};
enum model_cache { MODEL_CACHE_5M, MODEL_CACHE_1H, MODEL_CACHE_OFF };

/* Everything is borrowed until done. The bytes of system, tools and messages go to the wire
 * unchanged, so an unchanged prefix is byte-identical every time. */
struct model_request {
	struct sv model;    /* resolved id; limits, prices and events use it */
	struct sv wire;     /* the provider's own id of the model; empty: the same as `model` */
	struct sv fallback; /* tried after three overloads in a row; may be empty */
	const struct sv *system; /* plain texts, one block each */
	size_t nsystem;
	const struct sv *tools; /* JSON objects: name, description, input_schema, or server tools */
	size_t ntools, nbuiltin;   /* the built-in ones come first */
	const struct sv *messages; /* JSON objects: role, content */
	size_t nmessages;
	int64_t max_tokens; /* 0: the model's default */
	enum model_thinking thinking;
	int64_t thinking_budget;
	enum model_display display;
	enum model_effort effort;
	int64_t task_budget; /* tokens, which the model is told; 0: none */
	int64_t task_used;   /* of them, in messages that are no longer in the conversation */
	enum model_cache cache;
	struct sv tool_choice; /* a JSON object; empty: the model chooses */
	struct sv stops;       /* JSON, a list of texts that end the response; empty: none */
	struct sv user_id;     /* metadata.user_id; may be empty */
	/* For the logs of the first-party host; the client sets a new one for each attempt. */
	struct sv client_request_id;
	enum model_source source;
	bool whole;       /* do not stream */
	bool fast;        /* answer sooner at a higher price */
	bool other_limit; /* OpenAI chat: give the output limit the name that the model's id does not
			     suggest; the client sets this after the server said so */
	bool raw;         /* emit MODEL_RAW events */
};

enum model_stop {
	MODEL_STOP_END_TURN,
	MODEL_STOP_TOOL_USE,
	MODEL_STOP_MAX_TOKENS,
	MODEL_STOP_SEQUENCE,
	MODEL_STOP_REFUSAL,
	MODEL_STOP_PAUSE_TURN,
	MODEL_STOP_CONTEXT_FULL,
	MODEL_STOP_OTHER, /* an unknown reason; the event has its name */
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
	MODEL_FAILED_PROMPT_TOO_LONG, /* the error has the token count and the limit */
	MODEL_FAILED_OUTPUT_LIMIT,    /* prompt + max_tokens exceeds the context window */
	MODEL_FAILED_REFUSED,
	MODEL_FAILED_MEDIA,     /* an image or document that the service rejects */
	MODEL_FAILED_NOT_FOUND, /* no such model */
	MODEL_FAILED_INVALID,
	MODEL_FAILED_SERVER,
	MODEL_FAILED_NETWORK,  /* err.kind says which */
	MODEL_FAILED_PROTOCOL, /* an invalid response */
	MODEL_FAILED_REPLAY,   /* the request differs from the recorded one */
	MODEL_FAILED_CANCELLED,
	MODEL_FAILURES,
};

struct model_error {
	enum model_failure failure;
	struct err err;
	int status;             /* HTTP; 0: no response */
	int64_t tokens, limit;  /* as reported; 0: not reported */
	int64_t retry_after_ms; /* -1: not sent */
	int should_retry;       /* x-should-retry: 1 yes, -1 no, 0 not sent */
	bool refuses_fast;      /* fast mode is not granted */
	bool wants_other_limit; /* the output limit must have its other name: max_completion_tokens */
	bool denied;            /* the credential is valid but lacks permission for this request */
	char request_id[64];    /* assigned by the service; may be empty */
};

/* Returns where the credential of the client comes from: "ANTHROPIC_API_KEY", or a text that begins
 * with "none". */
const char *model_client_credential(const struct model_client *client);

/* Fast mode, as far as responses have told. */
struct model_fast {
	bool is_refused;     /* the service does not grant it to this credential */
	int64_t cooldown_ms; /* it is not requested for so long; 0: nothing hinders it */
};
struct model_fast model_client_fast(const struct model_client *client);
/* Returns the name used by the wire protocol: "rate_limit", "overloaded", ... */
const char *model_failure_name(enum model_failure failure);

enum model_event_kind {
	/* text: id of the message; id: of the request, as the service calls it, may be empty; model:
	 * the responding model; usage so far */
	MODEL_START,
	MODEL_BLOCK_START, /* index, block, json: the initial block; name, id of a tool call */
	MODEL_TEXT,        /* index, block, text: a piece, always whole characters */
	MODEL_THINKING,    /* the same */
	MODEL_SIGNATURE,   /* the same */
	MODEL_INPUT,       /* index, block, text: a piece of a tool call's input JSON */
	/* index, block, json: the exact finished block. text: set only when the input of a tool
	 * call was not a JSON object (the model was cut off or made a mistake); it has the input
	 * as received. `json` then has {} as the input, and the call must not run. */
	MODEL_BLOCK_STOP,
	MODEL_USAGE, /* usage, cumulative */
	/* stop, text: its name; usage: final. Of a refusal, either may be empty: name: its category,
	 * why: the service's explanation */
	MODEL_STOP,
	MODEL_RAW, /* json: a stream event in Anthropic format, for clients that want the wire events */
	MODEL_RETRY,    /* error, attempt, attempts, wait_ms: a wait begins or continues */
	MODEL_STALL,    /* wait_ms: length of the silence; limit_ms: when the attempt is aborted */
	MODEL_DISCARD,  /* revokes everything that this attempt has emitted */
	MODEL_FALLBACK, /* model: receives the requests from now on */
	/* text: something that this provider does not support, or that awl repaired; with an
	 * error: more about why the request is going to fail. */
	MODEL_NOTE,
	MODEL_LOGIN,      /* text: output of the login command; the user has to see it */
	MODEL_CACHE_DROP, /* text: which part of the prefix changed first; usage */
	MODEL_RATE_LIMIT, /* rate_limit: how much of a subscription is used by now */
};

/* Views are valid until the callback returns. Fields that the kind does not name are zero. */
struct model_event {
	enum model_event_kind kind;
	size_t index;
	enum model_block block;
	struct sv text, json, name, id, model, why;
	struct usage usage;
	enum model_stop stop;
	const struct model_error *error;
	const struct rate_limit *rate_limit;
	int attempt, attempts;
	int64_t wait_ms, limit_ms;
};

/* Called from the FIFO. */
typedef void model_event_fn(void *owner, const struct model_event *event);

/* Sends a request. The op is done when the response is complete or has finally failed;
 * model_error() then has the kind of failure. Cancelling takes effect at once, also during a
 * wait. */
struct op *model_start(struct model_client *client, const struct model_request *request,
		       model_event_fn *on_event, struct then then);

/* The messages of the conversation of `source` that begins with the message `first` are about to change on
 * purpose: the next request is not reported as one that missed the cache. NULL is fine. */
void model_forget_cache(struct model_client *client, enum model_source source, struct sv first);

/* Gets ready for a first request while the caller still prepares it: connects to the host that
 * serves `model`, and fetches the credential. Never starts a login. The op is done when the
 * credential is there or cannot be had; a request that comes sooner waits for the same fetch. */
struct op *model_prepare_start(struct model_client *client, struct sv model, struct then then);

/* Finds the model to use where none is configured (MODEL_UNDECIDED): the only one that the server
 * lists. Fails if it lists none or several, with a text that names them and says what to set. In
 * `done`, model_found() is the id. */
struct op *model_find_start(struct model_client *client, struct then then);
struct sv model_found(const struct op *op);

/* Valid in `done`, after a failure. */
const struct model_error *model_error(const struct op *op);

/* Counts the tokens of the request's prompt: with the service's own counter where it has one,
 * else with a one-token request to the small model, else by estimate. */
enum model_count { MODEL_COUNT_EXACT, MODEL_COUNT_BY_CALL, MODEL_COUNT_ESTIMATE };
struct op *model_count_start(struct model_client *client, const struct model_request *request,
			     struct then then);
int64_t model_count_result(const struct op *op, enum model_count *how); /* in `done` */

#endif
