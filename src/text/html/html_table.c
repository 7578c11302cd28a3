#include "text/html/html_table.h"

/* A table with more nodes than this is a layout, and counting further would take too
 * long when tables nest. A cell with a wider span is not serious. */
enum { MOST_NODES = 20000, WIDEST = 16 };

static bool html_table_fits_no_line(GumboTag tag)
{
	switch ((int)tag) {
	case GUMBO_TAG_TABLE:
	case GUMBO_TAG_PRE:
	case GUMBO_TAG_UL:
	case GUMBO_TAG_OL:
	case GUMBO_TAG_BLOCKQUOTE:
	case GUMBO_TAG_HR:
	case GUMBO_TAG_H1:
	case GUMBO_TAG_H2:
	case GUMBO_TAG_H3:
	case GUMBO_TAG_H4:
	case GUMBO_TAG_H5:
	case GUMBO_TAG_H6: return true;
	default: return false;
	}
}

bool html_table_is_data(const GumboNode *table)
{
	const GumboNode *node = html_next(table, table, true, NULL, NULL);
	size_t columns = 0, most = 0, seen = 0;

	for (; node; node = html_next(table, node, true, NULL, NULL)) {
		GumboTag tag = html_tag(node);

		if (++seen > MOST_NODES || html_table_fits_no_line(tag))
			return false;
		if (tag == GUMBO_TAG_TR)
			columns = 0;
		if (tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH)
			most = ++columns > most ? columns : most;
	}
	return most > 1;
}

size_t html_table_span(const GumboNode *cell)
{
	struct sv text = html_attribute(cell, "colspan");
	int64_t n;

	if (!sv_to_int(sv_trim(text), &n) || n < 1)
		return 1;
	return n > WIDEST ? WIDEST : (size_t)n;
}
