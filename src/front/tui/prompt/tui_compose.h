/* tui_compose.h - writing a prompt in the user's own editor. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_COMPOSE_H
#define AWL_FRONT_TUI_PROMPT_TUI_COMPOSE_H

#include <stdbool.h>

#include "base/str.h"

struct tui;

/* The user has left the editor; `text` is what a file of ours contains now. NULL where nobody wants to know. */
typedef void tui_composed_fn(struct tui *t, struct sv text);

void tui_compose(struct tui *t);
void tui_edit_keybindings(struct tui *t);
/* Lets the user edit a text of ours in a file of this name, or a file of theirs. */
void tui_compose_text(struct tui *t, struct sv text, const char *name, tui_composed_fn *done);
void tui_compose_file(struct tui *t, struct sv path, tui_composed_fn *done);
bool tui_compose_runs(const struct tui *t);

/* Called by tui.c. */
void tui_compose_init(struct tui *t);
void tui_compose_stop(struct tui *t);
void tui_compose_free(struct tui *t);

#endif
