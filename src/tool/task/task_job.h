/* task_job.h - what TaskCreate, TaskGet, TaskUpdate and TaskList have in common: they load the list
 * of the context, read or change it, and save it. */
#ifndef AWL_TOOL_TASK_TASK_JOB_H
#define AWL_TOOL_TASK_TASK_JOB_H

#include "tool/task/task_list.h"
#include "tool/tool.h"

/* Puts the result into the call. Returns true when the list has changed and must be saved. */
typedef bool task_fn(struct tool_call *call, struct task_list *list);

/* Reads the list as it was last saved. The file is replaced as a whole, so it can be read at any
 * time. */
struct op *task_look(struct tool_call *call, task_fn *look, struct then then);
/* Changes the list under a lock. Waits some seconds while another process has the lock. If the list
 * cannot be saved, the call fails and the list stays as it was. */
struct op *task_change(struct tool_call *call, task_fn *change, struct then then);

/* What a call of these tools would do to a task that hooks are asked about. */
struct task_event {
	bool is_completed; /* else it is new */
	int64_t id;        /* of a new task: the next one, unless another process adds one first */
	struct str subject, description;
};
void task_event_clear(struct task_event *event);
/* Whether the call would add a task, or mark one as completed that is not. `out` is empty before, and
 * untouched when it returns false. */
must_use bool task_event_of(const struct tool_call *call, struct task_event *out);

/* Reads the list of the context, as it was last saved, into an empty one. After a failure only
 * task_list_clear() is valid. */
must_use bool task_load(struct task_list *list, const struct tool_context *ctx, struct err *err);

/* Takes the list of another session, saved in `dir`, for a context that has none yet. Succeeds when
 * there is no such list. */
must_use bool task_adopt(struct tool_context *ctx, const char *dir, struct err *err);

/* The task that `text` names, "3" or "#3"; NULL when there is none. */
struct task_item *task_named(const struct task_list *list, struct sv text);
/* Appends that the task does not exist, and which tasks do. */
void task_describe_unknown(struct str *out, const struct task_list *list, struct sv text);

/* For the tools. */
void task_perm_request(const struct tool_call *call, struct arena *arena, struct perm_request *out);

#endif
