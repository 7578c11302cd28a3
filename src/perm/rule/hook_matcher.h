/* hook_matcher.h - which names the matcher of a hook selects.
 *
 * Empty and `*` select every name. A text of letters, digits, `_`, `-`, blanks, `,` and `|` is a
 * list of names. Anything else is a regular expression, which may match any part of the name. */
#ifndef AWL_PERM_RULE_HOOK_MATCHER_H
#define AWL_PERM_RULE_HOOK_MATCHER_H

#include "base/err.h"
#include "base/str.h"

/* Fails (ERR_PARSE, ERR_TOO_BIG) for an invalid regular expression. */
must_use bool hook_matcher_check(struct sv matcher, struct err *err);

/* An invalid expression, and one that takes too long, selects every name. */
bool hook_matcher_selects(struct sv matcher, struct sv name);

/* The same for a tool, which hooks also know by its former names, and by those of the tools of
 * which it is a variant. */
bool hook_matcher_selects_tool(struct sv matcher, struct sv tool);

/* Visits those other names: `for (i = 0; hook_matcher_next_name(tool, &i, &name);)`. */
bool hook_matcher_next_name(struct sv tool, size_t *at, struct sv *name);

#endif
