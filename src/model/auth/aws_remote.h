/* aws_remote.h - private to src/model: AWS keys that a service hands out, as an op. In this order, the
 * first that is configured is asked:
 *
 *   1. STS, for a web identity (Kubernetes): AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, or the
 *      same in the profile
 *   2. STS, for the role_arn of the profile, with the keys of its source_profile or credential_source
 *   3. the portal of AWS SSO, for the token that `aws sso login` left
 *   4. the credential service of a container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI
 *   5. the metadata service (IMDSv2) of an EC2 machine, or at AWS_EC2_METADATA_SERVICE_ENDPOINT,
 *      unless AWS_EC2_METADATA_DISABLED is "true"
 *
 * The AWS SDKs ask the metadata service on every machine and wait a second for nothing on most.
 * We look at the name of the machine's vendor first. */
#ifndef AWL_MODEL_AUTH_AWS_REMOTE_H
#define AWL_MODEL_AUTH_AWS_REMOTE_H

#include "model/wire/wire.h"

/* Completes a config: which service to ask, and how. */
void aws_remote_read(struct model_config *config, model_env_fn *env, void *arg);

/* Says in words which service hands out the keys; NULL: none is configured. */
const char *aws_remote_origin(const struct model_config *config);

/* Asks it. Borrows `config` until done. Fails with ERR_ACCESS when it refuses. */
struct op *aws_remote_start(struct loop *loop, struct http *http, const struct model_config *config,
			    struct then then);

/* In `done`, after success: the keys as JSON for aws_printed_parse() with AWS_FORM_SERVICE. A
 * secret. */
struct sv aws_remote_keys(const struct op *op);

#endif
