/* models_data.h - private to src/model: the table of models.h, as data. */
#ifndef AWL_MODEL_CATALOGUE_MODELS_DATA_H
#define AWL_MODEL_CATALOGUE_MODELS_DATA_H

#include "model/catalogue/models.h"
#include "model/config.h"

struct model_alias {
	struct sv alias;
	struct sv id; /* or another alias */
};

/* Overrides an alias for one provider. */
struct model_cloud_alias {
	enum model_provider provider;
	struct model_alias alias;
};

/* Ids are without date, cloud prefix and tag; see model_info(). */
extern const struct model_info model_rows[];
extern const size_t model_rows_count;
extern const struct model_alias model_aliases[];
extern const size_t model_aliases_count;
extern const struct model_cloud_alias model_cloud_aliases[];
extern const size_t model_cloud_aliases_count;

/* Cautious assumptions about an id that is not in the table; their `id` is empty. The old Claudes
 * are those before 4. */
extern const struct model_info model_unknown_claude;
extern const struct model_info model_unknown_old_claude;
extern const struct model_info model_unknown;

/* The words for abilities in settings, in the order of their bits. */
extern const char *const model_ability_words[];
extern const size_t model_ability_words_count;

#endif
