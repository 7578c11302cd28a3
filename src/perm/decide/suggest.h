/* suggest.h - the rules that would have allowed a call: as few and as narrow as they can be
 * without being of use only once, and of use only once where anything else would allow too
 * much: what interpreters, installers and network clients do, what is lost, secrets. Each is tried before it is offered, so one that would not
 * help, because nothing can be known of the command or it goes too far, is never shown. */
#ifndef AWL_PERM_DECIDE_SUGGEST_H
#define AWL_PERM_DECIDE_SUGGEST_H

#include "perm/perm.h"

enum { SUGGEST_MAX = 5 };

/* Texts of rules, at most SUGGEST_MAX, in `arena`; returns how many. 0 when the call is
 * allowed as it is, and when no few rules would allow it. */
size_t perm_suggest(const struct perm_policy *policy, const struct perm_request *request,
		    struct arena *arena, struct sv out[SUGGEST_MAX]);

#endif
