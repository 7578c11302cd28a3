/* tui_keys.h - what the keys at the prompt mean: actions, vim, submitting, modes. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_KEYS_H
#define AWL_FRONT_TUI_PROMPT_TUI_KEYS_H

#include <stdbool.h>

struct key_event;
struct tui;

void tui_on_key(void *arg, const struct key_event *event);
void tui_keys_submit(struct tui *t);
void tui_begin_draft(struct tui *t); /* an empty prompt */
/* A question appears. */
void tui_keys_on_question(struct tui *t);
/* Whether the user was writing when it appeared, and has not paused since. */
bool tui_keys_are_typed(const struct tui *t);

/* Called by tui.c. */
void tui_keys_init(struct tui *t);
void tui_keys_free(struct tui *t);

#endif
