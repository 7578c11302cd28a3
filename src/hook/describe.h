/* describe.h - hooks, and what they answered, for people. */
#ifndef AWL_HOOK_DESCRIBE_H
#define AWL_HOOK_DESCRIBE_H

#include "hook/hook.h"

/* Appends a paragraph for each event that has hooks. Empty: there are none. */
void hook_describe_set(struct str *out, const struct hook_set *set);
/* Appends what one handler did (HOOK_ENDED), with its output. */
void hook_describe_report(struct str *out, const struct hook_report *report);
/* Appends what follows from all of them. */
void hook_describe_answer(struct str *out, const struct hook_answer *answer);

#endif
