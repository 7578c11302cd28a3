/* offer.h - the change of permissions that a question offers beside a plain yes: the rules
 * that would have allowed the call (suggest.h), or the mode. */
#ifndef AWL_PERM_DECIDE_OFFER_H
#define AWL_PERM_DECIDE_OFFER_H

#include "base/arena.h"
#include "perm/perm.h"
#include "proto/permission.h"

/* Fills in `out`, with its lists in `arena`; false when no change would have allowed the call. */
bool perm_offer(struct permission_change *out, struct arena *arena,
		const struct perm_policy *policy, const struct perm_request *request);

#endif
