/* rules_describe.h - describes a policy to a person and to a host. */
#ifndef AWL_PERM_RULE_RULES_DESCRIBE_H
#define AWL_PERM_RULE_RULES_DESCRIBE_H

#include "perm/perm.h"

/* Appends the mode, the working directories and every rule with its source, one per line, the
 * strictest first. */
void perm_describe_rules(struct str *out, const struct perm_policy *policy);

/* Appends the same as the answer to list_permission_rules: {"state":{"rules":[..], ..}}. */
void perm_write_rules(struct str *out, const struct perm_policy *policy, bool managed_only);

#endif
