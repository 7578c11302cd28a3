/* aws_sign.h - private to src/model: AWS Signature Version 4 on a request that is
 * ready to send. Pure.
 *
 * The path is signed URI-encoded once more than it is sent, as every service but
 * S3 wants it: "/model/a%3A0" is signed as "/model/a%253A0". The body is hashed
 * slice by slice and never joined. */
#ifndef AWL_MODEL_AUTH_AWS_SIGN_H
#define AWL_MODEL_AUTH_AWS_SIGN_H

#include "model/wire/wire.h"

struct aws_scope {
	struct sv region, service;
	int64_t wall_ms;
};

/* Adds x-amz-date, x-amz-security-token if there is a token, and authorization. The signature
 * covers the method, the URL, the body and those headers that no proxy changes: Host, Content-Type
 * and all X-Amz-*. Fails with ERR_ACCESS without a key and with ERR_INVALID on a URL without a
 * host; then no header was added. */
must_use bool aws_sign(struct wire *wire, const char *method, const struct credential *credential,
		       const struct aws_scope *scope, struct err *err);

#endif
