/* aws_auth.h - private to src/model: the AWS keys as they can be had now, as an op. They are
 * printed by awsCredentialExport, if the settings name one; else they are where
 * aws_credentials.h says, or printed by the credential_process that is named there. */
#ifndef AWL_MODEL_AUTH_AWS_AUTH_H
#define AWL_MODEL_AUTH_AWS_AUTH_H

#include "model/wire/wire.h"

/* Borrows `config` until done. Fails with ERR_ACCESS when the command failed or its keys have
 * expired, and as aws_credentials_read() and aws_printed_parse() do. */
struct op *aws_auth_start(struct loop *loop, const struct model_config *config, struct then then);

/* In `done`, after success: the keys, and how long they may be kept. The caller has the
 * arena they are in from now on. */
struct credential aws_auth_take(struct op *op, struct arena *arena, int64_t *keep_ms);

#endif
