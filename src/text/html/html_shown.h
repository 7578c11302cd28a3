/* html_shown.h - private to src/text: which elements of a page a reader would see.
 *
 * A page can address a model behind the reader's back with text that no screen shows.
 * This check uses what an element itself says about being hidden; it does not read style
 * sheets. It also rejects elements without content: scripts, controls, navigation. */
#ifndef AWL_TEXT_HTML_HTML_SHOWN_H
#define AWL_TEXT_HTML_HTML_SHOWN_H

#include "text/html/html_tree.h"

/* Whether the element `node` has anything to read. */
bool html_is_shown(const GumboNode *node);

#endif
