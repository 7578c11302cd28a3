/* html_shown.h - private to src/text: which elements of a page a reader would see.
 *
 * A page can speak to a model behind the reader's back by text that no screen
 * shows. What an element itself says about being hidden counts here; style sheets
 * are not read. Left out, too, is what is no content: scripts, controls, ways to
 * other pages. */
#ifndef AWL_TEXT_HTML_HTML_SHOWN_H
#define AWL_TEXT_HTML_HTML_SHOWN_H

#include "text/html/html_tree.h"

/* Whether there is anything to read in the element `node`. */
bool html_is_shown(const GumboNode *node);

/* Whether a `style` attribute hides what it is on. */
bool html_style_hides(struct sv style);

#endif
