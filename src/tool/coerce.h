/* coerce.h - the slips of type that models make, put right before the schema is
 * checked: "42" for 42, "true" for true, an array or object sent as its JSON text,
 * a single string for an array of them. Only members of the input itself are
 * looked at, and only strings where the schema wants one other type. */
#ifndef AWL_TOOL_COERCE_H
#define AWL_TOOL_COERCE_H

#include "text/json/json.h"

/* Appends `input`, a JSON object, with those values rewritten and every other
 * byte as it was. False, with `out` untouched, when nothing is to be changed; so
 * too when `input` is no JSON object, which is for the schema to say. */
bool tool_coerce(struct json schema, struct sv input, struct str *out);

#endif
