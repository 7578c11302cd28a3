/* tui_models.h - the models that can be chosen. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_MODELS_H
#define AWL_FRONT_TUI_COMMANDS_TUI_MODELS_H

#include <stdbool.h>

#include "text/json/json.h"

struct tui;

void tui_choose_model(struct tui *t);
void tui_models_load(struct tui *t, struct json reply);
bool tui_models_are_known(const struct tui *t);

/* Called by tui.c. */
void tui_models_init(struct tui *t);
void tui_models_free(struct tui *t);

#endif
