/* tui_bindings.h - the keys that the user has bound in keybindings.json. */
#ifndef AWL_FRONT_TUI_TUI_BINDINGS_H
#define AWL_FRONT_TUI_TUI_BINDINGS_H

struct tui;

/* Reads the file, and from then on whenever it changes. Each entry that does not count is a notice. */
void tui_bindings_load(struct tui *t);
/* The user has just edited the file. */
void tui_bindings_follow(struct tui *t);

/* Its life (tui.c). */
void tui_bindings_init(struct tui *t);
void tui_bindings_stop(struct tui *t);
void tui_bindings_free(struct tui *t);

#endif
