/* tui_terminal.h - what is typed, the replies of the terminal and its signals. */
#ifndef AWL_FRONT_TUI_TUI_TERMINAL_H
#define AWL_FRONT_TUI_TUI_TERMINAL_H

#include <stdbool.h>

struct err;
struct tui;

void tui_suspend(struct tui *t);
/* Leaves the terminal to another program, and takes it back. */
void tui_lend(struct tui *t);
void tui_return(struct tui *t);
/* Takes all keys that have been typed so far. */
void tui_catch_up(struct tui *t);
/* Opens it and guesses what it can do; false: `err` says why not. */
bool tui_terminal_open(struct tui *t, struct err *err);
/* Keys and signals arrive from now on, until the user leaves. */
void tui_terminal_listen(struct tui *t);
/* Asks the terminal what it can do. Nobody waits for the replies. */
void tui_terminal_query(struct tui *t);
/* What the terminal still has to say must not be taken for input of the shell. */
void tui_terminal_drain(struct tui *t);
/* The last reply to those queries has come. */
void tui_terminal_on_attributes(struct tui *t);
/* After the session: no signal arrives any more. */
void tui_terminal_unwatch(struct tui *t);

/* Called by tui.c. */
void tui_terminal_init(struct tui *t);
void tui_terminal_stop(struct tui *t);
void tui_terminal_free(struct tui *t);

#endif
