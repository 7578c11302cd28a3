/* rule_check.h - finds permission rules that cannot do what their author meant. */
#ifndef AWL_CORE_RULE_CHECK_H
#define AWL_CORE_RULE_CHECK_H

#include "proto/verdict.h"
#include "store/settings/settings.h"

/* Fails for a rule whose tool looks like a misspelt name: "there is no tool named Bsh; did you mean
 * Bash?". A name that resembles no known one may belong to a server or to the host program. */
must_use bool rule_check_tool(struct sv rule, struct err *err);

/* Checks all rules of the settings, and appends a line for each that is invalid or has a misspelt
 * tool. Returns how many there are. */
size_t rule_check_settings(const struct settings *settings, struct str *notes);

#endif
