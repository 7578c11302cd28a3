#include "front/tui/view/todos.h"

static void todo_clear(struct todo *todo)
{
	str_clear(&todo->id);
	str_clear(&todo->text);
}

void todos_clear(struct todos *todos)
{
	for (size_t i = 0; i < todos->items.n; i++)
		todo_clear(&todos->items.at[i]);
	vec_clear(&todos->items);
}

static struct sv todo_member(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static enum todo_status todo_status_read(struct sv name)
{
	return sv_is(name, "completed")     ? TODO_DONE
	       : sv_is(name, "in_progress") ? TODO_ACTIVE
					    : TODO_PENDING;
}

bool todos_is_tool(struct sv tool)
{
	return sv_is(tool, "TodoWrite") || sv_is(tool, "TaskCreate") || sv_is(tool, "TaskUpdate");
}

static void todos_replace(struct todos *todos, struct json list)
{
	struct json_iter it = json_each(list);
	struct json item;

	todos_clear(todos);
	while (json_next(&it, NULL, &item)) {
		struct todo *todo = vec_add(&todos->items);

		str_set(&todo->text, todo_member(item, "content"));
		todo->status = todo_status_read(todo_member(item, "status"));
	}
}

static void todos_create(struct todos *todos, struct json input, struct json data)
{
	struct todo *todo = vec_add(&todos->items);

	str_set(&todo->text, todo_member(input, "subject"));
	str_set(&todo->id, todo_member(json_get(data, "task"), "id"));
}

static void todos_update(struct todos *todos, struct json input)
{
	struct sv id = todo_member(input, "taskId"), status = todo_member(input, "status");

	for (size_t i = 0; i < todos->items.n; i++) {
		struct todo *todo = &todos->items.at[i];

		if (!sv_eq(sv_of(&todo->id), id))
			continue;
		if (sv_is(status, "deleted")) {
			todo_clear(todo);
			vec_remove(&todos->items, i);
			return;
		}
		if (status.len)
			todo->status = todo_status_read(status);
		if (todo_member(input, "subject").len)
			str_set(&todo->text, todo_member(input, "subject"));
		return;
	}
}

void todos_apply(struct todos *todos, struct sv tool, struct json input, struct json data)
{
	if (sv_is(tool, "TodoWrite"))
		todos_replace(todos, json_get(input, "todos"));
	else if (sv_is(tool, "TaskCreate"))
		todos_create(todos, input, data);
	else if (sv_is(tool, "TaskUpdate"))
		todos_update(todos, input);
}

size_t todos_count(const struct todos *todos, enum todo_status status)
{
	size_t n = 0;

	for (size_t i = 0; i < todos->items.n; i++)
		n += todos->items.at[i].status == status;
	return n;
}

/* --- rows ---------------------------------------------------------------------------- */

static void todo_draw(const struct todo *todo, struct page *page, const struct view *view)
{
	const struct theme *theme = view->theme;
	struct style text = theme->text;

	switch (todo->status) {
	case TODO_DONE:
		text = theme->dim;
		text.attrs |= STYLE_STRIKE;
		page_add(page, SV("  ✔ "), theme->success);
		break;
	case TODO_ACTIVE:
		text.attrs |= STYLE_BOLD;
		page_add(page, SV("  ▸ "), theme->accent);
		break;
	case TODO_PENDING: page_add(page, SV("  ☐ "), theme->dim); break;
	}
	view_add_cut(page, sv_of(&todo->text), text, view->columns);
	page_end_row(page);
}

void todos_draw(const struct todos *todos, struct page *page, const struct view *view,
		size_t max_rows)
{
	size_t n = todos->items.n, done = todos_count(todos, TODO_DONE), skipped = 0, rows = 0;
	size_t too_many = n > max_rows ? n - max_rows + 1 : 0; /* a row says what is omitted */

	if (too_many && done > 1) {
		skipped = min_of(done, too_many + 1);
		page_addf(page, view->theme->success, "  ✔ ");
		page_addf(page, view->theme->dim, "%zu done", skipped);
		page_end_row(page);
		rows++;
	}
	for (size_t i = 0, gone = 0, left = n - skipped; i < n; i++) {
		if (todos->items.at[i].status == TODO_DONE && gone < skipped) {
			gone++;
			continue;
		}
		if (rows + 1 >= max_rows && left > 1) {
			view_aside(page, view, "    … %zu more", left);
			return;
		}
		todo_draw(&todos->items.at[i], page, view);
		rows++;
		left--;
	}
}
