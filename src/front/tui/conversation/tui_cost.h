/* tui_cost.h - what the session costs, and how full its context is. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_COST_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_COST_H

#include "base/str.h"

struct event;
struct event_result;
struct tui;

void tui_cost_begin(struct tui *t, double usd); /* that the session has cost before */
void tui_cost_on_event(struct tui *t, const struct event *event);
void tui_cost_check(struct tui *t); /* a turn has ended */
/* Appends "$0.25 · 12% context · ", as far as it is known. */
void tui_cost_add_facts(const struct tui *t, struct str *out);
/* Appends " · $0.25": what the turn has cost so far. */
void tui_cost_add_turn(const struct tui *t, struct str *out);
/* A turn has ended: what it cost. */
void tui_show_cost(struct tui *t, const struct event_result *result);

/* Called by tui.c. */
void tui_cost_init(struct tui *t);
void tui_cost_free(struct tui *t);

#endif
