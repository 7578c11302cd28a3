/* task_list.h - the tasks of a session: what to do, who does it, and which task waits for which.
 * The list is saved as one JSON text, in a file that several processes may share or in the context
 * (task_job.h has the lock).
 *
 * Only "blocked by" is stored; "blocks" is derived from it, so that both always agree. No task ever
 * waits for itself, not even indirectly. Ids count up from 1 and are never reused. */
#ifndef AWL_TOOL_TASK_TASK_LIST_H
#define AWL_TOOL_TASK_TASK_LIST_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "text/json/json_write.h"

enum task_status { TASK_PENDING, TASK_IN_PROGRESS, TASK_COMPLETED, TASK_STATES };

const char *task_status_name(enum task_status status); /* "in_progress" */
/* Returns false, with `*out` untouched, for anything else. */
must_use bool task_status_read(enum task_status *out, struct sv name);

struct task_item {
	int64_t id;
	enum task_status status;
	struct str subject, description;
	struct str active_form, owner; /* may be empty */
	struct str metadata;           /* a JSON object; may be empty */
	VEC(int64_t) blocked_by;       /* tasks of the list, in the order they were added */
};

struct task_list {
	VEC(struct task_item) tasks; /* by id */
	int64_t last_id;             /* that was ever used */
	size_t edges;                /* of all tasks */
};

#define TASK_LIST_INIT            \
	{                         \
		.tasks = VEC_INIT \
	}
void task_list_clear(struct task_list *list);

/* Reads a JSON text into an empty list; "" is a list without tasks. Fails, and says where, when the
 * text is not a list. Skips edges that are impossible. After a failure only task_list_clear() is
 * valid. */
must_use bool task_list_read(struct task_list *list, struct sv json, struct err *err);
void task_list_write(struct str *out, const struct task_list *list);

/* Returns NULL when there is none. Pointers live until a task is added or removed. */
struct task_item *task_list_find(const struct task_list *list, int64_t id);
/* Adds a pending task without a text. Fails beyond LIMIT_TASKS. */
struct task_item *task_list_add(struct task_list *list, struct err *err);
/* Removes a task and all edges to it. */
void task_list_remove(struct task_list *list, int64_t id);

/* Makes `blocked` wait for `blocker`. Both are in the list. `*added` is false when it did already.
 * Fails beyond LIMIT_TASK_EDGES, and when that would be a circle, which the error names. */
must_use bool task_list_block(struct task_list *list, int64_t blocker, int64_t blocked, bool *added,
			      struct err *err);

/* Writes a member with an array of ids as strings: the tasks that wait for `task`, and those that
 * it waits for. `open` omits completed tasks. */
void task_put_blocks(struct jw *w, const struct task_list *list, const struct task_item *task);
void task_put_blocked_by(struct jw *w, const struct task_list *list, const struct task_item *task,
			 bool open);
/* Whether it waits for a task that is not completed. */
bool task_is_blocked(const struct task_list *list, const struct task_item *task);

#endif
