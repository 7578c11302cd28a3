/* tui_shell.h - the user's own commands: "! make". */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_SHELL_H
#define AWL_FRONT_TUI_PROMPT_TUI_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct control_reply;
struct editor_look;
struct page;
struct tui;

/* Runs a prompt that begins with an exclamation mark; false: it does not. */
bool tui_shell(struct tui *t, struct sv text);
void tui_draw_shell(struct tui *t, struct page *page);
bool tui_shell_runs(const struct tui *t);
/* False: it is not of the command that runs. */
bool tui_shell_on_output(struct tui *t, struct sv id, struct sv text);
bool tui_shell_on_reply(struct tui *t, const struct control_reply *reply);
/* How the prompt looks while it is such a command. */
void tui_shell_look(const struct tui *t, struct editor_look *look);
/* When the command began. */
int64_t tui_shell_since(const struct tui *t);

/* Called by tui.c. */
void tui_shell_init(struct tui *t);
void tui_shell_free(struct tui *t);

#endif
