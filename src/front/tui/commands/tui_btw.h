/* tui_btw.h - a question beside the conversation. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_BTW_H
#define AWL_FRONT_TUI_COMMANDS_TUI_BTW_H

#include <stdbool.h>

#include "base/str.h"

struct control_reply;
struct page;
struct tui;

void tui_btw(struct tui *t, struct sv rest);
bool tui_btw_on_reply(struct tui *t, const struct control_reply *reply);
void tui_draw_btw(struct tui *t, struct page *page);

/* Called by tui.c. */
void tui_btw_init(struct tui *t);
void tui_btw_free(struct tui *t);

#endif
