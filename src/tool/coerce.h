/* coerce.h - repairs the type mistakes that models make before the schema is checked: "42" for 42,
 * "true" for true, an array or object sent as its JSON text, a single string for an array of strings, null for an
 * optional value that was to be left out. Only direct members of the input are repaired, and only where
 * the schema wants one other type. */
#ifndef AWL_TOOL_COERCE_H
#define AWL_TOOL_COERCE_H

#include "text/json/json.h"

/* Appends `input`, a JSON object, with those values repaired or left out and everything else unchanged. Returns
 * false and leaves `out` alone if there is nothing to repair, or if `input` is not a JSON object
 * (the schema check reports that). */
bool tool_coerce(struct json schema, struct sv input, struct str *out);

#endif
