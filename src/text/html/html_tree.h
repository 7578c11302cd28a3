/* html_tree.h - private to src/text: a page as gumbo's tree, with gumbo kept from
 * what a hostile page can do to it.
 *
 * gumbo 0.10.1 takes time that grows with the square of how deep elements nest and
 * of how many attributes one has (200 KB of "<div>" take 1.8 s), and frees a tree
 * by recursion. All its memory comes from us, so that is where it is watched: it
 * gets one block, which is dropped as a whole, and is left by longjmp() when that
 * is used up or the tree grows out of bounds. Time is then linear in the length of
 * the page. */
#ifndef AWL_TEXT_HTML_HTML_TREE_H
#define AWL_TEXT_HTML_HTML_TREE_H

#include <gumbo.h>

#include "base/err.h"
#include "base/str.h"

struct html_tree {
	char *block;           /* all nodes and their texts; the allocator's */
	const GumboNode *root; /* the <html> element */
};

/* Any bytes are a page. `html` is borrowed until cleared. Fails (ERR_TOO_BIG) past
 * LIMIT_HTML bytes, LIMIT_HTML_DEPTH levels, LIMIT_HTML_ATTRIBUTES attributes of
 * one element, or with a tree out of proportion; then there is nothing to clear. */
must_use bool html_tree_parse(struct html_tree *out, struct sv html, struct err *err);
void html_tree_clear(struct html_tree *tree);

/* The next node in the order of the page, NULL at the end of `top`. `inside` says
 * whether to go into `node` or past it. Tells `leave`, unless that is NULL, of each
 * element that was gone into and is left by this step. */
const GumboNode *html_next(const GumboNode *top, const GumboNode *node, bool inside,
			   void (*leave)(void *arg, const GumboNode *node), void *arg);

bool html_is_element(const GumboNode *node);
/* Of an HTML element; GUMBO_TAG_UNKNOWN for everything else. */
GumboTag html_tag(const GumboNode *node);
/* The value of an attribute, "" when it is not there. */
struct sv html_attribute(const GumboNode *node, const char *name);
bool html_has_attribute(const GumboNode *node, const char *name);
/* The bytes of a text node, blank or not; "" for others. */
struct sv html_text(const GumboNode *node);

#endif
