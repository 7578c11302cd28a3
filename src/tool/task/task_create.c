#include "base/mem.h"
#include "tool/builtins.h"
#include "tool/task/task_job.h"

static struct sv task_create_member(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

static bool create_check(const struct tool_call *call, struct err *err)
{
	if (!sv_trim(task_create_member(call, "subject")).len)
		return err_set(err, ERR_INVALID,
			       "`subject` is empty: say in a few words what to do.");
	return true;
}

static void task_create_report(struct tool_call *call, const struct task_item *task)
{
	struct jw w;

	str_addf(&call->result.text, "Created task %lld: %.*s", (long long)task->id,
		 SV_ARG(sv_of(&task->subject)));
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "task");
	jw_put_strf(&w, "id", "%lld", (long long)task->id);
	jw_put_str(&w, "subject", sv_of(&task->subject));
	jw_put_str(&w, "description", sv_of(&task->description));
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static bool create(struct tool_call *call, struct task_list *list)
{
	struct json metadata = json_get(call->input, "metadata");
	struct err err = ERR_INIT;
	struct task_item *task = task_list_add(list, &err);
	struct jw w;

	if (!task)
		return tool_fail(&call->result, "Nothing was added: %s.", err.text);
	str_add(&task->subject, sv_trim(task_create_member(call, "subject")));
	str_add(&task->description, task_create_member(call, "description"));
	str_add(&task->active_form, task_create_member(call, "activeForm"));
	if (json_len(metadata)) {
		jw_init(&w, &task->metadata, JW_COMPACT);
		jw_value(&w, metadata);
		jw_done(&w);
	}
	task_create_report(call, task);
	return true;
}

static struct op *create_start(struct tool_call *call, struct then then)
{
	return task_change(call, create, then);
}

const struct tool tool_task_create = {
	.name = "TaskCreate",
	.page = tool_task_create_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"subject\":{\"type\":\"string\"},"
			  "\"description\":{\"type\":\"string\"},"
			  "\"activeForm\":{\"type\":\"string\"},"
			  "\"metadata\":{\"type\":\"object\"}},"
			  "\"required\":[\"subject\",\"description\"],"
			  "\"additionalProperties\":false}"),
	.hidden = true,
	.keeps_tasks = true,
	.check = create_check,
	.perm_request = task_perm_request,
	.start = create_start,
};
