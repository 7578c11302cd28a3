#include "tool/builtins.h"
#include "tool/task/task_job.h"

static void task_get_add_ids(struct str *out, const char *before, struct json ids)
{
	struct json_iter it = json_each(ids);
	struct json id;

	for (bool first = true; json_next(&it, NULL, &id); first = false)
		str_addf(out, "%s%.*s", first ? before : ", ", SV_ARG(json_str_or(id, SV_EMPTY)));
}

static void task_get_put_task(struct str *out, const struct task_list *list,
			      const struct task_item *task)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "task");
	jw_put_strf(&w, "id", "%lld", (long long)task->id);
	jw_put_str(&w, "subject", sv_of(&task->subject));
	jw_put_str(&w, "description", sv_of(&task->description));
	jw_put_str(&w, "status", sv_cstr(task_status_name(task->status)));
	task_put_blocks(&w, list, task);
	task_put_blocked_by(&w, list, task, false);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void task_get_report(struct tool_result *result, const struct task_item *task)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&result->data), 0, &err);
	struct json details = json_get(json_root(doc), "task");
	struct str *text = &result->text;

	str_addf(text, "Task %lld, %s: %s", (long long)task->id, task_status_name(task->status),
		 str_c(&task->subject));
	if (task->owner.len)
		str_addf(text, "\nOwner: %s", task->owner.ptr);
	task_get_add_ids(text, "\nBlocked by: ", json_get(details, "blockedBy"));
	task_get_add_ids(text, "\nBlocks: ", json_get(details, "blocks"));
	if (task->metadata.len)
		str_addf(text, "\nMetadata: %s", task->metadata.ptr);
	if (task->description.len)
		str_addf(text, "\n\n%s", task->description.ptr);
}

static bool get(struct tool_call *call, struct task_list *list)
{
	struct sv id = json_str_or(json_get(call->input, "taskId"), SV_EMPTY);
	const struct task_item *task = task_named(list, id);

	if (task) {
		task_get_put_task(&call->result.data, list, task);
		task_get_report(&call->result, task);
	} else {
		call->result.is_error = true;
		task_describe_unknown(&call->result.text, list, id);
		str_adds(&call->result.data, "{\"task\":null}");
	}
	return false;
}

static struct op *get_start(struct tool_call *call, struct then then)
{
	return task_look(call, get, then);
}

const struct tool tool_task_get = {
	.name = "TaskGet",
	.page = tool_task_get_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"taskId\":{\"type\":\"string\"}},"
			  "\"required\":[\"taskId\"],\"additionalProperties\":false}"),
	.hidden = true,
	.keeps_tasks = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.perm_request = task_perm_request,
	.start = get_start,
};
