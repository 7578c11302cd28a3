/* ansi.h - text with escape sequences, as programs write it for a terminal, becomes rows of a page. Colours and
 * attributes (SGR) and links (OSC 8) count. Every other sequence is dropped, so nothing but looks can come of it. */
#ifndef AWL_TERM_ANSI_H
#define AWL_TERM_ANSI_H

#include "term/page.h"

/* Appends `text`, whose plain parts look like `base`. Each line end ends a row; the last row stays open. Neither a look
 * nor a link outlives the call. */
void ansi_add(struct page *page, struct sv text, struct style base);

#endif
