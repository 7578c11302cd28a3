/* md_dump.h - Markdown events as a line of text, for tests and fuzzing:
 * "h1{Title} p{a *em{b}~c}", '~' and '|' being the soft and the hard break. */
#ifndef AWL_TESTS_UNIT_TEXT_MARKDOWN_MD_DUMP_H
#define AWL_TESTS_UNIT_TEXT_MARKDOWN_MD_DUMP_H

#include "base/vec.h"
#include "text/markdown/md.h"

struct md_dump {
	struct str out;
	VEC(enum md_node) open;
	size_t left; /* events until it says stop */
};

#define MD_DUMP_INIT                                                \
	{                                                           \
		.out = STR_INIT, .open = VEC_INIT, .left = SIZE_MAX \
	}

static inline void md_dump_clear(struct md_dump *d)
{
	str_clear(&d->out);
	vec_clear(&d->open);
}

static inline void md_dump_node(struct str *out, const struct md_event *e)
{
	static const char *const names[] = {
		[MD_PARAGRAPH] = "p",     [MD_HEADING] = "h",       [MD_RULE] = "hr",
		[MD_QUOTE] = "quote",     [MD_LIST] = "",           [MD_ITEM] = "li",
		[MD_CODE_BLOCK] = "pre",  [MD_HTML_BLOCK] = "html", [MD_TABLE] = "table",
		[MD_TABLE_HEAD] = "head", [MD_TABLE_BODY] = "body", [MD_ROW] = "tr",
		[MD_CELL] = "td",         [MD_EMPHASIS] = "*em",    [MD_STRONG] = "*strong",
		[MD_STRIKE] = "*del",     [MD_CODE] = "*code",      [MD_LINK] = "*a",
		[MD_IMAGE] = "*img",
	};

	str_adds(out, names[e->node]);
	if (e->node == MD_HEADING)
		str_addf(out, "%u", e->level);
	else if (e->node == MD_LIST && e->list.ordered)
		str_addf(out, "%s%u", e->list.tight ? "ol" : "loose-ol", e->list.start);
	else if (e->node == MD_LIST)
		str_adds(out, e->list.tight ? "ul" : "loose-ul");
	else if (e->node == MD_ITEM)
		str_adds(out, &"\0\0 \0x"[2 * e->task]);
	else if (e->node == MD_CODE_BLOCK)
		str_addf(out, "[%.*s]", SV_ARG(e->info));
	else if (e->node == MD_TABLE)
		str_addf(out, "%ux%u", e->table.columns, e->table.rows);
	else if (e->node == MD_CELL)
		str_adds(out, &"\0\0<\0^\0>"[2 * e->side]);
	else if (e->node == MD_LINK || e->node == MD_IMAGE)
		str_addf(out, "[%.*s|%.*s]", SV_ARG(e->link.href), SV_ARG(e->link.title));
}

/* The callback; checks on the way that events nest. */
static inline bool md_dump_event(void *arg, const struct md_event *e)
{
	struct md_dump *d = arg;

	if (d->left-- == 0)
		return false;
	switch (e->what) {
	case MD_ENTER:
		if (d->out.len && e->node < MD_EMPHASIS && d->out.ptr[d->out.len - 1] != '{')
			str_addc(&d->out, ' ');
		vec_push(&d->open, e->node);
		md_dump_node(&d->out, e);
		str_addc(&d->out, '{');
		break;
	case MD_LEAVE:
		BUG_ON(d->open.n == 0 || vec_pop(&d->open) != e->node);
		str_addc(&d->out, '}');
		break;
	case MD_HTML: str_addc(&d->out, '$'); /* fall through */
	case MD_TEXT:
		BUG_ON(e->text.len == 0);
		str_add(&d->out, e->text);
		break;
	case MD_SOFT_BREAK: str_addc(&d->out, '~'); break;
	case MD_HARD_BREAK: str_addc(&d->out, '|'); break;
	}
	return true;
}

#endif
