/* rules_describe.h - describes a policy to a person and to a host. */
#ifndef AWL_PERM_RULE_RULES_DESCRIBE_H
#define AWL_PERM_RULE_RULES_DESCRIBE_H

#include "base/arena.h"
#include "perm/perm.h"
#include "proto/reply.h"

/* Appends the mode, the working directories and every rule with its source, one per line, the
 * strictest first. */
void perm_describe_rules(struct str *out, const struct perm_policy *policy);

/* The same as data for a host, in `arena`; directories borrow from the policy. */
struct reply_rules perm_list_rules(const struct perm_policy *policy, struct arena *arena);

#endif
