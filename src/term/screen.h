/* screen.h - the inline renderer: a growing scroll of finished rows with a small live region below.
 *
 * Finished rows are written once and belong to the terminal from then on: it scrolls them, selects and
 * reflows them, and they stay when the program ends. The live region (the prompt, a dialog, a text that
 * still grows) is at most one row less than the terminal is high. It is repainted by comparing it with
 * what is on the screen, row by row and cell by cell, so a frame costs about as many bytes as
 * it changes.
 *
 * A frame is one string for one write. It never clears the screen, never moves above the live region and
 * never leaves the cursor anywhere but where the live region wants it. Where the terminal supports
 * synchronized output, the frame is wrapped in it.
 *
 * The alternate screen has its own page (screen_view()); while it is shown, finished rows wait and are
 * written when it is left.
 *
 * A terminal may have got another size by the time it reads a frame: tmux and others tell the program only later. So a
 * frame can ask the terminal for its size (screen_ask()), and no other is written before the two replies. If
 * the terminal was narrower, the frame is taken back: its finished rows are erased and printed again with the next one.
 *
 * Pure: bytes go to the caller, sizes and capabilities come from it. */
#ifndef AWL_TERM_SCREEN_H
#define AWL_TERM_SCREEN_H

#include "term/page.h"

struct screen;

/* What a terminal does with rows that are too long when it becomes narrower. The renderer has to know how far up the
 * live region begins then. */
enum screen_reflow {
	REFLOW_NONE,   /* cuts them off */
	REFLOW_TRACKS, /* folds them; the cursor stays where it was in the text */
	REFLOW_DRIFTS, /* xterm.js: folds them too, and moves the cursor (drift.h) */
};

struct screen_caps {
	enum color_depth depth;
	bool is_synchronized; /* DEC mode 2026 */
	bool has_links;       /* OSC 8 */
	enum screen_reflow reflow;
};

/* Where the cursor is shown, in the live region. */
struct screen_cursor {
	bool is_visible;
	size_t row, cell;
};

/* The cursor of the terminal is in column 0 of an empty row. */
struct screen *screen_new(size_t columns, size_t rows, const struct screen_caps *caps);
void screen_free(struct screen *screen);

/* Answers to capability queries may come late. */
void screen_set_caps(struct screen *screen, const struct screen_caps *caps);
void screen_resize(struct screen *screen, size_t columns, size_t rows);
/* The terminal has had this size, if only for a moment; screen_resize() may follow when it stays. Not sure: it may have
 * had others before. */
void screen_pass(struct screen *screen, size_t columns, size_t rows, bool is_sure);
size_t screen_columns(const struct screen *screen);
size_t screen_rows(const struct screen *screen);
/* Rows that the live region may have. */
size_t screen_live_rows(const struct screen *screen);

/* Appends the rows of `page` to the scroll, with the next frame. Takes them: the page is empty then. */
void screen_print(struct screen *screen, struct page *page);
/* Replaces the live region, with the next frame. Rows past screen_live_rows() are dropped from the top;
 * cells past the width are cut. */
void screen_draw(struct screen *screen, const struct page *live, struct screen_cursor cursor);
/* Shows `page` on the alternate screen; NULL goes back. */
void screen_view(struct screen *screen, const struct page *page, struct screen_cursor cursor);

/* Whether the next frame would write anything. */
bool screen_is_dirty(const struct screen *screen);
/* Appends one frame to `out`. Rows may be left for the next one when the terminal is asked for its size: see screen_ask(). */
void screen_frame(struct screen *screen, struct str *out);
/* Whether the next frame would lose rows of the conversation, or show them twice, if the width were another one. */
bool screen_is_risky(const struct screen *screen);
/* Whether the next frame has to find the live region after a resize. */
bool screen_is_lost(const struct screen *screen);
/* Whether the next frame prints more finished rows than could be taken back: only those that are still on the screen can,
 * with the live region before and after, even if everything takes twice the lines. Before such a frame the
 * terminal should be asked. */
bool screen_is_long(const struct screen *screen);
/* The next frame asks the terminal for its size, before and after. In xterm.js it prints no more than a part of what waits, and
 * the screen is dirty until all is printed. */
void screen_ask(struct screen *screen);
/* Appends the question alone. */
void screen_probe(struct screen *screen, struct str *out);
/* Whether a reply is missing. screen_frame() must not be called then. */
bool screen_is_asking(const struct screen *screen);
/* A reply: the size of the terminal. */
void screen_on_size(struct screen *screen, size_t columns, size_t rows);
/* No reply has come: what was written is taken to be as it should be. Returns how many were missing. */
size_t screen_give_up(struct screen *screen);
/* Forgets what is on the screen: the next frame paints the live region anew, from the cursor's row on
 * (Ctrl-L, after another program has used the terminal). */
void screen_forget(struct screen *screen);
/* Appends what removes the live region and leaves the cursor at the start of an empty row below
 * everything that was printed. For the end, for Ctrl-Z and for an editor. */
void screen_leave(struct screen *screen, struct str *out);

#endif
