/* edit_guard.h - private to src/tool: two agents that change the same file (store/last_edit.h). Everything here
 * blocks. */
#ifndef AWL_TOOL_EDIT_EDIT_GUARD_H
#define AWL_TOOL_EDIT_EDIT_GUARD_H

#include "sys/fs.h"
#include "tool/tool.h"

/* Held from looking at a file to writing it. NULL: nobody else is kept away. */
struct fs_lock *edit_guard_take(const struct tool_context *ctx);
/* The agent of `ctx` has written these bytes to the real path. */
void edit_guard_note(const struct tool_context *ctx, struct sv real, struct sv bytes);
/* Appends who may have written these bytes: "the agent finder", or else "the user or another program". */
void edit_guard_blame(struct str *out, const struct tool_context *ctx, struct sv real,
		      struct sv bytes);

#endif
