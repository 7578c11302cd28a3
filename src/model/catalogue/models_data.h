/* models_data.h - private to src/model: the table of models.h, as data. */
#ifndef AWL_MODEL_CATALOGUE_MODELS_DATA_H
#define AWL_MODEL_CATALOGUE_MODELS_DATA_H

#include "model/catalogue/models.h"

struct model_alias {
	struct sv alias;
	struct sv id; /* or another alias */
};

/* Ids are without date, cloud prefix and tag; see model_info(). */
extern const struct model_info model_rows[];
extern const size_t model_rows_count;
extern const struct model_alias model_aliases[];
extern const size_t model_aliases_count;

/* What is assumed of an id nobody knows; `id` is empty. */
extern const struct model_info model_unknown_claude;
extern const struct model_info model_unknown;

/* The words for abilities in settings, in the order of their bits. */
extern const char *const model_ability_words[];
extern const size_t model_ability_words_count;

#endif
