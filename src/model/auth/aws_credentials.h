/* aws_credentials.h - private to src/model: the keys that sign for Bedrock, looked
 * for in this order, the first that is there wins:
 *
 *   1. AWS_BEARER_TOKEN_BEDROCK, a token in place of a signature
 *   2. AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN
 *   3. the profile AWS_PROFILE, else "default", in the shared credentials file
 *      (~/.aws/credentials, or AWS_SHARED_CREDENTIALS_FILE)
 *   4. the same in the shared config file (~/.aws/config, or AWS_CONFIG_FILE)
 *
 *   5. what the credential_process of that profile prints, in either file
 *   6. where it logs in by SSO or assumes a role, and the setting awsAuthRefresh says how,
 *      what AWS_EXPORT prints
 *
 * The setting awsCredentialExport goes before all but the first (aws_auth.h). Without
 * awsAuthRefresh such profiles are refused with words on what to do instead, and instance
 * metadata is never asked. The region: AWS_REGION, AWS_DEFAULT_REGION, the
 * profile's, us-east-1. */
#ifndef AWL_MODEL_AUTH_AWS_CREDENTIALS_H
#define AWL_MODEL_AUTH_AWS_CREDENTIALS_H

#include "model/wire/wire.h"

/* The program of AWS, saying what its login led to. */
#define AWS_EXPORT "aws configure export-credentials"

/* Completes a config whose variables have been read (config.c): the profile, the
 * paths of the two files, and the region, for which they may have to be read.
 * Fails (ERR_PARSE, with path and line) on a malformed file. */
must_use bool aws_config_read(struct model_config *config, model_env_fn *env, void *arg,
			      struct err *err);

/* Reads the credential as it is now, with strings in `arena`; `*origin` says in
 * words where it was found. Where a command has to be run for it, that is in
 * `*process`, and nothing in `*out`. Files change while we run (a login, awsAuthRefresh),
 * so this is to be called again when the service refuses one. Fails with
 * ERR_NOT_FOUND, telling where was looked, with ERR_UNSUPPORTED, ERR_INVALID or
 * ERR_PARSE; no text has anything of a secret. */
must_use bool aws_credentials_read(struct credential *out, const char **origin,
				   const char **process, struct arena *arena,
				   const struct model_config *config, struct err *err);

#endif
