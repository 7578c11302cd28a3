/* catalogue.h - the models that a user may choose from, as hosts are told of them: the default,
 * each family by its name, then the others that the provider is known to have, and last whatever
 * else the settings name. Nothing that may not be asked is in it, and no model twice. */
#ifndef AWL_MODEL_CATALOGUE_CATALOGUE_H
#define AWL_MODEL_CATALOGUE_CATALOGUE_H

#include "model/catalogue/choice.h"
#include "model/config.h"
#include "text/json/json_write.h"

/* Appends an array of {"value", "resolvedModel", "displayName", "description", ...}. */
void model_catalogue_write(struct jw *w, const struct model_config *config,
			   const struct model_rules *rules);

/* Appends who is asked, and where the credential is from: members of an object. */
void model_account_write(struct jw *w, const struct model_config *config);

#endif
