/* token_target.h - how many tokens the user wants to see used: "fix the tests +500k", "use 2M tokens". Pure. */
#ifndef AWL_CORE_AGENT_TOKEN_TARGET_H
#define AWL_CORE_AGENT_TOKEN_TARGET_H

#include "base/str.h"

/* The target that a prompt names: a word such as "+500k" at its beginning or end, or "use 2M tokens"
 * (or "spend") anywhere. 0: none. */
int64_t token_target(struct sv prompt);

#endif
