/* tui_news.h - notices, retries, commands in the background; the welcome. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_NEWS_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_NEWS_H

#include "base/str.h"
#include "base/vec.h"
#include "term/page.h"

struct event;
struct tui;

/* A command or an agent in the background. */
struct tui_task {
	struct str id, description;
	struct str summary; /* what it does, if it works for long; else empty */
};

typedef VEC(struct tui_task) tui_tasks;

void tui_show_welcome(struct tui *t);
/* Appends the branch of the repository that has `dir`; nothing if it is in none. */
void tui_find_branch(struct str *out, struct sv dir);
void tui_show_notice(struct tui *t, struct style style, struct sv text);
void tui_show_aside(struct tui *t, struct sv text);
void tui_on_news(struct tui *t, const struct event *event);
void tui_on_tasks(struct tui *t, const struct event *event);
void tui_forget_tasks(struct tui *t);
/* NULL: it does not run in the background. */
struct tui_task *tui_find_task(struct tui *t, struct sv id);
/* Something arrives again. */
void tui_end_trouble(struct tui *t);

#endif
