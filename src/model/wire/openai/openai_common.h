/* openai_common.h - private to src/model: shared by the two OpenAI wire formats, Chat Completions and
 * Responses. */
#ifndef AWL_MODEL_WIRE_OPENAI_OPENAI_COMMON_H
#define AWL_MODEL_WIRE_OPENAI_OPENAI_COMMON_H

#include "model/wire/wire.h"

/* Notes about what the format cannot express: each is emitted once per request. */
struct openai_notes {
	wire_event_fn *note;
	void *arg;
	struct arena *arena;
	VEC(struct sv) sent;
};

void openai_notes_clear(struct openai_notes *notes);
void openai_note(struct openai_notes *notes, const char *fmt, ...) printf_like(2, 3);

/* What is requested, given the abilities of the model. */
struct openai_plan {
	struct model_info info;
	int64_t max_tokens;
	const char *effort; /* NULL: not sent */
	bool reasons;       /* it has hidden reasoning: an o-model, GPT-5 or the like */
};

struct openai_plan openai_plan(const struct model_config *config, const struct model_table *table,
			       const struct model_request *request, struct openai_notes *notes);

/* A body that is being written. Members of the config's extra body replace ours. */
struct openai_body {
	struct str json;
	struct jw w;
	struct sv extra;
};

/* Writes the opening brace and "model". Fails if the extra body is not an object or the request has no
 * message; then there is nothing to clear. */
must_use bool openai_body_init(struct openai_body *b, const struct model_config *config,
			       const struct model_request *request, struct err *err);
void openai_body_clear(struct openai_body *b);
/* Writes the key. Returns false if the user sets this member. */
must_use bool openai_body_key(struct openai_body *b, const char *key);
/* Ends it and makes it the body of `out`. */
must_use bool openai_body_end(struct openai_body *b, struct wire *out, struct err *err);

/* Writes prompt_cache_key, which routes requests of one conversation to the same cache. It is made
 * of what stays the same: the system prompt and the first message. */
void openai_put_cache_key(struct openai_body *b, const struct model_request *request);

/* Whether the requests go to OpenAI itself. */
bool openai_is_first_party(const struct model_config *config);

/* The system texts as one, with an empty line between them; empty: none. */
struct sv openai_system(struct arena *arena, const struct model_request *request);

/* Writes "tools", each inside an object of its own if `nested`, and the tool choice of the request.
 * Tools that only run on Anthropic's servers are omitted. OpenAI itself enforces the schemas that it
 * can enforce. */
must_use bool openai_tools(struct openai_body *b, const struct model_config *config,
			   const struct model_request *request, bool nested,
			   struct openai_notes *notes, struct err *err);

/* The URL of `path` ("/responses") below the base, and the headers. */
must_use bool openai_head(struct wire *out, const struct model_config *config, const char *path,
			  struct err *err);
/* See struct provider. */
bool openai_listing(struct wire *out, const struct model_config *config, struct err *err);
/* See struct provider. Adds a bearer token, or nothing without a key. */
bool openai_sign(struct wire *wire, const struct model_config *config,
		 const struct credential *credential, int64_t wall_ms, struct err *err);

/* Reads a usage object of either format over `u`; absent or null: unchanged. Absurd
 * counts are refused with ERR_PROTOCOL. */
must_use bool openai_usage(struct usage *u, struct json usage, struct err *err);

/* Errors. */

/* Returns the error that a response or event reports, an object or a string; missing if it reports
 * none. */
struct json openai_error_of(struct json root);
/* Fills all of `out` from such an error. Returns false. */
bool openai_fail(struct model_error *out, int status, struct json error);
/* See struct provider. */
void openai_classify(struct model_error *out, const struct http_head *head, struct sv body);

/* The same for errors in a response with status 200; all return false. */
bool openai_fail_err(struct model_error *out, const struct err *why);
bool openai_fail_excerpt(struct model_error *out, const char *what, struct sv bytes);

#endif
