/* tui_plugins.h - the plugins: a list, and what can be done with one. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_PLUGINS_H
#define AWL_FRONT_TUI_COMMANDS_TUI_PLUGINS_H

#include <stdbool.h>

struct tui;

void tui_plugins_open(struct tui *t);
/* /plugin was answered. */
void tui_plugins_on_result(struct tui *t, bool failed);

/* Called by tui.c. */
void tui_plugins_init(struct tui *t);
void tui_plugins_free(struct tui *t);

#endif
