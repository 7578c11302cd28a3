/* suggest_json.h - what a question offers to be said yes to for good: the rules that would have
 * allowed the call (suggest.h), or the mode, in the words of the wire protocol. */
#ifndef AWL_PERM_DECIDE_SUGGEST_JSON_H
#define AWL_PERM_DECIDE_SUGGEST_JSON_H

#include "perm/perm.h"

/* Appends a JSON array of updates; an empty one when nothing would help. */
void perm_offer(struct str *out, const struct perm_policy *policy, const struct wish *wish);

#endif
