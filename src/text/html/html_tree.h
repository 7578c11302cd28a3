/* html_tree.h - private to src/text: a page as gumbo's tree, with protection against
 * hostile pages.
 *
 * gumbo 0.10.1 takes time that grows with the square of the nesting depth and of the
 * number of attributes per element (200 KB of "<div>" take 1.8 s), and it frees a tree
 * by recursion. gumbo allocates all its memory through us, so the allocator enforces the
 * limits: gumbo gets one block, which is freed as a whole, and a longjmp() leaves gumbo
 * when the block is used up or the tree exceeds a limit. This makes the time linear in
 * the length of the page. */
#ifndef AWL_TEXT_HTML_HTML_TREE_H
#define AWL_TEXT_HTML_HTML_TREE_H

#include <gumbo.h>

#include "base/err.h"
#include "base/str.h"

struct html_tree {
	char *block;           /* all nodes and their texts; owned by the allocator */
	const GumboNode *root; /* the <html> element */
};

/* Any bytes are a page. `html` is borrowed until html_tree_clear(). Fails (ERR_TOO_BIG)
 * past LIMIT_HTML bytes, LIMIT_HTML_DEPTH levels, LIMIT_HTML_ATTRIBUTES attributes per
 * element, or when the tree is too large for the length of the page; then there is
 * nothing to clear. */
must_use bool html_tree_parse(struct html_tree *out, struct sv html, struct err *err);
void html_tree_clear(struct html_tree *tree);

/* Returns the next node in page order, or NULL at the end of `top`. `inside` says
 * whether to enter `node` or skip its content. Calls `leave`, unless it is NULL, for
 * each element that this step leaves. */
const GumboNode *html_next(const GumboNode *top, const GumboNode *node, bool inside,
			   void (*leave)(void *arg, const GumboNode *node), void *arg);

bool html_is_element(const GumboNode *node);
/* The tag of an HTML element; GUMBO_TAG_UNKNOWN for all other nodes. */
GumboTag html_tag(const GumboNode *node);
/* The value of an attribute, or "" when it is absent. */
struct sv html_attribute(const GumboNode *node, const char *name);
bool html_has_attribute(const GumboNode *node, const char *name);
/* The bytes of a text node, blank or not; "" for other nodes. */
struct sv html_text(const GumboNode *node);

#endif
