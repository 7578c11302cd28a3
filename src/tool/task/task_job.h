/* task_job.h - what TaskCreate, TaskGet, TaskUpdate and TaskList have in common: the list
 * of the context is read, looked at or changed, and kept. */
#ifndef AWL_TOOL_TASK_TASK_JOB_H
#define AWL_TOOL_TASK_TASK_JOB_H

#include "tool/task/task_list.h"
#include "tool/tool.h"

/* Leaves the result in the call. True: the list has changed and is to be kept. */
typedef bool task_fn(struct tool_call *call, struct task_list *list);

/* The list is what was last kept: a file is replaced whole, so it can be read at any
 * time. */
struct op *task_look(struct tool_call *call, task_fn *look, struct then then);
/* Nobody else changes it meanwhile: while another process does, this waits, for some
 * seconds. A list that cannot be kept is a failed call, and stays as it was. */
struct op *task_change(struct tool_call *call, task_fn *change, struct then then);

/* The list of another session, kept in `dir`, becomes that of the context, which has none yet.
 * Fine when there is none. */
must_use bool task_adopt(struct tool_context *ctx, const char *dir, struct err *err);

/* The task that `text` names, "3" or "#3"; NULL when there is none. */
struct task_item *task_named(const struct task_list *list, struct sv text);
/* Appends that there is no such task, and which there are. */
void task_say_unknown(struct str *out, const struct task_list *list, struct sv text);

/* A member of the tools. */
void task_perm_request(const struct tool_call *call, struct arena *arena, struct perm_request *out);

#endif
