/* tui_list.h - a list to choose from, in the place of the prompt. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_LIST_H
#define AWL_FRONT_TUI_COMMANDS_TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct key;
struct page;
struct tui;

/* The user has chosen the item with this value, or nothing. */
typedef void tui_list_fn(struct tui *t, bool is_chosen, struct sv value);

void tui_list_open(struct tui *t, const char *title, tui_list_fn *chosen);
void tui_list_add(struct tui *t, struct sv value, struct sv name, struct sv detail);
void tui_list_key(struct tui *t, const struct key *key);
void tui_draw_list(struct tui *t, struct page *page, size_t max_rows);
/* A row with something to choose. Its detail begins at `column`; at 0, a short one ends at the right edge. */
void tui_draw_item(struct tui *t, struct page *page, struct sv name, struct sv detail,
		   size_t column, bool is_selected);
/* The list stays open with its filter, to be filled again; then tui_list_settle() selects what is near the old place. */
void tui_list_drop_items(struct tui *t);
void tui_list_settle(struct tui *t);
bool tui_list_is_open(const struct tui *t);
/* Whether the list is open that calls this. */
bool tui_list_is_of(const struct tui *t, tui_list_fn *chosen);

/* Called by tui.c. */
void tui_list_init(struct tui *t);
void tui_list_free(struct tui *t);

#endif
