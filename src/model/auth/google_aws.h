/* google_aws.h - private to src/model: the foreign token of an external account whose source is AWS
 * ("environment_id": "aws1"): a signed request to AWS that says whose keys signed it. Google's STS
 * sends that request itself. As an op.
 *
 * Keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, else those that the metadata
 * service of EC2 has for the role of this machine. Region: AWS_REGION, AWS_DEFAULT_REGION, else that
 * of the metadata service. */
#ifndef AWL_MODEL_AUTH_GOOGLE_AWS_H
#define AWL_MODEL_AUTH_GOOGLE_AWS_H

#include "model/auth/google_key.h"
#include "model/wire/wire.h"
#include "net/http.h"
#include "sys/op.h"

/* Borrows `config` and `key` until done. Fails with ERR_NOT_FOUND without keys or a region and
 * without a service to ask, with ERR_ACCESS when the service refuses, and with ERR_INVALID. */
struct op *google_aws_start(struct loop *loop, struct http *http, const struct model_config *config,
			    const struct google_key *key, struct then then);

/* In `done`, after success: the token. */
struct sv google_aws_token(const struct op *op);

/* Whether the URL only asks AWS whose keys signed the request. Anything else would be a request in
 * the user's name that the file made up. */
bool google_aws_url_is_identity(struct sv url);

#endif
