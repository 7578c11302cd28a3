/* cloud.h - private to src/model: what the hosts that resell the Anthropic format
 * (Bedrock, Vertex, Foundry) have in common. Pure. */
#ifndef AWL_MODEL_WIRE_CLOUD_H
#define AWL_MODEL_WIRE_CLOUD_H

#include "model/wire/wire.h"

/* Fails (ERR_INVALID, naming `what`) unless `value` can be part of a host name or
 * path as it is: letters, digits and what is in `also`. */
must_use bool cloud_check_name(struct sv value, const char *also, const char *what,
			       struct err *err);

/* `base_url` without slashes at its end, or "" for NULL. */
struct sv cloud_base(const char *base_url);

/* Content-Type, User-Agent and the user's own. */
must_use bool cloud_headers(struct wire *out, const struct model_config *config, struct err *err);
/* After those: anthropic-beta, when any is wanted, beside the user's own. */
void cloud_betas(struct wire *out, const struct model_config *config,
		 const struct model_table *table, const struct model_request *request);

/* "authorization: Bearer <secret>"; fails (ERR_ACCESS) without a secret. */
must_use bool cloud_bearer(struct wire *wire, struct sv secret, const char *whose, struct err *err);

/* What a host calls its errors, and what they are to us. */
struct cloud_error {
	const char *name; /* in any case of letters */
	enum model_failure failure;
};

struct cloud_errors {
	const char *host; /* "Bedrock" */
	const struct cloud_error *at;
	size_t n;
};

/* Fills all of `out` for the error `name` (may be empty) of a response, or, with
 * `head` NULL, of a stream. A name that is not in the table counts by its status;
 * what is MODEL_FAILED_INVALID is read once more for the numbers of a prompt that
 * is too long and the like. Returns false. */
bool cloud_fail(struct model_error *out, const struct cloud_errors *errors,
		const struct http_head *head, struct sv name, struct sv message);

#endif
