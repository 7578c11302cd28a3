#include "tool/builtins.h"
#include "tool/task/task_job.h"

enum { FIELDS = 10 }; /* that one call can change */

/* One call: what it has changed so far. */
struct update {
	struct tool_call *call;
	struct task_list *list;
	struct task_item *task;
	enum task_status before;
	const char *fields[FIELDS];
	size_t nfields;
	struct str error; /* empty: fine */
};

static struct json task_update_given(const struct update *u, const char *key)
{
	return json_get(u->call->input, key);
}

static void task_update_note(struct update *u, const char *field)
{
	u->fields[u->nfields++] = field;
}

/* --- texts ---------------------------------------------------------------------------- */

static void task_update_set_text(struct update *u, const char *key, struct str *text)
{
	struct sv value;

	if (!json_str(task_update_given(u, key), &value) || sv_eq(value, sv_of(text)))
		return;
	str_set(text, value);
	task_update_note(u, key);
}

static void task_update_copy_but(struct jw *w, struct json from, struct json but)
{
	struct json_iter it = json_each(from);
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value)) {
		if (json_exists(json_get_sv(but, key)) || json_is(value, JSON_NULL))
			continue;
		jw_key(w, key);
		jw_value(w, value);
	}
}

/* New keys override old ones; null removes a key. */
static void task_update_merge_metadata(struct update *u)
{
	struct json fresh = task_update_given(u, "metadata");
	defer(json_doc_freep) struct json_doc *old = NULL;
	struct str merged = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	if (!json_len(fresh))
		return;
	old = json_parse(u->task->metadata.len ? sv_of(&u->task->metadata) : SV("{}"), 0, &err);
	jw_init(&w, &merged, JW_COMPACT);
	jw_object(&w);
	task_update_copy_but(&w, json_root(old), fresh);
	task_update_copy_but(&w, fresh, (struct json){ .val = NULL });
	jw_end(&w);
	jw_done(&w);
	str_clear(&u->task->metadata);
	u->task->metadata = merged;
	task_update_note(u, "metadata");
}

/* --- what waits for what ---------------------------------------------------------------- */

static bool task_update_add_edge(struct update *u, struct sv other_text, bool blocks, bool *added)
{
	const struct task_item *other = task_named(u->list, other_text);
	struct err err = ERR_INIT;
	int64_t id = u->task->id;

	if (!other) {
		task_describe_unknown(&u->error, u->list, other_text);
		return false;
	}
	if (task_list_block(u->list, blocks ? id : other->id, blocks ? other->id : id, added, &err))
		return true;
	str_addf(&u->error, "%s.", err.text);
	return false;
}

static bool task_update_add_edges(struct update *u, const char *key, bool blocks)
{
	struct json_iter it = json_each(task_update_given(u, key));
	bool any = false, added;
	struct json item;

	while (json_next(&it, NULL, &item)) {
		if (!task_update_add_edge(u, json_str_or(item, SV_EMPTY), blocks, &added))
			return false;
		any |= added;
	}
	if (any)
		task_update_note(u, blocks ? "blocks" : "blockedBy");
	return true;
}

/* --- whose it is ---------------------------------------------------------------------- */

static bool task_update_is_ours(const struct update *u)
{
	return sv_eq_nocase(sv_of(&u->task->owner), sv_cstr(u->call->ctx->agent));
}

/* A teammate takes only what nobody has; its leader may give a task to anybody. The lock of the list makes
 * sure that of two only one gets it. */
static bool task_update_may_own(struct update *u)
{
	struct sv owner = json_str_or(task_update_given(u, "owner"), SV_EMPTY);
	struct sv status = json_str_or(task_update_given(u, "status"), SV_EMPTY);
	bool takes = owner.len || sv_is(status, task_status_name(TASK_IN_PROGRESS));

	if (!u->call->ctx->is_teammate || !takes || !u->task->owner.len || task_update_is_ours(u))
		return true;
	str_addf(&u->error, "Task %lld belongs to %s. Take another one.", (long long)u->task->id,
		 str_c(&u->task->owner));
	return false;
}

static void task_update_take(struct update *u)
{
	if (!u->call->ctx->is_teammate || u->task->owner.len || u->task->status != TASK_IN_PROGRESS)
		return;
	str_set(&u->task->owner, sv_cstr(u->call->ctx->agent));
	task_update_note(u, "owner");
}

/* --- the result --------------------------------------------------------------------------- */

static void task_update_report_data(const struct update *u, struct sv id, const char *status)
{
	struct jw w;

	jw_init(&w, &u->call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_bool(&w, "success", !u->error.len);
	jw_put_str(&w, "taskId", id);
	jw_put_array(&w, "updatedFields");
	for (size_t i = 0; i < u->nfields && !u->error.len; i++)
		jw_str(&w, sv_cstr(u->fields[i]));
	jw_end(&w);
	if (u->error.len)
		jw_put_str(&w, "error", sv_of(&u->error));
	if (status) {
		jw_put_object(&w, "statusChange");
		jw_put_str(&w, "from", sv_cstr(task_status_name(u->before)));
		jw_put_str(&w, "to", sv_cstr(status));
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
}

/* Appends the tasks that can start now that this one is completed. */
static void task_update_report_freed(const struct update *u)
{
	const char *before = " Now unblocked: ";

	for (size_t i = 0; i < u->list->tasks.n; i++) {
		const struct task_item *task = &u->list->tasks.at[i];
		bool waited = false;

		for (size_t k = 0; k < task->blocked_by.n; k++)
			waited |= task->blocked_by.at[k] == u->task->id;
		if (!waited || task_is_blocked(u->list, task))
			continue;
		str_addf(&u->call->result.text, "%s%lld", before, (long long)task->id);
		before = ", ";
	}
}

static bool task_update_refuse(struct update *u, struct sv id)
{
	tool_fail(&u->call->result, "Nothing was changed: %s", u->error.ptr);
	task_update_report_data(u, id, NULL);
	return false;
}

static bool task_update_remove_task(struct update *u, struct sv id)
{
	task_update_note(u, "deleted");
	task_update_report_data(u, id, "deleted");
	str_addf(&u->call->result.text, "Task %lld is deleted.", (long long)u->task->id);
	task_list_remove(u->list, u->task->id);
	return true;
}

static bool task_update_change(struct update *u, struct sv id)
{
	struct sv status = json_str_or(task_update_given(u, "status"), SV_EMPTY);
	struct str *text = &u->call->result.text;
	bool moved;

	if (!task_update_may_own(u))
		return task_update_refuse(u, id);
	task_update_set_text(u, "subject", &u->task->subject);
	task_update_set_text(u, "description", &u->task->description);
	task_update_set_text(u, "activeForm", &u->task->active_form);
	task_update_set_text(u, "owner", &u->task->owner);
	task_update_merge_metadata(u);
	moved = task_status_read(&u->task->status, status) && u->task->status != u->before;
	if (moved)
		task_update_note(u, "status");
	task_update_take(u);
	if (!task_update_add_edges(u, "addBlocks", true) ||
	    !task_update_add_edges(u, "addBlockedBy", false))
		return task_update_refuse(u, id);
	task_update_report_data(u, id, moved ? task_status_name(u->task->status) : NULL);
	str_addf(text, u->nfields ? "Task %lld is updated." : "Task %lld is unchanged.",
		 (long long)u->task->id);
	if (moved && u->task->status == TASK_COMPLETED)
		task_update_report_freed(u);
	if (moved && u->task->status == TASK_IN_PROGRESS && task_is_blocked(u->list, u->task))
		str_adds(text, " It still waits for unfinished tasks; see TaskGet.");
	return u->nfields > 0;
}

static bool update(struct tool_call *call, struct task_list *list)
{
	struct update u = { .call = call, .list = list };
	struct sv id = json_str_or(json_get(call->input, "taskId"), SV_EMPTY);
	bool changed;

	u.task = task_named(list, id);
	if (!u.task) {
		task_describe_unknown(&u.error, list, id);
		changed = task_update_refuse(&u, id);
	} else {
		u.before = u.task->status;
		changed = sv_is(json_str_or(task_update_given(&u, "status"), SV_EMPTY), "deleted")
				  ? task_update_remove_task(&u, id)
				  : task_update_change(&u, id);
	}
	str_clear(&u.error);
	return changed;
}

static bool update_check(const struct tool_call *call, struct err *err)
{
	struct sv subject;

	if (json_str(json_get(call->input, "subject"), &subject) && !sv_trim(subject).len)
		return err_set(err, ERR_INVALID,
			       "`subject` is empty: omit it to keep the current one.");
	return true;
}

static struct op *update_start(struct tool_call *call, struct then then)
{
	return task_change(call, update, then);
}

#define TEXT "{\"type\":\"string\"}"
#define IDS  "{\"type\":\"array\",\"items\":" TEXT "}"

const struct tool tool_task_update = {
	.name = "TaskUpdate",
	.page = tool_task_update_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"taskId\":" TEXT ",\"subject\":" TEXT ",\"description\":" TEXT
			  ",\"activeForm\":" TEXT ",\"status\":{\"type\":\"string\",\"enum\":"
			  "[\"pending\",\"in_progress\",\"completed\",\"deleted\"]},"
			  "\"addBlocks\":" IDS ",\"addBlockedBy\":" IDS ",\"owner\":" TEXT
			  ",\"metadata\":{\"type\":\"object\"}},"
			  "\"required\":[\"taskId\"],\"additionalProperties\":false}"),
	.hidden = true,
	.keeps_tasks = true,
	.check = update_check,
	.perm_request = task_perm_request,
	.start = update_start,
};
