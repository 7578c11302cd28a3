/* pager.h - a long page to look through: which rows are on the screen, and what keys do to that. Pure. */
#ifndef AWL_FRONT_TUI_VIEW_PAGER_H
#define AWL_FRONT_TUI_VIEW_PAGER_H

#include "front/tui/view/theme.h"
#include "term/key.h"
#include "term/page.h"
#include "term/screen.h"

struct pager {
	struct page rows;
	size_t top;       /* the first row on the screen */
	struct str title; /* what is shown */
	struct str needle;
	bool is_typing;  /* the text to search for */
	bool is_missing; /* it does not occur */
};

void pager_clear(struct pager *pager);
/* Removes all rows. */
void pager_reset(struct pager *pager);
void pager_go_to_end(struct pager *pager, size_t height);

/* Takes a key; false: it is not one of the pager's. `height` is that of the screen. While the text to search for is
 * being typed, every key is. */
bool pager_key(struct pager *pager, const struct key *key, size_t height);
/* Fills the screen: rows, and a status line that ends with `hint`. */
void pager_draw(struct pager *pager, const struct theme *theme, size_t columns, size_t height,
		const char *hint, struct page *page, struct screen_cursor *cursor);

#endif
