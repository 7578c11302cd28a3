/* provider_allowed.h - whether the policy allows a provider. Pure. */
#ifndef AWL_MODEL_CATALOGUE_PROVIDER_ALLOWED_H
#define AWL_MODEL_CATALOGUE_PROVIDER_ALLOWED_H

#include "model/config.h"
#include "text/json/json.h"

/* The policy's name for it: "anthropic", "bedrock", "vertex" and "foundry" on their own hosts, else
 * "customEndpoint". NULL: no provider is used. */
const char *model_provider_word(const struct model_config *config);
/* The variable that sets another endpoint. */
const char *model_provider_variable(const struct model_config *config);

/* `allowed` is a list of names; missing: all are allowed. `pinned` is the policy's own value of
 * that variable: only this custom endpoint is allowed. Fails with the provider that was chosen and
 * the name that would allow it. */
must_use bool model_provider_check(const struct model_config *config, struct json allowed,
				   struct sv pinned, struct err *err);

#endif
