/* aws_printed.h - private to src/model: AWS keys as a command prints them, in JSON. Pure.
 *
 *   {"Credentials": {"AccessKeyId": "..", "SecretAccessKey": "..", "SessionToken": "..",
 *                    "Expiration": "2026-01-01T00:00:00Z"}}
 *   {"Version": 1, "AccessKeyId": "..", ...}
 *
 * The second is the form of a credential_process, and what `aws configure
 * export-credentials` prints. Token and expiration may be missing. */
#ifndef AWL_MODEL_AUTH_AWS_PRINTED_H
#define AWL_MODEL_AUTH_AWS_PRINTED_H

#include "model/wire/wire.h"

enum aws_form {
	AWS_FORM_EXPORT,  /* either, and the second without a version, too */
	AWS_FORM_PROCESS, /* the second only */
};

struct aws_printed {
	struct credential credential;
	int64_t expires_ms; /* since 1970; -1: not said, or not as a time */
};

/* Strings are in `arena`. Fails with ERR_INVALID, naming the member; the error has nothing
 * of what was printed. */
must_use bool aws_printed_parse(struct aws_printed *out, struct arena *arena, struct sv text,
				enum aws_form form, struct err *err);

#endif
