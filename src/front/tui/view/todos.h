/* todos.h - the model's to-do list, as its calls leave it, and its rows. Pure. */
#ifndef AWL_FRONT_TUI_VIEW_TODOS_H
#define AWL_FRONT_TUI_VIEW_TODOS_H

#include "front/tui/view/view.h"

enum todo_status { TODO_PENDING, TODO_ACTIVE, TODO_DONE };

struct todo {
	struct str id; /* empty: the list is always written as a whole */
	struct str text;
	enum todo_status status;
};

struct todos {
	VEC(struct todo) items;
};

void todos_clear(struct todos *todos);

/* Whether the tool writes the list. */
bool todos_is_tool(struct sv tool);
/* Applies a call that succeeded; `data` is its result for programs. */
void todos_apply(struct todos *todos, struct sv tool, struct json input, struct json data);
size_t todos_count(const struct todos *todos, enum todo_status status);

/* Appends at most `max_rows` rows: what is done is omitted first, then what comes last. */
void todos_draw(const struct todos *todos, struct page *page, const struct view *view,
		size_t max_rows);

#endif
