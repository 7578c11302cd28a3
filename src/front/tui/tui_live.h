/* tui_live.h - draws the state as the rows at the bottom. */
#ifndef AWL_FRONT_TUI_TUI_LIVE_H
#define AWL_FRONT_TUI_TUI_LIVE_H

#include "term/page.h"
#include "term/screen.h"

struct tui;

/* Takes into account what has arrived of the answer. */
void tui_advance_answer(struct tui *t);
void tui_draw_live(struct tui *t, struct page *page, struct screen_cursor *cursor);
void tui_draw_rule(struct tui *t, struct page *page, struct style style);

#endif
