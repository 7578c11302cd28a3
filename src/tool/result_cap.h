/* result_cap.h - a result longer than its tool may say is kept in a file, and the
 * model gets its beginning and the way to the rest. */
#ifndef AWL_TOOL_RESULT_CAP_H
#define AWL_TOOL_RESULT_CAP_H

#include "tool/tool.h"

/* By what the tool may say. */
void result_cap(struct tool_call *call);

/* Whatever the tool may: its first LIMIT_RESULT_PREVIEW bytes and the way to the file,
 * or, when it cannot be kept and is longer than `max`, its first `max` bytes and why. */
void result_replace(struct tool_call *call, size_t max);

#endif
