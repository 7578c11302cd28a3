#include "front/tui/view/todos.h"

#include "test.h"

static void apply(struct todos *todos, const char *tool, const char *input, const char *data)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *in = json_parse(sv_cstr(input), 0, &err);
	defer(json_doc_freep) struct json_doc *out = json_parse(sv_cstr(data), 0, &err);

	CHECK(todos_is_tool(sv_cstr(tool)));
	todos_apply(todos, sv_cstr(tool), json_root(in), json_root(out));
}

static void check(const struct todos *todos, size_t max_rows, const char *expected)
{
	const struct view view = { .theme = theme_find(SV("ansi"), TTY_BACKGROUND_UNKNOWN),
				   .columns = 40 };
	defer(str_clear) struct str rows = STR_INIT;
	struct page page = { .cells = 0 };

	todos_draw(todos, &page, &view, max_rows);
	for (size_t i = 0; i < page.rows.n; i++)
		str_addf(&rows, "%.*s\n", SV_ARG(sv_trim(page_row_text(&page, i))));
	CHECK_STR(str_c(&rows), expected);
	CHECK(page.rows.n <= max_rows);
	page_clear(&page);
}

TEST(a_list_follows_the_calls_that_write_it)
{
	struct todos todos = { .items = VEC_INIT };

	apply(&todos, "TaskCreate", "{\"subject\":\"one\"}", "{\"task\":{\"id\":\"1\"}}");
	apply(&todos, "TaskCreate", "{\"subject\":\"two\"}", "{\"task\":{\"id\":\"2\"}}");
	apply(&todos, "TaskUpdate", "{\"taskId\":\"2\",\"status\":\"in_progress\"}", "{}");
	check(&todos, 9, "☐ one\n▸ two\n");
	apply(&todos, "TaskUpdate", "{\"taskId\":\"1\",\"status\":\"deleted\"}", "{}");
	apply(&todos, "TaskUpdate", "{\"taskId\":\"7\",\"status\":\"deleted\"}", "{}");
	apply(&todos, "TaskUpdate", "{\"taskId\":\"2\",\"subject\":\"2\",\"status\":\"completed\"}",
	      "{}");
	check(&todos, 9, "✔ 2\n");
	CHECK_INT(todos_count(&todos, TODO_DONE), 1);
	apply(&todos, "TodoWrite", "{\"todos\":[{\"content\":\"x\",\"status\":\"pending\"}]}",
	      "{}");
	check(&todos, 9, "☐ x\n");
	todos_clear(&todos);
}

TEST(a_long_list_shows_what_is_left_to_do)
{
	struct todos todos = { .items = VEC_INIT };

	for (size_t i = 0; i < 8; i++) {
		struct todo *todo = vec_add(&todos.items);

		str_addf(&todo->text, "t%zu", i);
		todo->status = i < 4 ? TODO_DONE : i == 4 ? TODO_ACTIVE : TODO_PENDING;
	}
	check(&todos, 8, "✔ t0\n✔ t1\n✔ t2\n✔ t3\n▸ t4\n☐ t5\n☐ t6\n☐ t7\n");
	check(&todos, 6, "✔ 4 done\n▸ t4\n☐ t5\n☐ t6\n☐ t7\n");
	check(&todos, 4, "✔ 4 done\n▸ t4\n☐ t5\n… 2 more\n");
	todos_clear(&todos);
}
