/* rule_check.h - finds rules without any effect, for whoever reviews settings. */
#ifndef AWL_PERM_RULE_RULE_CHECK_H
#define AWL_PERM_RULE_RULE_CHECK_H

#include "perm/perm.h"

/* Whether the rule is well-formed and some call can match it. Otherwise fails (ERR_INVALID) with the
 * rule and the reason in the message. A "~/" rule needs `home`. */
must_use bool perm_check_rule(enum behavior what, struct sv text, struct sv home, struct err *err);

#endif
