/* tui_menu.h - the menu of completions. */
#ifndef AWL_FRONT_TUI_PROMPT_TUI_MENU_H
#define AWL_FRONT_TUI_PROMPT_TUI_MENU_H

#include <stdbool.h>
#include <stddef.h>

#include "text/json/json.h"

struct control_reply;
struct key;
struct page;
struct tui;

void tui_menu_load(struct tui *t,
		   struct json reply); /* the commands, from the reply to chat_begin() */
void tui_menu_on_reply(struct tui *t, const struct control_reply *reply);
void tui_menu_follow(struct tui *t); /* the text or the cursor has changed */
bool tui_menu_is_open(const struct tui *t);
void tui_menu_close(struct tui *t);
void tui_menu_previous(struct tui *t);
void tui_menu_next(struct tui *t);
void tui_menu_accept(struct tui *t);
void tui_menu_dismiss(struct tui *t);
/* Whether the key wants completions for a command for the shell ("!make"). */
bool tui_menu_complete(struct tui *t, const struct key *key);
/* Enter: completes what is selected. False: the prompt can be sent. */
bool tui_menu_enter(struct tui *t);
void tui_draw_menu(struct tui *t, struct page *page, size_t max_rows);

/* Called by tui.c. */
void tui_menu_init(struct tui *t);
void tui_menu_free(struct tui *t);

#endif
