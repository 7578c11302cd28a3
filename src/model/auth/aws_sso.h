/* aws_sso.h - private to src/model: the token that `aws sso login` left, and the keys that the portal of
 * AWS SSO hands out for it. */
#ifndef AWL_MODEL_AUTH_AWS_SSO_H
#define AWL_MODEL_AUTH_AWS_SSO_H

#include "model/config.h"

/* Appends the token, a secret: of the files in the cache, the one for this start URL that is valid for
 * the longest time. Fails with ERR_NOT_FOUND when there is none or it has expired at `wall_ms`, naming
 * the command that logs in. `profile` may be NULL. */
must_use bool aws_sso_token(struct str *out, const struct aws_sso *sso, const char *profile,
			    int64_t wall_ms, struct err *err);

/* Appends the keys of a response of the portal as JSON for aws_printed_parse() with AWS_FORM_SERVICE.
 * Fails with ERR_INVALID; the response is not repeated. */
must_use bool aws_sso_keys(struct str *out, struct sv response, struct err *err);

#endif
