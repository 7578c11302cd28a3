#include "base/mem.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

static bool todo_check(const struct tool_call *call, struct err *err)
{
	struct json_iter it = json_each(json_get(call->input, "todos"));
	struct json todo;

	for (size_t i = 0; json_next(&it, NULL, &todo); i++)
		if (!sv_trim(json_str_or(json_get(todo, "content"), SV_EMPTY)).len)
			return err_set(err, ERR_INVALID, "`todos[%zu].content` is empty.", i);
	return true;
}

static void todo_perm_request(__attribute__((unused)) const struct tool_call *call,
			      __attribute__((unused)) struct arena *arena, struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static void todo_write_replace_todos(struct tool_call *call)
{
	struct str *todos = &call->ctx->todos;
	struct tool_result *result = &call->result;
	struct jw w;

	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_raw(&w, "oldTodos", todos->len ? sv_of(todos) : SV("[]"));
	jw_put_value(&w, "newTodos", json_get(call->input, "todos"));
	jw_end(&w);
	jw_done(&w);

	str_truncate(todos, 0);
	jw_init(&w, todos, JW_COMPACT);
	jw_value(&w, json_get(call->input, "todos"));
	jw_done(&w);
	str_adds(&result->text, "The list is updated. Continue with the task in progress.");
}

static void todo_cancel(__attribute__((unused)) struct op *op)
{
}

static void todo_free(struct op *op)
{
	free(op);
}

static const struct op_type todo_type = { .name = "TodoWrite",
					  .cancel = todo_cancel,
					  .free = todo_free };

/* The work is done before this returns; only `done` comes later. */
static struct op *todo_start(struct tool_call *call, struct then then)
{
	struct op *op = xnew(struct op);

	op_init(op, &todo_type, call->ctx->loop, then);
	todo_write_replace_todos(call);
	op_finish(op, NULL);
	return op;
}

const struct tool tool_todo_write = {
	.name = "TodoWrite",
	.page = tool_todo_write_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"todos\":{\"type\":\"array\","
			  "\"items\":{\"type\":\"object\",\"properties\":{\"content\":{\"type\":"
			  "\"string\",\"description\":\"What to do: Run the "
			  "tests\"},\"status\":{\"type\":\"string\",\"enum\":[\"pending\",\"in_"
			  "progress\",\"completed\"]},\"activeForm\":{\"type\":\"string\","
			  "\"description\":\"Shown while in progress: Running the "
			  "tests\"}},\"required\":[\"content\",\"status\",\"activeForm\"],"
			  "\"additionalProperties\":false}}},\"required\":[\"todos\"],"
			  "\"additionalProperties\":false}"),
	.keeps_tasks = true,
	.check = todo_check,
	.perm_request = todo_perm_request,
	.start = todo_start,
};
