/* tui_copy.h - answers go to the clipboard. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_COPY_H
#define AWL_FRONT_TUI_COMMANDS_TUI_COPY_H

#include <stdbool.h>

#include "base/str.h"

struct tui;

void tui_copy(struct tui *t, struct sv rest);
/* Copies a text to the clipboard, and leaves after that if `leaves` is set. */
void tui_copy_text(struct tui *t, struct sv text, bool leaves);
void tui_keep_answer(struct tui *t, struct sv text);

/* Called by tui.c. */
void tui_copy_init(struct tui *t);
void tui_copy_stop(struct tui *t);
void tui_copy_free(struct tui *t);

#endif
