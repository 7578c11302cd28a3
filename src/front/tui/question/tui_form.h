/* tui_form.h - the questions of the model: a form to fill in. */
#ifndef AWL_FRONT_TUI_QUESTION_TUI_FORM_H
#define AWL_FRONT_TUI_QUESTION_TUI_FORM_H

#include <stddef.h>

#include "base/str.h"
#include "term/page.h"
#include "term/screen.h"

struct editor;
struct key;
struct tui;

void tui_form_begin(struct tui *t);
void tui_form_key(struct tui *t, const struct key *key);
/* Where a paste goes, and that it is there. */
struct editor *tui_form_paste(struct tui *t);
void tui_form_pasted(struct tui *t);
void tui_draw_form(struct tui *t, struct page *page, struct screen_cursor *cursor, size_t max_rows);
/* Append text of others: wrapped, each row after `before`. */
void tui_form_wrap(struct tui *t, struct page *page, struct sv text, const char *before,
		   struct style style);
/* Append both parts as far as there is room: of the first the rows that the user scrolled to, of the second those around
 * the rows from `first` to `end`. */
void tui_form_fit(struct tui *t, struct page *page, const struct page *head,
		  const struct page *body, size_t space, struct screen_cursor *cursor, size_t first,
		  size_t end);
void tui_form_scroll(struct tui *t, const struct key *key);

#endif
