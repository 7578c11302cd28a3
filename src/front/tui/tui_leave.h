/* tui_leave.h - what is asked before the session ends. */
#ifndef AWL_FRONT_TUI_TUI_LEAVE_H
#define AWL_FRONT_TUI_TUI_LEAVE_H

#include <stdbool.h>

struct control_reply;
struct tui;

/* The user wants to leave: does it, unless commands still run in the background and this is the first time, or there is
 * work in a worktree that may stay or be removed. */
void tui_ask_to_leave(struct tui *t, int status);
bool tui_leave_on_reply(struct tui *t, const struct control_reply *reply);

/* Called by tui.c. */
void tui_leave_init(struct tui *t);
void tui_leave_free(struct tui *t);

#endif
