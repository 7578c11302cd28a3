/* rule_review.h - finds permission rules that cannot do what their author meant. */
#ifndef AWL_CORE_POLICY_RULE_REVIEW_H
#define AWL_CORE_POLICY_RULE_REVIEW_H

#include "proto/verdict.h"
#include "store/settings/settings.h"

/* Fails for a rule whose tool looks like a misspelt name: "there is no tool named Bsh; did you mean
 * Bash?". A name that resembles no known one may belong to a server or to the host program. */
must_use bool rule_review_tool(struct sv rule, struct err *err);

/* Reviews all rules of the settings, and appends a line for each that is invalid, has a misspelt
 * tool or can never match. Returns how many of these are mistakes. */
size_t rule_review_settings(const struct settings *settings, struct str *notes);

#endif
