#include "tool/builtins.h"
#include "tool/task/task_job.h"

enum { MAX_RESULT = 50000 };

static void task_list_put(struct str *out, const struct task_list *list)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "tasks");
	for (size_t i = 0; i < list->tasks.n; i++) {
		const struct task_item *task = &list->tasks.at[i];

		jw_object(&w);
		jw_put_strf(&w, "id", "%lld", (long long)task->id);
		jw_put_str(&w, "subject", sv_of(&task->subject));
		jw_put_str(&w, "status", sv_cstr(task_status_name(task->status)));
		if (task->owner.len)
			jw_put_str(&w, "owner", sv_of(&task->owner));
		task_put_blocked_by(&w, list, task, true);
		jw_end(&w);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void task_list_add_waiting(struct str *out, const struct task_list *list,
				  const struct task_item *task)
{
	const char *before = " (waits for ";

	if (!task_is_blocked(list, task))
		return;
	for (size_t i = 0; i < task->blocked_by.n; i++) {
		if (task_list_find(list, task->blocked_by.at[i])->status == TASK_COMPLETED)
			continue;
		str_addf(out, "%s%lld", before, (long long)task->blocked_by.at[i]);
		before = ", ";
	}
	str_addc(out, ')');
}

/* One line per task; of a longer subject its first line. */
static void task_list_add_line(struct str *out, const struct task_list *list,
			       const struct task_item *task)
{
	struct sv rest = sv_of(&task->subject), line = SV_EMPTY;

	sv_cut_line(&rest, &line);
	str_addf(out, "%s%lld %s: %.*s", out->len ? "\n" : "", (long long)task->id,
		 task_status_name(task->status), SV_ARG(line));
	if (task->owner.len)
		str_addf(out, " [%s]", task->owner.ptr);
	task_list_add_waiting(out, list, task);
}

static bool task_list_show(struct tool_call *call, struct task_list *list)
{
	task_list_put(&call->result.data, list);
	for (size_t i = 0; i < list->tasks.n; i++)
		task_list_add_line(&call->result.text, list, &list->tasks.at[i]);
	if (!list->tasks.n)
		str_adds(&call->result.text, "There are no tasks.");
	return false;
}

static struct op *list_start(struct tool_call *call, struct then then)
{
	return task_look(call, task_list_show, then);
}

const struct tool tool_task_list_tool = {
	.name = "TaskList",
	.page = tool_task_list_tool_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"),
	.max_result = MAX_RESULT,
	.hidden = true,
	.keeps_tasks = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.perm_request = task_perm_request,
	.start = list_start,
};
