/* provider_allowed.h - whether a policy lets a provider be asked. Pure. */
#ifndef AWL_MODEL_CATALOGUE_PROVIDER_ALLOWED_H
#define AWL_MODEL_CATALOGUE_PROVIDER_ALLOWED_H

#include "model/config.h"
#include "text/json/json.h"

/* How a policy calls it: "anthropic", "bedrock", "vertex" and "foundry" on hosts of their own,
 * and anything else "customEndpoint". NULL: nobody is asked. */
const char *model_provider_word(const struct model_config *config);
/* The variable that moves its requests elsewhere. */
const char *model_provider_variable(const struct model_config *config);

/* `allowed` is a list of words; missing: any may be asked. `pinned` is what the policy itself
 * says of that variable: a custom endpoint is allowed as that one only. Fails with what was
 * chosen and the word that would allow it. */
must_use bool model_provider_check(const struct model_config *config, struct json allowed,
				   struct sv pinned, struct err *err);

#endif
