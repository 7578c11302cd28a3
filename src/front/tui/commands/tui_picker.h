/* tui_picker.h - the picker of sessions. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_PICKER_H
#define AWL_FRONT_TUI_COMMANDS_TUI_PICKER_H

#include <stdbool.h>
#include <stddef.h>

struct key;
struct page;
struct tui;

void tui_choose_session(struct tui *t);
void tui_picker_key(struct tui *t, const struct key *key);
bool tui_picker_is_open(const struct tui *t);
void tui_draw_picker(struct tui *t, struct page *page, size_t max_rows);

/* Called by tui.c. */
void tui_picker_stop(struct tui *t);
void tui_picker_init(struct tui *t);
void tui_picker_free(struct tui *t);

#endif
