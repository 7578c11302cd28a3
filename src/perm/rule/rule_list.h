/* rule_list.h - lists of tools and rules as users write them, separated by commas or blanks outside
 * of parentheses. */
#ifndef AWL_PERM_RULE_RULE_LIST_H
#define AWL_PERM_RULE_RULE_LIST_H

#include "base/str.h"

/* Takes the next item off the front of `*rest`; false if there is none. If a parenthesis is not
 * closed, the item is everything left. A backslash makes a parenthesis an ordinary character. */
bool perm_list_next(struct sv *rest, struct sv *item);

#endif
