/* grep_builtin.h - private to src/tool: Grep without ripgrep. It is slower and uses Perl's regular
 * expressions. The result has the same form and says which search was used. Unlike in ripgrep, a
 * pattern also matches bytes that are not UTF-8. */
#ifndef AWL_TOOL_SEARCH_GREP_BUILTIN_H
#define AWL_TOOL_SEARCH_GREP_BUILTIN_H

#include "tool/tool.h"

/* Runs a call of Grep. */
struct op *grep_builtin_start(struct tool_call *call, struct then then);

#endif
