/* effort.h - the words for reasoning effort and thinking. */
#ifndef AWL_MODEL_CATALOGUE_EFFORT_H
#define AWL_MODEL_CATALOGUE_EFFORT_H

#include "model/model.h"
#include "text/json/json.h"

/* "low", ... "max"; NULL for MODEL_EFFORT_DEFAULT. */
const char *model_effort_name(enum model_effort effort);
/* Reads a name; the default has none. */
must_use bool model_effort_read(enum model_effort *out, struct sv name, struct err *err);
/* Reads a member; MODEL_EFFORT_DEFAULT if it is missing. */
enum model_effort model_effort_in(struct json object, const char *key);

/* Reads "adaptive", "disabled" or a number of tokens. */
must_use bool model_thinking_read(enum model_thinking *out, int64_t *budget, struct sv how,
				  struct err *err);

/* "summarized" or "omitted"; NULL for MODEL_DISPLAY_DEFAULT. */
const char *model_display_name(enum model_display display);
must_use bool model_display_read(enum model_display *out, struct sv name, struct err *err);

#endif
