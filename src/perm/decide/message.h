/* message.h - private to src/perm: verdicts in words. What is quoted in them comes from anywhere
 * and may hold anything: it is cut and made harmless. */
#ifndef AWL_PERM_DECIDE_MESSAGE_H
#define AWL_PERM_DECIDE_MESSAGE_H

#include "perm/perm.h"

struct verdict verdict_of(enum behavior behavior, enum verdict_reason reason, const char *fmt, ...)
	printf_like(3, 4);

/* Part of a sentence: a path, a rule, a command. */
struct quoted {
	char text[84];
};
struct quoted quote(struct sv text);
struct quoted quote_rule(const struct perm_rule *rule);

/* "The rule .. allows this." with where the rule is written. */
struct verdict verdict_by_rule(enum behavior behavior, const struct perm_rule *rule);

/* The stricter one. Of two that ask, that which only the user can answer (see
 * perm_is_for_model()); of equals the first. */
struct verdict verdict_stricter(struct verdict a, struct verdict b);

#endif
