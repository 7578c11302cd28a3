/* tui_prompt.h - prompts on their way to the session: sent, queued, taken back. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_PROMPT_H
#define AWL_FRONT_TUI_PROMPT_TUI_PROMPT_H

#include <stdbool.h>

#include "base/str.h"
#include "proto/event.h"

struct page;
struct tui;

void tui_submit(struct tui *t, struct sv text);
void tui_on_prompt_state(struct tui *t, struct sv uuid, enum prompt_state state);
/* Takes the newest prompt that waits back into the editor; false: none waits. */
bool tui_take_back(struct tui *t);
void tui_draw_queue(struct tui *t, struct page *page);
/* Whether prompts wait for the session. */
bool tui_prompts_wait(const struct tui *t);

/* Called by tui.c. */
void tui_prompts_init(struct tui *t);
void tui_prompts_free(struct tui *t);

#endif
