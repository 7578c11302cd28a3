/* tui_context.h - what fills the model's window. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_CONTEXT_H
#define AWL_FRONT_TUI_COMMANDS_TUI_CONTEXT_H

#include <stdbool.h>

#include "base/str.h"

struct control_reply;
struct tui;

void tui_context_open(struct tui *t, struct sv text);
bool tui_context_on_reply(struct tui *t, const struct control_reply *reply);

#endif
