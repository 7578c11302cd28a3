/* tool_search.h - which of the tools that are not offered yet a query means. Those that
 * ToolSearch names in its result are offered from the next request on; so the result
 * itself, as it stands in the history, is the record of what is loaded. */
#ifndef AWL_TOOL_TOOL_SEARCH_H
#define AWL_TOOL_TOOL_SEARCH_H

#include "tool/tool.h"

/* Takes the next name off the front of `*rest`, the text of a result; false when there
 * are no more. What stands between names is passed over. */
bool tool_search_next(struct sv *rest, struct sv *name);

#endif
