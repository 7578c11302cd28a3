/* ask_facts.h - what a question is about besides its reason, for hosts that answer questions by
 * policies of their own. */
#ifndef AWL_PERM_DECIDE_ASK_FACTS_H
#define AWL_PERM_DECIDE_ASK_FACTS_H

#include "perm/perm.h"

struct ask_facts {
	bool is_compound; /* a command line with several commands */
	bool is_safety;   /* a part of it is a question of safety, which only a person answers */
	/* An ask rule that would have asked anyway; NULL: none. Belongs to the policy. */
	const struct perm_rule *rule;
};

/* `verdict` is what the question comes from; a command needs its analysis. */
struct ask_facts ask_facts(const struct perm_policy *policy, const struct perm_request *request,
			   const struct verdict *verdict);

#endif
