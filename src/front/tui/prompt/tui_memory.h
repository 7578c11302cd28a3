/* tui_memory.h - lines for the instruction files: "# use tabs", and /memory. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_MEMORY_H
#define AWL_FRONT_TUI_PROMPT_TUI_MEMORY_H

#include <stdbool.h>

#include "base/str.h"

struct tui;

/* Whether a prompt is a line for an instruction file. */
bool tui_memory_is_entry(struct sv text);
/* Asks which file gets it; false: it is a prompt like any other. */
bool tui_memory(struct tui *t, struct sv text);
void tui_command_memory(struct tui *t, struct sv rest);

/* Called by tui.c. */
void tui_memory_init(struct tui *t);
void tui_memory_free(struct tui *t);

#endif
