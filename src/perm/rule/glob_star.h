/* glob_star.h - patterns in which only '*' is special: any sequence of bytes. "\\*" is the character
 * itself. */
#ifndef AWL_PERM_RULE_GLOB_STAR_H
#define AWL_PERM_RULE_GLOB_STAR_H

#include "base/str.h"

/* Whether all of `text` matches; with `open`, whether its beginning up to a blank does. `*steps` is
 * the budget, reduced by at most pattern x text; once it is 0 the answer is false. */
bool glob_star_match(struct sv pattern, bool open, struct sv text, size_t *steps);

#endif
