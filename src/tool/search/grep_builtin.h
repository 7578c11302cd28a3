/* grep_builtin.h - private to src/tool: Grep where there is no ripgrep. Slower, and
 * with Perl's regular expressions; the result reads the same, and says so. To a pattern
 * bytes that are no UTF-8 are characters too, which for ripgrep they are not. */
#ifndef AWL_TOOL_SEARCH_GREP_BUILTIN_H
#define AWL_TOOL_SEARCH_GREP_BUILTIN_H

#include "tool/tool.h"

/* Answers a call of Grep. */
struct op *grep_builtin_start(struct tool_call *call, struct then then);

#endif
