#include "text/html/html_md.h"

#include "base/limits.h"
#include "text/html/html_shown.h"
#include "text/html/html_table.h"
#include "text/html/html_tree.h"
#include "text/invisible.h"
#include "text/markdown/md_writer.h"
#include "text/url.h"

struct list {
	bool ordered;
	int64_t next; /* number of the next item */
};

/* A walk over the page. */
struct page {
	struct md_writer md;
	struct str base;
	VEC(struct list) lists;
	const GumboNode *table; /* the table whose rows become lines; NULL: none */
	size_t columns;         /* in its current row, so far */
	bool headed;            /* its first row has been written */
};

/* --- code ------------------------------------------------------------------------- */

/* The text in `top`, with its line breaks. */
static void html_add_text_of(struct str *out, const GumboNode *top)
{
	const GumboNode *node = top;
	bool shown = true;

	while (node) {
		invisible_drop(out, html_text(node));
		if (html_tag(node) == GUMBO_TAG_BR)
			str_addc(out, '\n');
		node = html_next(top, node, shown, NULL, NULL);
		shown = node && html_is_element(node) && html_is_shown(node);
	}
}

/* A fence longer than any run of backticks in the code. */
static size_t html_fence_of(struct sv code, size_t least)
{
	size_t run = 0, longest = 0;

	for (size_t i = 0; i < code.len; i++) {
		run = code.ptr[i] == '`' ? run + 1 : 0;
		longest = max_of(longest, run);
	}
	return max_of(longest + 1, least);
}

static void html_add_fence(struct str *out, size_t n)
{
	while (n-- > 0)
		str_addc(out, '`');
}

static void html_write_code(struct page *p, const GumboNode *node)
{
	defer(str_clear) struct str code = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	bool pad;

	html_add_text_of(&code, node);
	for (size_t i = 0; i < code.len; i++)
		if (code.ptr[i] == '\n')
			code.ptr[i] = ' ';
	if (!sv_trim(sv_of(&code)).len)
		return;
	pad = code.ptr[0] == '`' || code.ptr[code.len - 1] == '`';
	html_add_fence(&text, html_fence_of(sv_of(&code), 1));
	str_adds(&text, pad ? " " : "");
	str_add(&text, sv_trim(sv_of(&code)));
	str_adds(&text, pad ? " " : "");
	html_add_fence(&text, html_fence_of(sv_of(&code), 1));
	if (p->md.cell)
		md_words(&p->md, sv_of(&text));
	else
		md_bytes(&p->md, sv_of(&text));
}

/* The language that highlighters write into the class of <pre> or its <code>. */
static struct sv html_language_of(const GumboNode *node)
{
	static const char *const prefixes[] = { "language-", "lang-", "highlight-source-" };
	struct sv classes = html_attribute(node, "class"), name;
	size_t n;

	while (sv_cut(&classes, ' ', &name))
		for (size_t i = 0; i < countof(prefixes); i++) {
			if (!sv_starts(name, sv_cstr(prefixes[i])))
				continue;
			name = sv_skip(name, strlen(prefixes[i]));
			for (n = 0; n < name.len && name.ptr[n] > ' ' && name.ptr[n] != '`'; n++)
				;
			return sv_slice(name, 0, min_of(n, (size_t)32));
		}
	return SV_EMPTY;
}

static struct sv html_language_of_pre(const GumboNode *pre)
{
	const GumboVector *children = &pre->v.element.children;
	struct sv language = html_language_of(pre);

	if (!language.len && children->length && html_tag(children->data[0]) == GUMBO_TAG_CODE)
		language = html_language_of(children->data[0]);
	return language;
}

static void html_write_pre(struct page *p, const GumboNode *pre)
{
	defer(str_clear) struct str code = STR_INIT;
	defer(str_clear) struct str fence = STR_INIT;
	struct sv rest, line;
	size_t ticks;

	html_add_text_of(&code, pre);
	while (code.len && (code.ptr[code.len - 1] == '\n' || code.ptr[code.len - 1] == ' '))
		str_truncate(&code, code.len - 1);
	if (!code.len)
		return;
	if (p->md.flat) {
		md_words(&p->md, sv_of(&code));
		return;
	}
	md_break(&p->md, 2);
	html_add_fence(&fence, html_fence_of(sv_of(&code), 3));
	ticks = fence.len;
	invisible_drop(&fence, html_language_of_pre(pre));
	md_line(&p->md, sv_of(&fence));
	for (rest = sv_of(&code); sv_cut_line(&rest, &line) && !md_writer_full(&p->md);)
		md_line(&p->md, line);
	md_line(&p->md, sv_slice(sv_of(&fence), 0, ticks));
	md_break(&p->md, 2);
}

/* --- links and images ------------------------------------------------------------- */

/* Escape the characters that would end the parentheses of a link. */
static void html_add_target(struct str *out, struct sv url)
{
	for (size_t i = 0; i < url.len; i++)
		if (url.ptr[i] == '(' || url.ptr[i] == ')' || url.ptr[i] == ' ' ||
		    url.ptr[i] == '<' || url.ptr[i] == '>' || url.ptr[i] == '|')
			str_addf(out, "%%%02X", (unsigned char)url.ptr[i]);
		else
			str_addc(out, url.ptr[i]);
}

/* The target of a link that leads off the page; links within the page are dropped. */
static bool html_resolve_link(const struct page *p, const GumboNode *a, struct str *out)
{
	defer(str_clear) struct str target = STR_INIT;
	defer(str_clear) struct str visible = STR_INIT;
	struct sv href = sv_trim(html_attribute(a, "href"));
	struct url url;

	if (!href.len || sv_starts(href, SV("#")) || !url_resolve(&target, sv_of(&p->base), href))
		return false;
	url = url_split(sv_of(&target));
	if (!url_is_web(&url) && !sv_eq_nocase(url.scheme, SV("mailto")))
		return false;
	invisible_drop(&visible, sv_of(&target));
	html_add_target(out, sv_of(&visible));
	return true;
}

static void html_open_link(struct page *p, const GumboNode *a)
{
	defer(str_clear) struct str close = STR_INIT;

	str_adds(&close, "](");
	if (md_is_open(&p->md, "[") || !html_resolve_link(p, a, &close)) {
		md_open(&p->md, "", SV_EMPTY);
		return;
	}
	str_addc(&close, ')');
	md_open(&p->md, "[", sv_of(&close));
}

static void html_write_image(struct page *p, const GumboNode *img)
{
	struct sv alt = sv_trim(html_attribute(img, "alt"));

	if (!alt.len)
		return;
	md_bytes(&p->md, SV("[image: "));
	p->md.space = false;
	md_words(&p->md, alt);
	str_addc(p->md.out, ']');
}

static void html_open_mark(struct page *p, const char *mark)
{
	bool nested = md_is_open(&p->md, mark);

	md_open(&p->md, nested ? "" : mark, nested ? SV_EMPTY : sv_cstr(mark));
}

/* --- tables ----------------------------------------------------------------------- */

static void html_enter_table(struct page *p, const GumboNode *table)
{
	md_break(&p->md, 2);
	if (!p->md.flat && !p->table && html_table_is_data(table)) {
		p->table = table;
		p->headed = false;
	}
}

static void html_enter_cell(struct page *p)
{
	if (!p->table) {
		md_break(&p->md, 1);
		return;
	}
	if (p->columns++ == 0) {
		md_break(&p->md, 1);
		md_line(&p->md, SV("|"));
		p->md.want = 0;
	}
	p->md.flat++;
	p->md.cell = true;
	p->md.space = true;
}

static void html_leave_cell(struct page *p, const GumboNode *cell)
{
	if (!p->table) {
		md_break(&p->md, 1);
		return;
	}
	for (size_t i = html_table_span(cell); i > 0; i--) {
		str_adds(p->md.out, " |");
		p->columns += i > 1;
	}
	p->md.flat--;
	p->md.cell = false;
	p->md.space = false;
}

static void html_leave_row(struct page *p)
{
	defer(str_clear) struct str rule = STR_INIT;

	if (p->table && p->columns && !p->headed) {
		str_addc(&rule, '|');
		for (size_t i = 0; i < p->columns; i++)
			str_adds(&rule, " --- |");
		md_line(&p->md, sv_of(&rule));
		p->headed = true;
	}
	p->columns = 0;
	md_break(&p->md, 1);
}

/* --- blocks ----------------------------------------------------------------------- */

static void html_enter_list(struct page *p, const GumboNode *node, bool ordered)
{
	struct list list = { .ordered = ordered, .next = 1 };
	int64_t start;

	if (sv_to_int(sv_trim(html_attribute(node, "start")), &start) && start >= 0 &&
	    start < INT32_MAX)
		list.next = start;
	md_break(&p->md, p->lists.n ? 1 : 2);
	vec_push(&p->lists, list);
}

static void html_leave_list(struct page *p)
{
	(void)vec_pop(&p->lists);
	md_break(&p->md, p->lists.n ? 1 : 2);
}

static void html_enter_item(struct page *p)
{
	static const char blanks[] = "                ";
	struct list *list = p->lists.n ? vec_last(&p->lists) : NULL;
	defer(str_clear) struct str marker = STR_INIT;

	md_break(&p->md, 1);
	if (list && list->ordered)
		str_addf(&marker, "%lld. ", (long long)list->next++);
	else
		str_adds(&marker, "- ");
	if (!p->md.flat)
		md_push(&p->md, sv_of(&marker), sv_from(blanks, marker.len));
}

static void html_enter_framed(struct page *p, int lines, const char *marker, const char *indent)
{
	md_break(&p->md, lines);
	if (!p->md.flat)
		md_push(&p->md, sv_cstr(marker), sv_cstr(indent));
}

static void html_leave_framed(struct page *p, int lines)
{
	if (!p->md.flat)
		md_pop(&p->md);
	md_break(&p->md, lines);
}

static void html_enter_heading(struct page *p, GumboTag tag)
{
	html_enter_framed(p, 2, &"###### "[GUMBO_TAG_H6 - tag], "");
	p->md.flat++;
}

static void html_leave_heading(struct page *p)
{
	p->md.flat--;
	html_leave_framed(p, 2);
}

static void html_write_rule(struct page *p)
{
	if (p->md.flat || !p->md.begun)
		return;
	md_break(&p->md, 2);
	md_line(&p->md, SV("---"));
	md_break(&p->md, 2);
}

/* The line breaks that separate a block from others; 0: not a block. */
static int html_distance(GumboTag tag)
{
	switch ((int)tag) {
	case GUMBO_TAG_P:
	case GUMBO_TAG_DL:
	case GUMBO_TAG_FIGURE:
	case GUMBO_TAG_ARTICLE:
	case GUMBO_TAG_SECTION:
	case GUMBO_TAG_MAIN:
	case GUMBO_TAG_ASIDE:
	case GUMBO_TAG_HEADER:
	case GUMBO_TAG_FOOTER:
	case GUMBO_TAG_FIELDSET:
	case GUMBO_TAG_FORM:
	case GUMBO_TAG_DETAILS: return 2;
	case GUMBO_TAG_DIV:
	case GUMBO_TAG_DT:
	case GUMBO_TAG_CAPTION:
	case GUMBO_TAG_FIGCAPTION:
	case GUMBO_TAG_ADDRESS:
	case GUMBO_TAG_CENTER:
	case GUMBO_TAG_SUMMARY:
	case GUMBO_TAG_LEGEND:
	case GUMBO_TAG_BODY: return 1;
	default: return 0;
	}
}

/* --- the walk --------------------------------------------------------------------- */

/* Enter an element; returns whether to visit its content. */
static bool html_enter(struct page *p, const GumboNode *node)
{
	GumboTag tag = html_tag(node);

	switch ((int)tag) {
	case GUMBO_TAG_H1:
	case GUMBO_TAG_H2:
	case GUMBO_TAG_H3:
	case GUMBO_TAG_H4:
	case GUMBO_TAG_H5:
	case GUMBO_TAG_H6: html_enter_heading(p, tag); break;
	case GUMBO_TAG_UL:
	case GUMBO_TAG_OL: html_enter_list(p, node, tag == GUMBO_TAG_OL); break;
	case GUMBO_TAG_LI: html_enter_item(p); break;
	case GUMBO_TAG_DD: html_enter_framed(p, 1, ": ", "  "); break;
	case GUMBO_TAG_BLOCKQUOTE: html_enter_framed(p, 2, "> ", "> "); break;
	case GUMBO_TAG_TABLE: html_enter_table(p, node); break;
	case GUMBO_TAG_TD:
	case GUMBO_TAG_TH: html_enter_cell(p); break;
	case GUMBO_TAG_A: html_open_link(p, node); break;
	case GUMBO_TAG_B:
	case GUMBO_TAG_STRONG: html_open_mark(p, "**"); break;
	case GUMBO_TAG_I:
	case GUMBO_TAG_EM: html_open_mark(p, "*"); break;
	case GUMBO_TAG_DEL:
	case GUMBO_TAG_S:
	case GUMBO_TAG_STRIKE: html_open_mark(p, "~~"); break;
	case GUMBO_TAG_CODE:
	case GUMBO_TAG_KBD:
	case GUMBO_TAG_SAMP:
	case GUMBO_TAG_TT: html_write_code(p, node); return false;
	case GUMBO_TAG_PRE:
	case GUMBO_TAG_LISTING:
	case GUMBO_TAG_XMP: html_write_pre(p, node); return false;
	case GUMBO_TAG_IMG: html_write_image(p, node); return false;
	case GUMBO_TAG_BR: md_newline(&p->md); return false;
	case GUMBO_TAG_HR: html_write_rule(p); return false;
	default:
		if (html_distance(tag))
			md_break(&p->md, html_distance(tag));
	}
	return true;
}

static void html_leave(void *arg, const GumboNode *node)
{
	struct page *p = arg;
	GumboTag tag = html_tag(node);

	switch ((int)tag) {
	case GUMBO_TAG_H1:
	case GUMBO_TAG_H2:
	case GUMBO_TAG_H3:
	case GUMBO_TAG_H4:
	case GUMBO_TAG_H5:
	case GUMBO_TAG_H6: html_leave_heading(p); break;
	case GUMBO_TAG_UL:
	case GUMBO_TAG_OL: html_leave_list(p); break;
	case GUMBO_TAG_LI:
	case GUMBO_TAG_DD: html_leave_framed(p, 1); break;
	case GUMBO_TAG_BLOCKQUOTE: html_leave_framed(p, 2); break;
	case GUMBO_TAG_TABLE:
		p->table = p->table == node ? NULL : p->table;
		md_break(&p->md, 2);
		break;
	case GUMBO_TAG_TR: html_leave_row(p); break;
	case GUMBO_TAG_TD:
	case GUMBO_TAG_TH: html_leave_cell(p, node); break;
	case GUMBO_TAG_A:
	case GUMBO_TAG_B:
	case GUMBO_TAG_STRONG:
	case GUMBO_TAG_I:
	case GUMBO_TAG_EM:
	case GUMBO_TAG_DEL:
	case GUMBO_TAG_S:
	case GUMBO_TAG_STRIKE: md_close(&p->md); break;
	default:
		if (html_distance(tag))
			md_break(&p->md, html_distance(tag));
	}
}

static void html_walk(struct page *p, const GumboNode *top)
{
	const GumboNode *node = top;
	bool inside;

	while (node && !md_writer_full(&p->md)) {
		inside = html_is_element(node) && html_is_shown(node) && html_enter(p, node);
		if (!html_is_element(node))
			md_words(&p->md, html_text(node));
		node = html_next(top, node, inside, html_leave, p);
	}
}

/* --- the head of the page --------------------------------------------------------- */

static const GumboNode *html_child_of(const GumboNode *node, GumboTag tag)
{
	for (size_t i = 0; node && i < node->v.element.children.length; i++)
		if (html_tag(node->v.element.children.data[i]) == tag)
			return node->v.element.children.data[i];
	return NULL;
}

static void html_read_head(struct page *p, const GumboNode *root, struct sv url)
{
	defer(str_clear) struct str text = STR_INIT;
	const GumboNode *head = html_child_of(root, GUMBO_TAG_HEAD);
	const GumboNode *base = html_child_of(head, GUMBO_TAG_BASE);
	const GumboNode *title = html_child_of(head, GUMBO_TAG_TITLE);

	if (!base || !url_resolve(&p->base, url, html_attribute(base, "href")))
		str_add(&p->base, url);
	if (!title)
		return;
	html_add_text_of(&text, title);
	if (!sv_trim(sv_of(&text)).len)
		return;
	md_bytes(&p->md, SV("Title:"));
	p->md.space = true;
	md_words(&p->md, sv_of(&text));
	md_break(&p->md, 2);
}

bool html_to_md(struct str *out, struct sv html, struct sv base, size_t max, bool *cut,
		struct err *err)
{
	defer(html_tree_clear) struct html_tree tree = { .block = NULL };
	struct page p = { .columns = 0 };

	if (!html_tree_parse(&tree, html, err))
		return false;
	md_writer_init(&p.md, out, max);
	html_read_head(&p, tree.root, base);
	html_walk(&p, tree.root);
	*cut = md_writer_full(&p.md);
	md_writer_clear(&p.md);
	vec_clear(&p.lists);
	str_clear(&p.base);
	return true;
}
