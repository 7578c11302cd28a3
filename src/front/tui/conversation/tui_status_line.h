/* tui_status_line.h - what the user's own command prints below the prompt. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_STATUS_LINE_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_STATUS_LINE_H

#include <stdbool.h>

struct control_reply;
struct event;
struct page;
struct tui;

void tui_status_line_load(struct tui *t);   /* the settings */
void tui_status_line_begin(struct tui *t);  /* the session has begun */
void tui_status_line_reload(struct tui *t); /* the settings may have changed */
void tui_status_line_on_event(struct tui *t, const struct event *event);
void tui_status_line_on_reply(struct tui *t, const struct control_reply *reply);
/* Runs the command soon, if its input has changed. */
void tui_status_line_follow(struct tui *t);
void tui_draw_status_line(struct tui *t, struct page *page);
bool tui_status_line_hides_vim(const struct tui *t);

/* Called by tui.c. */
void tui_status_line_init(struct tui *t);
void tui_status_line_stop(struct tui *t);
void tui_status_line_free(struct tui *t);

#endif
