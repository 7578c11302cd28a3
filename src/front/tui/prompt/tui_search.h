/* tui_search.h - the search of earlier prompts. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_SEARCH_H
#define AWL_FRONT_TUI_PROMPT_TUI_SEARCH_H

#include <stdbool.h>

struct key;
struct page;
struct tui;

void tui_search_begin(struct tui *t);
void tui_search_key(struct tui *t, const struct key *key);
void tui_draw_search(struct tui *t, struct page *page);
bool tui_search_is_open(const struct tui *t);

/* Called by tui.c. */
void tui_search_init(struct tui *t);
void tui_search_free(struct tui *t);

#endif
