/* result_cap.h - a result that is longer than its tool allows goes to a file. The model gets its
 * beginning and the path of the file. */
#ifndef AWL_TOOL_RESULT_CAP_H
#define AWL_TOOL_RESULT_CAP_H

#include "tool/tool.h"

/* Applies tool->max_result. */
void result_cap(struct tool_call *call);

/* Replaces the result by its first LIMIT_RESULT_PREVIEW bytes and the path of the file. If it cannot
 * be stored and is longer than `max`, by its first `max` bytes and the reason. */
void result_replace(struct tool_call *call, size_t max);

#endif
