/* aws_auth.h - private to src/model: fetches the AWS keys that can be had now, as an op. The command
 * awsCredentialExport prints them, if the settings name one. Else they are where aws_credentials.h
 * says; a credential_process may print them there. Else a service hands them out (aws_remote.h). */
#ifndef AWL_MODEL_AUTH_AWS_AUTH_H
#define AWL_MODEL_AUTH_AWS_AUTH_H

#include "model/wire/wire.h"

/* Borrows `config` until done. Fails with ERR_ACCESS when the command or service failed or its keys
 * have expired, and like aws_credentials_read() and aws_printed_parse(). */
struct op *aws_auth_start(struct loop *loop, struct http *http, const struct model_config *config,
			  struct then then);

/* In `done`, after success: the keys, and how long they may be kept. Moves the arena of the keys to
 * the caller. */
struct credential aws_auth_take(struct op *op, struct arena *arena, int64_t *keep_ms);

#endif
