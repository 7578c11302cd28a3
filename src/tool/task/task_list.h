/* task_list.h - the tasks of a session: what is to be done, by whom, and what has to
 * wait for what. Kept as one JSON text, in a file that several processes may share or
 * in the context (task_job.h has the lock).
 *
 * Only "blocked by" is stored, and "blocks" derived from it, so that both always agree;
 * no task ever waits for itself, however indirectly. Ids count up from 1 and are not
 * used again. */
#ifndef AWL_TOOL_TASK_TASK_LIST_H
#define AWL_TOOL_TASK_TASK_LIST_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "text/json/json_write.h"

enum task_status { TASK_PENDING, TASK_IN_PROGRESS, TASK_COMPLETED, TASK_STATES };

const char *task_status_name(enum task_status status); /* "in_progress" */
/* False, `*out` untouched, when it is no status. */
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
	int64_t last_id;             /* ever given */
	size_t edges;                /* of all tasks */
};

#define TASK_LIST_INIT            \
	{                         \
		.tasks = VEC_INIT \
	}
void task_list_clear(struct task_list *list);

/* Into an empty list; "" is one without tasks. Fails on what is no list, saying where;
 * edges that cannot be are left out. After failure only task_list_clear() is valid. */
must_use bool task_list_read(struct task_list *list, struct sv json, struct err *err);
void task_list_write(struct str *out, const struct task_list *list);

/* NULL when there is none. Pointers live until the next task comes or goes. */
struct task_item *task_list_find(const struct task_list *list, int64_t id);
/* A pending one without a text. Fails past LIMIT_TASKS. */
struct task_item *task_list_add(struct task_list *list, struct err *err);
/* With all that is said of it in others. */
void task_list_remove(struct task_list *list, int64_t id);

/* From now on `blocked` waits for `blocker`, both of the list; `*added` false: so it was
 * before. Fails when that would be a circle, naming it, and past LIMIT_TASK_EDGES. */
must_use bool task_list_block(struct task_list *list, int64_t blocker, int64_t blocked, bool *added,
			      struct err *err);

/* A member each with an array of ids, which are strings to those outside: the tasks that
 * wait for `task`, and those that it waits for; `open` leaves out the completed. */
void task_put_blocks(struct jw *w, const struct task_list *list, const struct task_item *task);
void task_put_blocked_by(struct jw *w, const struct task_list *list, const struct task_item *task,
			 bool open);
/* Whether it waits for something that is not completed. */
bool task_is_blocked(const struct task_list *list, const struct task_item *task);

#endif
