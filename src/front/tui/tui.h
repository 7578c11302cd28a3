/* tui.h - the front end for a person at a terminal that can draw.
 *
 * What was said stays where it was printed and belongs to the terminal's scrollback. Only the rows at the bottom are
 * repainted: what is being written, what is running, the prompt or a question. */
#ifndef AWL_FRONT_TUI_TUI_H
#define AWL_FRONT_TUI_TUI_H

#include "front/chat.h"
#include "term/tty.h"

/* What the environment says about the terminal. */
void tui_read_env(struct tty_env *env);
/* Whether standard input and output are a terminal that can be drawn on. */
bool tui_can_draw(void);

/* Returns the exit status: 0 when the user left, 128 + N after signal N. */
int front_tui(const struct chat_opts *opts);

#endif
