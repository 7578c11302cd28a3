/* grep_types.h - private to src/tool: the file types that the built-in search knows, a subset of
 * ripgrep's. */
#ifndef AWL_TOOL_SEARCH_GREP_TYPES_H
#define AWL_TOOL_SEARCH_GREP_TYPES_H

#include "base/str.h"

/* Whether there is such a type. */
bool grep_type_known(struct sv type);
/* Whether a file with this name has the type. */
bool grep_type_has(struct sv type, struct sv name);

#endif
