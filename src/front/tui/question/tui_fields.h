/* tui_fields.h - the questions of MCP servers: fields to fill in, or a page to open. */
#ifndef AWL_FRONT_TUI_QUESTION_TUI_FIELDS_H
#define AWL_FRONT_TUI_QUESTION_TUI_FIELDS_H

#include <stddef.h>

#include "term/screen.h"

struct editor;
struct key;
struct page;
struct tui;

void tui_fields_begin(struct tui *t);
void tui_fields_key(struct tui *t, const struct key *key);
struct editor *tui_fields_paste(struct tui *t);
void tui_fields_pasted(struct tui *t);
void tui_draw_fields(struct tui *t, struct page *page, struct screen_cursor *cursor,
		     size_t max_rows);

#endif
