/* tui_start.h - questions before the session begins. */
#ifndef AWL_FRONT_TUI_TUI_START_H
#define AWL_FRONT_TUI_TUI_START_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct key;
struct page;
struct tui;

/* The user has chosen this option. */
typedef void tui_start_fn(struct tui *t, size_t option);

/* Opens a question if one has to be answered before the session begins; false: none has. */
bool tui_start(struct tui *t);
void tui_start_open(struct tui *t, const char *title, tui_start_fn *chosen, size_t exit);
void tui_start_add(struct tui *t, const char *option);
void tui_start_key(struct tui *t, const struct key *key);
void tui_draw_start(struct tui *t, struct page *page, size_t max_rows);
/* Whether keys can answer the question. */
void tui_start_show(struct tui *t, bool is_shown);
bool tui_start_is_open(const struct tui *t);
bool tui_start_is_shown(const struct tui *t);
/* The lines of the question. */
struct str *tui_start_text(struct tui *t);

/* Called by tui.c. */
void tui_start_init(struct tui *t);
void tui_start_stop(struct tui *t);
void tui_start_free(struct tui *t);

#endif
