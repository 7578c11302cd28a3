/* tui_tips.h - tips and words while the user waits. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_TIPS_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_TIPS_H

#include <stdint.h>

#include "base/str.h"

struct page;
struct tui;

void tui_tips_load(struct tui *t);
/* What the model is said to be doing while nothing is known. */
struct sv tui_verb(const struct tui *t);
/* A turn has taken so long. */
void tui_draw_tip(struct tui *t, struct page *page, int64_t ms);

/* Called by tui.c. */
void tui_tips_init(struct tui *t);
void tui_tips_free(struct tui *t);

#endif
