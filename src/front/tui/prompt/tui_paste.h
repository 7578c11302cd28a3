/* tui_paste.h - pastes. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_PASTE_H
#define AWL_FRONT_TUI_PROMPT_TUI_PASTE_H

#include "base/str.h"

struct tui;

void tui_paste_add(struct tui *t, struct sv text);
/* It is complete. */
void tui_paste_end(struct tui *t);

/* Called by tui.c. */
void tui_paste_init(struct tui *t);
void tui_paste_free(struct tui *t);

#endif
