/* aws_credentials.h - private to src/model: the keys that sign for Bedrock, from the first of these that
 * has some:
 *
 *   1. AWS_BEARER_TOKEN_BEDROCK, a token instead of a signature
 *   2. AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN
 *   3. the profile AWS_PROFILE, else "default", in the shared credentials file
 *      (~/.aws/credentials, or AWS_SHARED_CREDENTIALS_FILE)
 *   4. the same profile in the shared config file (~/.aws/config, or AWS_CONFIG_FILE)
 *   5. the output of that profile's credential_process, in either file
 *   6. the output of AWS_EXPORT, if the profile needs a login that awl cannot use (a second factor,
 *      SSO without an account) and the setting awsAuthRefresh says how to log in
 *   7. a service that hands out keys (aws_remote.h)
 *
 * The setting awsCredentialExport overrides all but the first, and a profile that assumes a role does
 * not use its own keys for requests (aws_auth.h). Without awsAuthRefresh, profiles that need such a
 * login are refused with advice. The region: AWS_REGION, AWS_DEFAULT_REGION, that
 * of the profile, us-east-1. */
#ifndef AWL_MODEL_AUTH_AWS_CREDENTIALS_H
#define AWL_MODEL_AUTH_AWS_CREDENTIALS_H

#include "model/wire/wire.h"

/* The command of the AWS CLI that prints the keys of a profile. */
#define AWS_EXPORT "aws configure export-credentials"

/* Completes a config whose variables have been read (config.c): the paths of the two files, the
 * region and the service, for which the files may have to be read. Fails (ERR_PARSE, with path and
 * line) on a malformed file. */
must_use bool aws_config_read(struct model_config *config, model_env_fn *env, void *arg,
			      struct err *err);

/* Fills in which service hands out the keys of the profile: for a web identity, an SSO login or a role.
 * Strings are in the arena of `config`. */
must_use bool aws_profile_choose(struct model_config *config, struct err *err);

/* Reads the credential as it is now, with strings in `arena`; `*origin` says in words where it was
 * found. If a command prints it, `*process` is that command and `*out` is empty. Files change while
 * we run (a login, awsAuthRefresh), so call this again when the service rejects a credential. Fails
 * with ERR_NOT_FOUND, naming the places that were searched, with ERR_UNSUPPORTED, ERR_INVALID or
 * ERR_PARSE. No text contains a secret. */
must_use bool aws_credentials_read(struct credential *out, const char **origin,
				   const char **process, struct arena *arena,
				   const struct model_config *config, struct err *err);

/* Appends where the credential comes from, or "none: " and why. */
void aws_credentials_explain(struct str *out, const struct model_config *config);

#endif
