/* wire.h - private to src/model: a wire format as a const table entry.
 *
 * A provider is three pure functions: it encodes a request, adds a credential to it, and decodes the
 * response. Everything that takes time (credentials, HTTP, retries) is elsewhere, in attempt.c and
 * client.c, so providers can be tested on bytes alone. */
#ifndef AWL_MODEL_WIRE_WIRE_H
#define AWL_MODEL_WIRE_WIRE_H

#include <stdarg.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/model.h"

/* A credential as it is now; strings borrow from the client's cache. */
struct credential {
	enum model_auth auth;
	struct sv secret; /* key or bearer token */
	struct sv aws_id, aws_secret, aws_token;
	struct sv quota_project; /* of Google: billed for the request; may be empty */
};

/* One HTTP request, ready to send. Slices of `body` borrow from the request or
 * the arena; they are never joined. */
struct wire {
	struct arena arena;
	const char *url;
	VEC(struct http_header) headers;
	VEC(struct sv) body;
	struct sv region; /* that Bedrock's signature is for; empty: another provider */
};

#define WIRE_INIT                   \
	{                           \
		.arena = ARENA_INIT \
	}

void wire_clear(struct wire *wire);
/* Copies; replaces a header of that name. */
void wire_header(struct wire *wire, const char *name, struct sv value);
/* NULL when there is none of that name. */
const struct http_header *wire_find_header(const struct wire *wire, const char *name);
/* Adds the user's own lines "Name: value", which replace ours. Fails (ERR_INVALID) on a malformed line
 * with its number, never with its text. */
must_use bool wire_custom_headers(struct wire *wire, const struct model_config *config,
				  struct err *err);
void wire_body(struct wire *wire, struct sv bytes); /* borrows */

/* Receives the events of a decoder. An event with an error ends the attempt. */
typedef void wire_event_fn(void *arg, const struct model_event *event);

/* A decoder of one response. Created for each attempt. */
struct decoder {
	const struct decoder_type *type;
	const struct model_request *request; /* borrowed */
	wire_event_fn *emit;
	void *arg;
};

struct decoder_type {
	/* One event of the stream: its name (may be empty) and its data. False with
	 * `error` filled when it reports or is a failure; nothing is fed after. */
	bool (*event)(struct decoder *decoder, struct sv name, struct sv data,
		      struct model_error *error);
	/* The stream has ended by itself. False when something was still open. */
	bool (*end)(struct decoder *decoder, struct model_error *error);
	/* A whole response that was not streamed. */
	bool (*whole)(struct decoder *decoder, struct sv body, struct model_error *error);
	void (*free)(struct decoder *decoder);
};

enum wire_framing { WIRE_SSE, WIRE_AWS_FRAMES };

struct provider {
	const char *name;
	/* Pure. Fills `out` (empty before), except for the credential. Parts that the format cannot
	 * express are omitted and reported through `note`. */
	bool (*encode)(struct wire *out, const struct model_config *config,
		       const struct model_table *table, const struct model_request *request,
		       wire_event_fn *note, void *arg, struct err *err);
	/* Puts the credential on an encoded request. */
	bool (*sign)(struct wire *wire, const struct model_config *config,
		     const struct credential *credential, int64_t wall_ms, struct err *err);
	enum wire_framing framing;
	struct decoder *(*decoder)(const struct model_request *request, wire_event_fn *emit,
				   void *arg);
	/* Classifies a response that is not 200. `body` is at most 64 KiB of it.
	 * Fills all of `out`. */
	void (*classify)(struct model_error *out, const struct http_head *head, struct sv body);
	/* The URL and body that count a prompt's tokens; NULL: it cannot. */
	bool (*encode_count)(struct wire *out, const struct model_config *config,
			     const struct model_table *table, const struct model_request *request,
			     struct err *err);
	/* The URL that lists the host's models; NULL: it has none. */
	bool (*encode_listing)(struct wire *out, const struct model_config *config,
			       struct err *err);
};

extern const struct provider provider_anthropic;
extern const struct provider provider_bedrock;
extern const struct provider provider_vertex;
extern const struct provider provider_foundry;
extern const struct provider provider_openai_chat;
extern const struct provider provider_openai_responses;

const struct provider *provider_of(enum model_provider provider);

/* Shared by the providers. */

/* The id to send. */
struct sv request_wire_id(const struct model_request *request);

/* Whether the conversation already has this id: as a JSON string in any message. */
bool request_has_id(const struct model_request *request, struct sv id);

/* What an HTTP status of 400 or more means when nothing else is known. */
enum model_failure wire_failure_of(int status);

/* Fills all of an error; its err.kind is the one that fits. Returns false. */
bool model_fail(struct model_error *out, enum model_failure failure, int status, const char *fmt,
		...) printf_like(4, 5);
/* The same for a response that is not the service's own: a proxy's page, a wrong address. `failure` is
 * what the status means, if that is a failure. */
void wire_fail_foreign(struct model_error *out, enum model_failure failure, int status,
		       struct sv body);
/* Adds to an error what the headers of a response say: whether and when to retry, and the request
 * id. */
void wire_fail_advice(struct model_error *out, const struct http_head *head, struct sv request_id);
/* Appends the first 80 bytes of an unusable response, made printable. */
void wire_excerpt(struct str *out, struct sv body);
/* The same with another length. White space becomes one blank, other control characters and malformed
 * bytes become U+FFFD, and "..." marks the omitted rest. */
void wire_printable(struct str *out, struct sv text, size_t max);
/* Appends the text of a note for the user: printable, at most 400 bytes. */
void wire_format_note(struct str *out, const char *fmt, va_list args) printf_like(2, 0);
/* Returns how long the server asks to wait, in milliseconds: by retry-after-ms, retry-after (seconds or
 * a date) or, for 429, anthropic-ratelimit-unified-reset. Dates are relative to the Date of the
 * response. -1: it does not ask. */
int64_t wire_retry_after(const struct http_head *head);
/* Reads how much of a subscription is used. False, and `*out` untouched: the headers do not say. */
must_use bool wire_rate_limit(struct rate_limit *out, const struct http_head *head);

/* Writes the members of the Anthropic Messages body that every host of that
 * format shares (not model, stream or version), with cache breakpoints, as
 * slices: anthropic_encode.c. */
struct anthropic_options {
	bool with_model, with_stream;
	const char *version_in_body; /* Bedrock and Vertex: "anthropic_version" */
	bool betas_in_body;          /* Bedrock: as "anthropic_beta" */
	bool counting;               /* without what count_tokens refuses */
};
must_use bool anthropic_body(struct wire *out, const struct model_config *config,
			     const struct model_table *table, const struct model_request *request,
			     struct anthropic_options options, struct err *err);
/* Appends the betas that this request needs and those of the config, separated by
 * commas, each once: the value of the anthropic-beta header. */
void anthropic_betas(struct str *out, const struct model_config *config,
		     const struct model_table *table, const struct model_request *request);
/* Reports the parts of the request that the model does not support; they are omitted. */
void anthropic_notes(const struct model_config *config, const struct model_table *table,
		     const struct model_request *request, wire_event_fn *note, void *arg);
struct decoder *anthropic_decoder(const struct model_request *request, wire_event_fn *emit,
				  void *arg);
/* Classifies by status and by an Anthropic error body ({"type":"error","error":{...}}). */
void anthropic_classify(struct model_error *out, const struct http_head *head, struct sv body);
/* The same for an error in an event or a response with status 200: `error` is the inner object.
 * Returns false. */
bool anthropic_fail(struct model_error *out, int status, struct json error);

#endif
