/* tty.h - the terminal itself: raw mode, its size, what it can do, and a way out that always restores it.
 *
 * tty_open() puts the terminal into raw mode and switches on bracketed paste, focus events and the best keyboard
 * protocol it has; tty_close() undoes exactly that. Both write to the terminal directly. When the program crashes,
 * a signal handler does what tty_close() would: whatever happens, short of SIGKILL, the terminal is usable
 * afterwards. Only one terminal can be open at a time.
 *
 * What a terminal can do is guessed from the environment, and then asked. Nobody waits for the replies:
 * the first prompt is on the screen before the first of them, and tty_on_reply() corrects the guess. */
#ifndef AWL_TERM_TTY_H
#define AWL_TERM_TTY_H

#include "base/err.h"
#include "term/key.h"
#include "term/screen.h"

enum tty_background { TTY_BACKGROUND_UNKNOWN, TTY_BACKGROUND_DARK, TTY_BACKGROUND_LIGHT };

/* The environment variables that say what a terminal is; each may be NULL. */
struct tty_env {
	const char *term, *colorterm, *term_program, *no_color, *tmux, *sty, *xterm_version,
		*colorfgbg;
};

/* What is known of a terminal. */
struct tty_info {
	struct screen_caps caps;
	enum tty_background background;
	bool may_query; /* it does not print queries that it does not know */
};

/* Pure. */
void tty_guess(struct tty_info *info, const struct tty_env *env);
/* Whether a screen can be drawn on a terminal of this name. */
bool tty_can_draw(const struct tty_env *env);
/* Returns whether the reply changed anything. Pure. */
bool tty_on_reply(struct tty_info *info, const struct key_event *event);
/* The bytes of all queries. */
extern const char tty_queries[];

struct tty;

/* Takes over the terminal behind both descriptors, which are borrowed. If this fails, nothing has changed. */
must_use bool tty_open(struct tty **out, int in_fd, int out_fd, struct err *err);
/* The same for a program that reads one line at a time: keys come one by one and are not echoed, but make signals as
 * usual, output is as usual, and pastes are bracketed. Nothing else is switched on. */
must_use bool tty_open_lines(struct tty **out, int in_fd, int out_fd, struct err *err);
/* Restores the terminal; NULL is fine. */
void tty_close(struct tty *tty);

/* Lends the terminal to another program, and takes it over again. */
void tty_suspend(struct tty *tty);
void tty_resume(struct tty *tty);
/* Whether somebody else has changed its modes, as a shell does that continues a job. */
bool tty_was_taken(const struct tty *tty);
/* The alternate screen is on: a crash has to leave it. */
void tty_set_view(struct tty *tty, bool is_on);

void tty_size(const struct tty *tty, size_t *columns, size_t *rows);

#endif
