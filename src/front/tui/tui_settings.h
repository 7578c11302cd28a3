/* tui_settings.h - what the user has configured about the screen and the keys. */
#ifndef AWL_FRONT_TUI_TUI_SETTINGS_H
#define AWL_FRONT_TUI_TUI_SETTINGS_H

#include <stdbool.h>

#include "base/str.h"
#include "front/tui/view/theme.h"
#include "text/json/json.h"

struct tui;

struct tui_settings {
	struct theme theme;        /* of the user's own, if that is the one */
	struct str theme_problems; /* with its file, not told yet */
	struct str channel;        /* of notifications, as the setting names it */
	struct str unfold_key;     /* that shows what is folded */
	bool is_still, is_verbose; /* nothing moves; nothing is folded */
	bool wants_vim;            /* when the settings were last read */
};

void tui_settings_load(struct tui *t);
void tui_settings_follow(struct tui *t); /* they may have changed */
/* Each line of `problems` is a notice. */
void tui_settings_complain(struct tui *t, struct sv where, struct sv problems);
void tui_choose_theme(struct tui *t); /* by the setting and the background */
/* Uses the theme of this name; false: there is none. */
bool tui_use_theme(struct tui *t, struct sv name);
void tui_use_vim(struct tui *t, bool is_wanted);
/* The value of a setting, to be freed; NULL: not set. */
struct json_doc *tui_setting(struct tui *t, const char *key);

/* Called by tui.c. */
void tui_settings_clear(struct tui *t);

#endif
