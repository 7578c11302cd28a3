/* tui_agent.h - the agents, and the screen of one. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_AGENT_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_AGENT_H

#include <stdbool.h>

struct control_reply;
struct editor;
struct event;
struct key;
struct tui;

void tui_agents_on_event(struct tui *t, const struct event *event);
/* Lets the user choose an agent; false: there is none. */
bool tui_agents_open(struct tui *t);
bool tui_agent_is_open(const struct tui *t);
void tui_agent_key(struct tui *t, const struct key *key);
void tui_draw_agent(struct tui *t);
bool tui_agent_on_reply(struct tui *t, const struct control_reply *reply);
/* Where the user writes to the agent. */
struct editor *tui_agent_editor(struct tui *t);

/* Called by tui.c. */
void tui_agents_init(struct tui *t);
void tui_agents_free(struct tui *t);

#endif
