/* tui_rewind.h - going back to an earlier prompt. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_REWIND_H
#define AWL_FRONT_TUI_COMMANDS_TUI_REWIND_H

#include <stdbool.h>

struct control_reply;
struct tui;

/* Lets the user choose an earlier prompt to go back to. */
void tui_rewind_open(struct tui *t);
bool tui_rewind_on_reply(struct tui *t, const struct control_reply *reply);
/* /rewind was answered: the prompt before which the conversation continues can be edited. */
void tui_rewind_on_result(struct tui *t, bool failed);

/* Called by tui.c. */
void tui_rewind_init(struct tui *t);
void tui_rewind_free(struct tui *t);

#endif
