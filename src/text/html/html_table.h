/* html_table.h - private to src/text: which tables contain data. */
#ifndef AWL_TEXT_HTML_HTML_TABLE_H
#define AWL_TEXT_HTML_HTML_TABLE_H

#include "text/html/html_tree.h"

/* Whether the rows and columns have meaning: the table has at least two columns, and no
 * cell contains an element that needs lines of its own (tables, lists, code, headings).
 * Other tables only lay out a page. */
bool html_table_is_data(const GumboNode *table);

/* The number of columns a cell spans, from 1 to a small limit. */
size_t html_table_span(const GumboNode *cell);

#endif
