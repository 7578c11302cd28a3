#include "text/html/html_tree.h"

#include <setjmp.h>

#include "base/limits.h"
#include "base/mem.h"

enum { ALIGNMENT = 16 };

/* The allocator that gumbo uses. */
struct guard {
	char *block;
	size_t size, used;
	/* The last allocation with the size of a node. It may be a text of that size, so
	 * trust nothing in it, except that it can be read. */
	const GumboNode *last;
	size_t attributes; /* attributes allocated since `last` */
	const char *why;
	jmp_buf refuse;
};

static void html_tree_refuse(struct guard *g, const char *why)
{
	g->why = why;
	longjmp(g->refuse, 1);
}

static bool html_tree_is_ours(const struct guard *g, const GumboNode *node)
{
	uintptr_t at = (uintptr_t)node, first = (uintptr_t)g->block;

	return at >= first && at + sizeof(*node) <= first + g->used &&
	       (at - first) % ALIGNMENT == 0;
}

/* Walk up from the last node, whose parent is known by now. Check its depth, and whether
 * the page has given <html> or <body> attributes again and again. */
static void html_tree_check_last(struct guard *g)
{
	const GumboNode *node = g->last;

	for (size_t depth = 0; node && html_tree_is_ours(g, node); node = node->parent) {
		if (++depth > LIMIT_HTML_DEPTH)
			html_tree_refuse(g, "its elements are nested too deeply");
		if (node->type == GUMBO_NODE_ELEMENT &&
		    node->v.element.attributes.length > LIMIT_HTML_ATTRIBUTES)
			html_tree_refuse(g, "an element has too many attributes");
	}
}

static size_t html_tree_rounded(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void *guard_alloc(void *arg, size_t size)
{
	struct guard *g = arg;
	char *at = g->block + g->used;

	size = html_tree_rounded(size);
	if (size > g->size - g->used)
		html_tree_refuse(g, "its element tree is too large for its length");
	g->used += size;
	if (size == html_tree_rounded(sizeof(GumboNode))) {
		html_tree_check_last(g);
		g->last = (const GumboNode *)at;
		g->attributes = 0;
	} else if (size == html_tree_rounded(sizeof(GumboAttribute)) &&
		   ++g->attributes > LIMIT_HTML_ATTRIBUTES) {
		html_tree_refuse(g, "an element has too many attributes");
	}
	return memset(at, 0, size);
}

static void guard_free(__attribute__((unused)) void *arg, __attribute__((unused)) void *ptr)
{
}

static const GumboNode *html_tree_run_gumbo(struct guard *g, struct sv html)
{
	GumboOptions options = kGumboDefaultOptions;

	options.allocator = guard_alloc;
	options.deallocator = guard_free;
	options.userdata = g;
	options.max_errors = 0;
	if (setjmp(g->refuse))
		return NULL;
	return gumbo_parse_with_options(&options, html.ptr, html.len)->root;
}

bool html_tree_parse(struct html_tree *out, struct sv html, struct err *err)
{
	struct guard g = { .used = 0 };
	const GumboNode *root;

	if (html.len > LIMIT_HTML)
		return err_set(err, ERR_TOO_BIG, "the page is longer than %zu bytes", LIMIT_HTML);
	/* This reserves address space rather than memory: pages that are never touched
	 * cost nothing. */
	g.size = min_of(64 * KIB + html.len * LIMIT_HTML_GROWTH, LIMIT_HTML_MEMORY);
	g.block = xmalloc(g.size);
	root = html_tree_run_gumbo(&g, sv_from(html.ptr, html.len));
	if (!root) {
		free(g.block);
		return err_set(err, ERR_TOO_BIG, "the page cannot be read: %s", g.why);
	}
	*out = (struct html_tree){ .block = g.block, .root = root };
	return true;
}

void html_tree_clear(struct html_tree *tree)
{
	free(tree->block);
	*tree = (struct html_tree){ .block = NULL };
}

bool html_is_element(const GumboNode *node)
{
	return node->type == GUMBO_NODE_ELEMENT;
}

const GumboNode *html_next(const GumboNode *top, const GumboNode *node, bool inside,
			   void (*leave)(void *arg, const GumboNode *node), void *arg)
{
	if (inside && html_is_element(node) && node->v.element.children.length)
		return node->v.element.children.data[0];
	for (;; node = node->parent, inside = true) {
		const GumboNode *parent = node->parent;

		if (leave && inside && html_is_element(node))
			leave(arg, node);
		if (node == top || !parent || !html_is_element(parent))
			return NULL;
		if (node->index_within_parent + 1 < parent->v.element.children.length)
			return parent->v.element.children.data[node->index_within_parent + 1];
	}
}

GumboTag html_tag(const GumboNode *node)
{
	if (!html_is_element(node) || node->v.element.tag_namespace != GUMBO_NAMESPACE_HTML)
		return GUMBO_TAG_UNKNOWN;
	return node->v.element.tag;
}

static const GumboAttribute *html_tree_find_attribute(const GumboNode *node, const char *name)
{
	return html_is_element(node) ? gumbo_get_attribute(&node->v.element.attributes, name)
				     : NULL;
}

struct sv html_attribute(const GumboNode *node, const char *name)
{
	const GumboAttribute *found = html_tree_find_attribute(node, name);

	return found ? sv_cstr(found->value) : SV_EMPTY;
}

bool html_has_attribute(const GumboNode *node, const char *name)
{
	return html_tree_find_attribute(node, name) != NULL;
}

struct sv html_text(const GumboNode *node)
{
	bool is_text = node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA ||
		       node->type == GUMBO_NODE_WHITESPACE;

	return is_text ? sv_cstr(node->v.text.text) : SV_EMPTY;
}
