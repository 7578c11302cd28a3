/* effort.h - the levels of effort and their names. */
#ifndef AWL_MODEL_EFFORT_H
#define AWL_MODEL_EFFORT_H

#include "model/model.h"

/* "low", ... "max"; NULL for MODEL_EFFORT_DEFAULT. */
const char *model_effort_name(enum model_effort effort);
/* By its name alone: the default has none. */
must_use bool model_effort_read(enum model_effort *out, struct sv name, struct err *err);

#endif
