/* tui_first_run.h - no model is set up yet. */
#ifndef AWL_FRONT_TUI_TUI_FIRST_RUN_H
#define AWL_FRONT_TUI_TUI_FIRST_RUN_H

#include <stdbool.h>

struct tui;

/* Asks what to do without a model; false: there is one. */
bool tui_first_run(struct tui *t);

/* Called by tui.c. */
void tui_first_run_init(struct tui *t);
void tui_first_run_stop(struct tui *t);
void tui_first_run_free(struct tui *t);

#endif
