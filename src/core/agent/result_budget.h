/* result_budget.h - a limit for the results of one response together. They become one message, and
 * although each respects the limit of its tool (result_cap.h), together they could fill the
 * window. If they exceed the limit, the biggest are replaced by their beginning and the path of a
 * file with the rest, until the sum fits.
 *
 * The decision is made once, before the results reach history and transcript, which only grow. So
 * a repeated request, a resumed session and a fork send the same bytes again. */
#ifndef AWL_CORE_AGENT_RESULT_BUDGET_H
#define AWL_CORE_AGENT_RESULT_BUDGET_H

#include "core/agent/call.h"

/* For calls that are over and not in the history yet; `max` is in bytes. Images and documents do
 * not count, nor what a tool shows of a file (tool.stays_whole): the model would only get the path
 * of another file. */
void result_budget(struct call *const *calls, size_t n, size_t max);

#endif
