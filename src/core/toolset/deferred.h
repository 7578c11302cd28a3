/* deferred.h - a call that a PreToolUse hook has deferred. The turn ends with it, and whoever runs
 * awl finds out what the hook wanted to know. When the conversation goes on, in this process or after
 * a resume, the call is run again, hooks and all, before the model is asked.
 *
 * History is only appended to, so the call keeps the result that it was deferred; what became of it
 * follows as a text. */
#ifndef AWL_CORE_TOOLSET_DEFERRED_H
#define AWL_CORE_TOOLSET_DEFERRED_H

#include "core/agent/call.h"
#include "core/agent/history.h"

/* The result of a call that is deferred. */
#define DEFERRED_RESULT "A hook has deferred this call; it was not run."

/* Finds the calls of the last response that are still deferred, as the history ends with them and not
 * with what became of all of them; and the call `lost`, whose process ended while the user was asked
 * about it (may be empty). Their tool_use blocks go to `*blocks`, in `arena`; how many. */
size_t deferred_find(const struct history *history, struct sv lost, struct sv **blocks,
		     struct arena *arena);
/* Whether the history ends with a call with this id that was lost in that way. Then appends its tool. */
bool deferred_is_lost(const struct history *history, struct sv id, struct str *name);
/* Appends what became of the call, as content blocks for the model. */
void deferred_write(struct str *content, const struct call *call);

#endif
