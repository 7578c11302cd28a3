/* tui_hooks.h - hooks that run. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_HOOKS_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct event;
struct tui;

struct tui_hook {
	struct str id, label;
	int64_t since;
};

void tui_on_hook(struct tui *t, const struct event *event);
/* One that has run for so long that the user should know; NULL: none has. */
const struct tui_hook *tui_felt_hook(const struct tui *t);
/* Whether any hook runs. */
bool tui_hooks_run(const struct tui *t);

/* Called by tui.c. */
void tui_hooks_init(struct tui *t);
void tui_hooks_free(struct tui *t);

#endif
