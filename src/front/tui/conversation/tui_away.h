/* tui_away.h - a recap for a user who returns. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_AWAY_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_AWAY_H

#include <stdbool.h>

struct control_reply;
struct tui;

/* The terminal has got or lost the focus, or the session rests. */
void tui_away_follow(struct tui *t);
bool tui_away_on_reply(struct tui *t, const struct control_reply *reply);
/* A turn has ended: another recap may be wanted. */
void tui_away_on_turn(struct tui *t);

/* Called by tui.c. */
void tui_away_init(struct tui *t);
void tui_away_stop(struct tui *t);
void tui_away_free(struct tui *t);

#endif
