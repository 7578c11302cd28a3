/* markdown_table.h - private to src/term: a table of Markdown, fitted to a width.
 *
 * Columns are as wide as their text if there is room, and share what there is if not; their text is then
 * folded. Where even that is too narrow, each row becomes a list of "heading: value". */
#ifndef AWL_TERM_MARKDOWN_MARKDOWN_TABLE_H
#define AWL_TERM_MARKDOWN_MARKDOWN_TABLE_H

#include "base/vec.h"
#include "term/markdown/markdown.h"
#include "text/markdown/md.h"

struct markdown_cell {
	struct page text; /* one row that is not finished */
	enum md_side side;
};

struct markdown_table {
	size_t columns;
	VEC(struct markdown_cell) cells; /* row by row, the head first */
};

void markdown_table_init(struct markdown_table *table, size_t columns);
void markdown_table_clear(struct markdown_table *table);
void markdown_table_begin_cell(struct markdown_table *table, enum md_side side);
/* Appends to the last cell. */
void markdown_table_add(struct markdown_table *table, struct sv text, struct style style,
			struct sv url);
/* Appends its rows, each after `prefix`. */
void markdown_table_paint(const struct markdown_table *table, struct page *page, struct sv prefix,
			  const struct markdown_look *look);

#endif
