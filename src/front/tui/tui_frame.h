/* tui_frame.h - when the screen is drawn, and the writing of finished rows. */
#ifndef AWL_FRONT_TUI_TUI_FRAME_H
#define AWL_FRONT_TUI_TUI_FRAME_H

#include <stdbool.h>

struct key_event;
struct page;
struct tui;

/* What was printed last. Blocks have an empty row between them, but notices stand together. */
enum tui_block { TUI_NOTHING, TUI_BLOCK, TUI_NOTICE };

void tui_redraw(struct tui *t);     /* soon, together with other changes */
void tui_redraw_now(struct tui *t); /* after this step: a key was pressed */
void tui_draw(struct tui *t);       /* in this step */
void tui_frame_on_written(void *arg);
/* A reply to one of the queries about the terminal. */
void tui_frame_on_reply(struct tui *t, const struct key_event *event);
/* Whether another program can have the terminal now. If a reply would reach that program, `fn` is called when the reply
 * has come; if the terminal is slow to take what was written, the user has to try again. */
bool tui_frame_can_lend(struct tui *t, void (*fn)(struct tui *t));
/* Begins a block of finished rows, which are then added to the page. */
struct page *tui_begin_block(struct tui *t);
/* The same for a notice or a call of a single row, which follow their like without an empty row. */
struct page *tui_begin_row(struct tui *t, enum tui_block kind);
/* Finishes a run of lookups. */
void tui_end_lookups(struct tui *t);
/* Finished rows for the next frame, for those who continue a block. */
struct page *tui_done(struct tui *t);
/* The same, before the rest of a flood of rows. */
void tui_redraw_for_key(struct tui *t);
/* A very long answer was drawn: its memory goes back to the system when all is still. */
void tui_frame_trim_later(struct tui *t);
/* The last frame. */
void tui_frame_finish(struct tui *t);
/* The terminal is open. */
void tui_frame_begin(struct tui *t);

/* Called by tui.c. */
void tui_frame_init(struct tui *t);
void tui_frame_stop(struct tui *t);
void tui_frame_free(struct tui *t);

#endif
