/* catalogue.h - the models that a user may choose from: the default, each family by its name,
 * then the others that the provider is known to have, and last whatever else the settings name.
 * It has no model that the settings deny, and no model twice. */
#ifndef AWL_MODEL_CATALOGUE_CATALOGUE_H
#define AWL_MODEL_CATALOGUE_CATALOGUE_H

#include "base/arena.h"
#include "model/catalogue/choice.h"
#include "model/config.h"
#include "proto/reply.h"

/* The list, in `arena`. */
struct reply_models model_catalogue(const struct model_config *config,
				    const struct model_rules *rules, struct arena *arena);

/* The provider, and where the credential comes from. */
struct reply_account model_account(const struct model_config *config);

#endif
