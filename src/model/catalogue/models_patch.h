/* models_patch.h - private to src/model: single facts about a model, as settings
 * and hosts state them. */
#ifndef AWL_MODEL_CATALOGUE_MODELS_PATCH_H
#define AWL_MODEL_CATALOGUE_MODELS_PATCH_H

#include "model/catalogue/models.h"

struct model_patch {
	struct sv name;              /* empty: unknown */
	int64_t context, max_output; /* 0: unknown */
	unsigned abilities;          /* of those in `set_abilities` */
	unsigned set_abilities;      /* 0: none */
	struct price price;          /* each part: negative if unknown */
};

/* `patch` may be NULL. Any patch makes the model known. */
void model_patch_apply(struct model_info *info, const struct model_patch *patch);
void model_price_apply(struct price *price, const struct price *given);

/* Reads an entry of settings. Fails naming the member. Views borrow from `entry`. */
must_use bool model_patch_read(struct model_patch *out, struct json entry, struct err *err);
must_use bool model_price_read(struct price *out, struct json price, struct err *err);

/* Reads an entry of any host's list. Returns false if it has nothing but a name. Ignores values
 * that make no sense. */
must_use bool model_patch_learn(struct model_patch *out, struct json entry);

#endif
