/* tui_command.h - slash commands that the screen carries out itself. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_COMMAND_H
#define AWL_FRONT_TUI_COMMANDS_TUI_COMMAND_H

#include <stdbool.h>

#include "base/str.h"

struct tui;

/* Carries out a command of the screen; false: the text is for the session. */
bool tui_command(struct tui *t, struct sv text);
/* Resumes another session in place of this one. False: a turn runs, and a note says so. */
bool tui_switch_session(struct tui *t, struct sv session);

#endif
