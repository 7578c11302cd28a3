/* tui_history.h - earlier prompts, also of other sessions. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_HISTORY_H
#define AWL_FRONT_TUI_PROMPT_TUI_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct line_history;
struct tui;

struct tui_history {
	struct line_history *lines;
	int64_t since;  /* when this session was opened */
	bool is_loaded; /* the prompts of other sessions are part of it */
};

void tui_history_init(struct tui *t);
void tui_history_add(struct tui *t, struct sv text); /* it is on its way */
void tui_history_load(struct tui *t);                /* the user looks for an earlier one */

/* Called by tui.c. */
void tui_history_clear(struct tui *t);

#endif
