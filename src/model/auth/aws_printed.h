/* aws_printed.h - private to src/model: AWS keys as JSON, printed by a command or sent by a service.
 * Pure.
 *
 *   {"Credentials": {"AccessKeyId": "..", "SecretAccessKey": "..", "SessionToken": "..",
 *                    "Expiration": "2026-01-01T00:00:00Z"}}
 *   {"Version": 1, "AccessKeyId": "..", ...}
 *
 * The second is the form of a credential_process and of `aws configure export-credentials`. Services
 * (aws_remote.h) use it too, without a version and with "Token" for the token. Token and expiration
 * may be missing. */
#ifndef AWL_MODEL_AUTH_AWS_PRINTED_H
#define AWL_MODEL_AUTH_AWS_PRINTED_H

#include "model/wire/wire.h"

enum aws_form {
	AWS_FORM_EXPORT,  /* either; the second may lack the version */
	AWS_FORM_PROCESS, /* the second */
	AWS_FORM_SERVICE, /* that of a service */
};

struct aws_printed {
	struct credential credential;
	int64_t expires_ms; /* since 1970; -1: unknown */
};

/* Strings are in `arena`. Fails with ERR_INVALID, naming the member; the error does not repeat the
 * text. */
must_use bool aws_printed_parse(struct aws_printed *out, struct arena *arena, struct sv text,
				enum aws_form form, struct err *err);

#endif
