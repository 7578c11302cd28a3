/* schema_ref.h - resolves references within a schema. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_REF_H
#define AWL_TEXT_SCHEMA_SCHEMA_REF_H

#include "text/json/json.h"

/* The value at "#" or "#/a/0/b" under `root`: a JSON pointer as the fragment of a URL,
 * so with %XX as well as ~0 and ~1 for '~' and '/'. Missing if there is none. */
struct json schema_resolve(struct json root, struct sv ref);

#endif
