/* tui_help.h - the keys in short. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_HELP_H
#define AWL_FRONT_TUI_PROMPT_TUI_HELP_H

#include <stdbool.h>
#include <stddef.h>

struct key;
struct page;
struct tui;

/* Whether the key asked for them; any other key hides them. */
bool tui_help_key(struct tui *t, const struct key *key);
/* False: they are not shown. */
bool tui_draw_help(struct tui *t, struct page *page, size_t max_rows);

#endif
