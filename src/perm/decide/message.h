/* message.h - private to src/perm: verdicts with their reason. Quoted text may come from anywhere
 * and contain anything, so it is shortened and its control characters are spelled out. */
#ifndef AWL_PERM_DECIDE_MESSAGE_H
#define AWL_PERM_DECIDE_MESSAGE_H

#include "perm/perm.h"

struct verdict verdict_of(enum behavior behavior, enum verdict_reason reason, const char *fmt, ...)
	printf_like(3, 4);

/* A path, a rule or a command, ready to be part of a sentence. */
struct quoted {
	char text[84];
};
struct quoted quote(struct sv text);
struct quoted quote_rule(const struct perm_rule *rule);

/* "The rule .. allows this." with the place of the rule. */
struct verdict verdict_by_rule(enum behavior behavior, const struct perm_rule *rule);

/* The stricter one. Of two questions, the one that only the user can answer (see
 * perm_is_for_model()); if they are equal, the first. */
struct verdict verdict_stricter(struct verdict a, struct verdict b);

#endif
