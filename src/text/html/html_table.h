/* html_table.h - private to src/text: which tables hold data. */
#ifndef AWL_TEXT_HTML_HTML_TABLE_H
#define AWL_TEXT_HTML_HTML_TABLE_H

#include "text/html/html_tree.h"

/* Whether rows and columns mean something: there are two columns or more, and no
 * cell holds what cannot stand on a line (tables, lists, code, headings). Other
 * tables only lay out a page. */
bool html_table_is_data(const GumboNode *table);

/* How many columns a cell takes, from 1 to a few. */
size_t html_table_span(const GumboNode *cell);

#endif
