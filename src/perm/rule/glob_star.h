/* glob_star.h - private to src/perm: patterns whose only sign is '*', any run of bytes. */
#ifndef AWL_PERM_RULE_GLOB_STAR_H
#define AWL_PERM_RULE_GLOB_STAR_H

#include "base/str.h"

/* Whether all of `text` matches; with `open`, whether it does up to a blank or its
 * end. `*steps` is what the answer may cost; it is reduced by what it did cost, at
 * most pattern x text, and once it is 0 the answer is false. */
bool glob_star_match(struct sv pattern, bool open, struct sv text, size_t *steps);

#endif
