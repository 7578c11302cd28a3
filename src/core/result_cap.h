/* result_cap.h - a result longer than its tool may say is kept in a file, and the
 * model gets its beginning and the way to the rest. */
#ifndef AWL_CORE_RESULT_CAP_H
#define AWL_CORE_RESULT_CAP_H

#include "tool/tool.h"

void result_cap(struct tool_call *call);

#endif
