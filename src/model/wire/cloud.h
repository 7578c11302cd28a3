/* cloud.h - private to src/model: shared by the clouds that offer the Anthropic format (Bedrock,
 * Vertex, Foundry). Pure. */
#ifndef AWL_MODEL_WIRE_CLOUD_H
#define AWL_MODEL_WIRE_CLOUD_H

#include "model/wire/wire.h"

/* Fails (ERR_INVALID, naming `what`) unless `value` can be part of a host name or path: letters,
 * digits and the characters of `also`. */
must_use bool cloud_check_name(struct sv value, const char *also, const char *what,
			       struct err *err);

/* `base_url` without slashes at its end, or "" for NULL. */
struct sv cloud_base(const char *base_url);

/* Content-Type, User-Agent and the user's own. */
must_use bool cloud_headers(struct wire *out, const struct model_config *config, struct err *err);
/* Call after cloud_headers(). Adds the betas of the request to anthropic-beta. */
void cloud_betas(struct wire *out, const struct model_config *config,
		 const struct model_table *table, const struct model_request *request);

/* "authorization: Bearer <secret>"; fails (ERR_ACCESS) without a secret. */
must_use bool cloud_bearer(struct wire *wire, struct sv secret, const char *whose, struct err *err);

/* The error names of a host and what they mean. */
struct cloud_error {
	const char *name; /* in any case of letters */
	enum model_failure failure;
};

struct cloud_errors {
	const char *host; /* "Bedrock" */
	const struct cloud_error *at;
	size_t n;
};

/* Fills all of `out` for the error `name` (may be empty) of a response or, with `head` NULL, of a
 * stream. If the name is not in the table, the status decides. An error that is MODEL_FAILED_INVALID
 * so far is classified further by its text, for instance as a prompt that is too long. Returns
 * false. */
bool cloud_fail(struct model_error *out, const struct cloud_errors *errors,
		const struct http_head *head, struct sv name, struct sv message);

#endif
