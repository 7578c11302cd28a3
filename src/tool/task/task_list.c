#include "tool/task/task_list.h"

#include "base/limits.h"
#include "base/mem.h"

static const char *const status_names[TASK_STATES] = {
	[TASK_PENDING] = "pending",
	[TASK_IN_PROGRESS] = "in_progress",
	[TASK_COMPLETED] = "completed",
};

const char *task_status_name(enum task_status status)
{
	return status_names[status];
}

bool task_status_read(enum task_status *out, struct sv name)
{
	for (int i = 0; i < TASK_STATES; i++) {
		if (sv_is(name, status_names[i])) {
			*out = (enum task_status)i;
			return true;
		}
	}
	return false;
}

/* --- tasks ------------------------------------------------------------------------ */

static void task_clear(struct task_item *task)
{
	str_clear(&task->subject);
	str_clear(&task->description);
	str_clear(&task->active_form);
	str_clear(&task->owner);
	str_clear(&task->metadata);
	vec_clear(&task->blocked_by);
}

void task_list_clear(struct task_list *list)
{
	for (size_t i = 0; i < list->tasks.n; i++)
		task_clear(&list->tasks.at[i]);
	vec_clear(&list->tasks);
	*list = (struct task_list)TASK_LIST_INIT;
}

static size_t task_list_index_of(const struct task_list *list, int64_t id)
{
	size_t low = 0, high = list->tasks.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->tasks.at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->tasks.n && list->tasks.at[low].id == id ? low : SIZE_MAX;
}

struct task_item *task_list_find(const struct task_list *list, int64_t id)
{
	size_t i = task_list_index_of(list, id);

	return i == SIZE_MAX ? NULL : &list->tasks.at[i];
}

static struct task_item *task_list_add_with_id(struct task_list *list, int64_t id, struct err *err)
{
	struct task_item *task;

	if (list->tasks.n == LIMIT_TASKS) {
		err_set(err, ERR_TOO_BIG,
			"the list is full (%d tasks); delete some that are completed", LIMIT_TASKS);
		return NULL;
	}
	task = vec_add(&list->tasks);
	task->id = id;
	list->last_id = max_of(list->last_id, id);
	return task;
}

struct task_item *task_list_add(struct task_list *list, struct err *err)
{
	return task_list_add_with_id(list, list->last_id + 1, err);
}

static size_t task_list_edge_at(const struct task_item *task, int64_t blocker)
{
	for (size_t i = 0; i < task->blocked_by.n; i++)
		if (task->blocked_by.at[i] == blocker)
			return i;
	return SIZE_MAX;
}

void task_list_remove(struct task_list *list, int64_t id)
{
	size_t at = task_list_index_of(list, id);

	if (at == SIZE_MAX)
		return;
	list->edges -= list->tasks.at[at].blocked_by.n;
	task_clear(&list->tasks.at[at]);
	vec_remove(&list->tasks, at);
	for (size_t i = 0; i < list->tasks.n; i++) {
		size_t edge = task_list_edge_at(&list->tasks.at[i], id);

		if (edge == SIZE_MAX)
			continue;
		vec_remove(&list->tasks.at[i].blocked_by, edge);
		list->edges--;
	}
}

/* --- what waits for what ------------------------------------------------------------ */

/* Whether `from` waits for `to`, directly or through others. Visits each task once. */
static bool task_list_waits_for(const struct task_list *list, int64_t from, int64_t to)
{
	defer(mem_freep) bool *seen = xcalloc(list->tasks.n + 1, sizeof(*seen));
	VEC(size_t) open = VEC_INIT;
	bool found = false;

	vec_push(&open, task_list_index_of(list, from));
	while (open.n && !found) {
		const struct task_item *task = &list->tasks.at[vec_pop(&open)];

		found = task->id == to;
		for (size_t i = 0; i < task->blocked_by.n; i++) {
			size_t next = task_list_index_of(list, task->blocked_by.at[i]);

			if (!seen[next])
				vec_push(&open, next);
			seen[next] = true;
		}
	}
	vec_clear(&open);
	return found;
}

bool task_list_block(struct task_list *list, int64_t blocker, int64_t blocked, bool *added,
		     struct err *err)
{
	struct task_item *task = task_list_find(list, blocked);

	if (task_list_edge_at(task, blocker) != SIZE_MAX) {
		*added = false;
		return true;
	}
	if (blocker == blocked)
		return err_set(err, ERR_INVALID, "task %lld cannot wait for itself",
			       (long long)blocked);
	if (task_list_waits_for(list, blocker, blocked))
		return err_set(err, ERR_INVALID,
			       "task %lld cannot wait for task %lld, which already waits for it: "
			       "neither could ever begin",
			       (long long)blocked, (long long)blocker);
	if (list->edges == LIMIT_TASK_EDGES)
		return err_set(err, ERR_TOO_BIG, "the list is full (%d dependencies)",
			       LIMIT_TASK_EDGES);
	vec_push(&task->blocked_by, blocker);
	list->edges++;
	*added = true;
	return true;
}

static bool is_open(const struct task_list *list, int64_t id)
{
	return task_list_find(list, id)->status != TASK_COMPLETED;
}

bool task_is_blocked(const struct task_list *list, const struct task_item *task)
{
	for (size_t i = 0; i < task->blocked_by.n; i++)
		if (is_open(list, task->blocked_by.at[i]))
			return true;
	return false;
}

void task_put_blocks(struct jw *w, const struct task_list *list, const struct task_item *task)
{
	jw_put_array(w, "blocks");
	for (size_t i = 0; i < list->tasks.n; i++)
		if (task_list_edge_at(&list->tasks.at[i], task->id) != SIZE_MAX)
			jw_strf(w, "%lld", (long long)list->tasks.at[i].id);
	jw_end(w);
}

void task_put_blocked_by(struct jw *w, const struct task_list *list, const struct task_item *task,
			 bool open)
{
	jw_put_array(w, "blockedBy");
	for (size_t i = 0; i < task->blocked_by.n; i++)
		if (!open || is_open(list, task->blocked_by.at[i]))
			jw_strf(w, "%lld", (long long)task->blocked_by.at[i]);
	jw_end(w);
}

/* --- as JSON -------------------------------------------------------------------------- */

static void task_list_put_if(struct jw *w, const char *key, const struct str *text)
{
	if (text->len)
		jw_put_str(w, key, sv_of(text));
}

static void task_list_write_task(struct jw *w, const struct task_list *list,
				 const struct task_item *task)
{
	jw_object(w);
	jw_put_strf(w, "id", "%lld", (long long)task->id);
	jw_put_str(w, "subject", sv_of(&task->subject));
	jw_put_str(w, "description", sv_of(&task->description));
	task_list_put_if(w, "activeForm", &task->active_form);
	jw_put_str(w, "status", sv_cstr(task_status_name(task->status)));
	task_list_put_if(w, "owner", &task->owner);
	task_put_blocked_by(w, list, task, false);
	if (task->metadata.len)
		jw_put_raw(w, "metadata", sv_of(&task->metadata));
	jw_end(w);
}

void task_list_write(struct str *out, const struct task_list *list)
{
	struct jw w;

	jw_init(&w, out, JW_PRETTY);
	jw_object(&w);
	jw_put_int(&w, "lastId", list->last_id);
	jw_put_array(&w, "tasks");
	for (size_t i = 0; i < list->tasks.n; i++)
		task_list_write_task(&w, list, &list->tasks.at[i]);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void task_list_take(struct str *out, struct json object, const char *key)
{
	str_add(out, json_str_or(json_get(object, key), SV_EMPTY));
}

static bool task_list_read_task(struct task_list *list, struct json json, struct err *err)
{
	struct sv id_text, status;
	int64_t id;
	struct task_item *task;
	struct jw w;

	if (!json_need_str(json, "id", &id_text, err) ||
	    !json_need_str(json, "status", &status, err))
		return false;
	if (!sv_to_int(id_text, &id) || id < 1 || id > INT32_MAX)
		return err_set(err, ERR_INVALID, "its id is not a number");
	if (list->tasks.n && id <= vec_last(&list->tasks)->id)
		return err_set(err, ERR_INVALID, "its id is not greater than the previous one");
	task = task_list_add_with_id(list, id, err);
	if (!task)
		return false;
	if (!task_status_read(&task->status, status))
		return err_set(err, ERR_INVALID, "its status is invalid");
	task_list_take(&task->subject, json, "subject");
	task_list_take(&task->description, json, "description");
	task_list_take(&task->active_form, json, "activeForm");
	task_list_take(&task->owner, json, "owner");
	if (json_is(json_get(json, "metadata"), JSON_OBJECT)) {
		jw_init(&w, &task->metadata, JW_COMPACT);
		jw_value(&w, json_get(json, "metadata"));
		jw_done(&w);
	}
	return true;
}

/* Runs when all tasks are read. Lists that we wrote have no circle. In one that has, the remaining
 * edges of the task are skipped, which bounds the search. */
static void task_list_read_edges(struct task_list *list, struct json json)
{
	struct json_iter it = json_each(json_get(json, "blockedBy"));
	struct json item;
	int64_t id, blocker;
	bool added, fine = sv_to_int(json_str_or(json_get(json, "id"), SV_EMPTY), &id);
	struct err err;

	while (fine && json_next(&it, NULL, &item))
		if (sv_to_int(json_str_or(item, SV_EMPTY), &blocker) &&
		    task_list_find(list, blocker))
			fine = task_list_block(list, blocker, id, &added, &err);
}

bool task_list_read(struct task_list *list, struct sv text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json tasks, item;
	struct json_iter it;

	if (!text.len)
		return true;
	doc = json_parse(text, 0, err);
	if (!doc || !json_need_array(json_root(doc), "tasks", &tasks, err))
		return false;
	it = json_each(tasks);
	for (size_t i = 0; json_next(&it, NULL, &item); i++)
		if (!task_list_read_task(list, item, err))
			return err_context(err, "task %zu of the list", i + 1);
	for (it = json_each(tasks); json_next(&it, NULL, &item);)
		task_list_read_edges(list, item);
	list->last_id =
		max_of(list->last_id, min_of(json_int_or(json_get(json_root(doc), "lastId"), 0),
					     (int64_t)INT32_MAX));
	return true;
}
