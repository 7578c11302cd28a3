/* vt.h - a small terminal for tests: it shows what bytes from src/term would show, with scrollback, pending wrap,
 * folding on resize and an alternate screen. It knows only the sequences that src/term writes; any other one,
 * a full clear above all, fails the test. */
#ifndef AWL_TESTS_UNIT_TERM_VT_H
#define AWL_TESTS_UNIT_TERM_VT_H

#include "term/screen.h"

struct vt;

struct vt *vt_new(size_t columns, size_t rows, enum screen_reflow reflow);
void vt_free(struct vt *vt);
void vt_freep(struct vt **vt);

void vt_feed(struct vt *vt, struct sv bytes);
void vt_resize(struct vt *vt, size_t columns, size_t rows);

/* The places of the cursor, from 1, that were asked for since the last call. Returns how many; at most `max`. */
struct vt_place {
	size_t row, column;
};
size_t vt_replies(struct vt *vt, struct vt_place *places, size_t max);

/* Everything from the first line of the scrollback to the last line of the screen, joined by newlines, without
 * trailing blanks and empty lines. Lines that the terminal folded are joined again. */
void vt_text(const struct vt *vt, struct str *out);
/* The lines of the screen alone, as they are. */
void vt_screen(const struct vt *vt, struct str *out);
/* The cursor, from 0, on the screen. */
void vt_cursor(const struct vt *vt, size_t *row, size_t *column);
bool vt_cursor_is_visible(const struct vt *vt);
bool vt_is_alternate(const struct vt *vt);
/* The attributes in force, as the last SGR left them ("0" is plain). */
bool vt_is_plain(const struct vt *vt);

#endif
