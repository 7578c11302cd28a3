/* tui_notify.h - the title of the window, and notifications. */
#ifndef AWL_FRONT_TUI_TUI_NOTIFY_H
#define AWL_FRONT_TUI_TUI_NOTIFY_H

#include "base/str.h"

struct tui;

void tui_set_title(struct tui *t);
void tui_drop_title(struct tui *t);
/* Tells a user who looks at another window. `text` is one of ours: no sequence can be in it. */
void tui_notify(struct tui *t, const char *text);
/* The same with a text of the model, which the conversation shows, too. */
void tui_notify_of(struct tui *t, struct sv text);

#endif
