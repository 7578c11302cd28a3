/* rule_list.h - lists of tools and of rules as users write them: separated by commas or
 * white space, neither of which counts inside parentheses. */
#ifndef AWL_PERM_RULE_RULE_LIST_H
#define AWL_PERM_RULE_RULE_LIST_H

#include "base/str.h"

/* Takes the next item, never an empty one, off the front of `*rest`; false once
 * nothing is left. Where a parenthesis is not closed the item is all of the rest. */
bool perm_list_next(struct sv *rest, struct sv *item);

#endif
