/* tool_search.h - finds deferred tools. The tools that ToolSearch names in its result are offered
 * from the next request on. So the result in the history is the record of what is loaded. */
#ifndef AWL_TOOL_TOOL_SEARCH_H
#define AWL_TOOL_TOOL_SEARCH_H

#include "tool/tool.h"

/* Cuts the next tool name off the front of `*rest`, the text of a result, and skips the text between
 * names. Returns false if there are no more. */
bool tool_search_next(struct sv *rest, struct sv *name);

#endif
