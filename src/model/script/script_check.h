/* script_check.h - private to src/model: conditions on a request: reads them from a script and checks
 * them. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_CHECK_H
#define AWL_MODEL_SCRIPT_SCRIPT_CHECK_H

#include "model/script/script.h"
#include "model/script/script_request.h"
#include "model/script/script_words.h"

/* [no] SUBJECT [[not] contains VALUE | is [not] VALUE] */
must_use bool script_check_read(struct script_words *w, struct script_check *out, struct err *err);

bool script_check_holds(const struct script_check *check, const struct script_request *request);

#endif
