/* markdown.h - Markdown as rows: headings, lists, quotations, tables fitted to the width, code with its colours,
 * links.
 *
 * Rows of code may be wider than the screen: the terminal folds them itself, so that they can be copied as they
 * are. All other rows fit. */
#ifndef AWL_TERM_MARKDOWN_MARKDOWN_H
#define AWL_TERM_MARKDOWN_MARKDOWN_H

#include "term/markdown/highlight.h"
#include "term/page.h"

struct markdown_look {
	size_t columns;
	struct style text, heading, emphasis, strong, strike, code, link, quote, rule, marker, html;
	struct highlight_look code_block;
	bool has_links;  /* OSC 8: addresses need not be written out */
	bool folds_code; /* for a page that is cut at the right, not folded */
};

/* Appends the rows of a whole text. A text that cannot be parsed is shown as it is. */
void markdown_paint(struct page *page, struct sv text, const struct markdown_look *look);

#endif
