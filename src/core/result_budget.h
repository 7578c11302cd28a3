/* result_budget.h - what the results of one reply may take together: they become one
 * message, and though each is no longer than its tool may say (result_cap.h), they could
 * fill the window. Each result is
 *
 *   fresh     not sent yet: from the biggest on they are replaced by their beginning
 *             and the way to the rest, until all together fit;
 *   replaced  of which the model has had no more, and never gets more;
 *   frozen    sent as it was, and so for ever.
 *
 * What becomes of a fresh one is decided here, once, before history and transcript get
 * it. Both only ever grow, so they are all the memory that the other two need: a
 * repeated request, a resumed session and a fork say the same bytes again. */
#ifndef AWL_CORE_RESULT_BUDGET_H
#define AWL_CORE_RESULT_BUDGET_H

#include "core/call.h"

/* Of calls that are over and not in the history yet; `max` is in bytes. Blocks, which
 * are images or documents, are not counted, nor what a tool shows of files
 * (tool.stays_whole): in place of those there would be the way to another file. */
void result_budget(struct call *const *calls, size_t n, size_t max);

#endif
