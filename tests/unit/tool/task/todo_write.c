#include "tool/errand.h"

#define FIRST "[{\"content\":\"Write\",\"status\":\"in_progress\",\"activeForm\":\"Writing\"}]"
#define SECOND                                                                                 \
	"[{\"content\":\"Gr\xc3\xbc\xc3\x9f\",\"status\":\"completed\",\"activeForm\":\"G\"}," \
	"{\"content\":\"Two\",\"status\":\"in_progress\",\"activeForm\":\"T\"},"               \
	"{\"content\":\"Three\",\"status\":\"in_progress\",\"activeForm\":\"T\"}]"

TEST(each_list_replaces_the_one_before)
{
	ERRAND(e);

	errand_run(&e, &tool_todo_write, "{\"todos\":" FIRST "}");
	CHECK_SV(sv_of(&e.ctx.todos), FIRST);
	CHECK_SV(sv_of(&e.call.result.data), "{\"oldTodos\":[],\"newTodos\":" FIRST "}");
	errand_run(&e, &tool_todo_write, "{\"todos\":" SECOND "}");
	CHECK_SV(sv_of(&e.ctx.todos), SECOND);
	CHECK_SV(sv_of(&e.call.result.data), "{\"oldTodos\":" FIRST ",\"newTodos\":" SECOND "}");
	CHECK(!e.call.result.is_error && errand_text(&e).len > 0);
	errand_run(&e, &tool_todo_write, "{\"todos\":[]}");
	CHECK_SV(sv_of(&e.ctx.todos), "[]");
}

TEST(a_task_without_content_is_refused_by_its_place)
{
	ERRAND(e);
	struct err err = errand_check(
		&e, &tool_todo_write,
		"{\"todos\":[{\"content\":\"a\",\"status\":\"pending\",\"activeForm\":\"a\"},"
		"{\"content\":\" \\n\",\"status\":\"pending\",\"activeForm\":\"b\"}]}");

	CHECK_ERR(err, ERR_INVALID, "todos[1].content");
}

TEST(a_list_touches_nothing_and_runs_alone)
{
	ERRAND(e);
	struct perm_request perm_request = { .access = ACCESS_OTHER };
	struct arena arena = ARENA_INIT;

	errand_check(&e, &tool_todo_write, "{\"todos\":[]}");
	tool_todo_write.perm_request(&e.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_NONE);
	CHECK(!tool_todo_write.is_concurrent);
}
