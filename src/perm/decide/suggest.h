/* suggest.h - the rules that would have allowed a call, and no other command, file, host or tool than
 * the one that was called. Each rule is tried before it is offered, so one that would not help is
 * never shown. */
#ifndef AWL_PERM_DECIDE_SUGGEST_H
#define AWL_PERM_DECIDE_SUGGEST_H

#include "perm/perm.h"

enum { SUGGEST_MAX = 5 };

/* Texts of rules, at most SUGGEST_MAX, in `arena`; returns how many. 0 when the call is
 * allowed as it is, and when no few rules for exactly this call would allow it. */
size_t perm_suggest(const struct perm_policy *policy, const struct perm_request *request,
		    struct arena *arena, struct sv out[SUGGEST_MAX]);

/* As perm_suggest(); if there are no such rules, the rule for all calls of the tool. 0 when no rule
 * would allow the call. */
size_t perm_suggest_narrowest(const struct perm_policy *policy, const struct perm_request *request,
			      struct arena *arena, struct sv out[SUGGEST_MAX]);

#endif
