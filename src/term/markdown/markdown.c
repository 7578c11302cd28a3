#include "term/markdown/markdown.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "term/markdown/markdown_table.h"
#include "term/wrap.h"
#include "text/markdown/md.h"

/* What stands before the rows of a quotation or an item. */
struct markdown_frame {
	struct str marker, indent; /* on its first row, on all others */
	bool is_used;
	unsigned number; /* of the next item of an ordered list */
	bool is_ordered;
};

struct markdown {
	struct page *page;
	const struct markdown_look *look;
	VEC(struct markdown_frame) frames; /* lists, items, quotations */
	VEC(struct style) styles;          /* of the open spans; the last one counts */
	bool has_rows;                     /* a block has been painted */
	bool wants_gap;                    /* before the next block */

	bool is_wrapping; /* in a block of text */
	struct wrap wrap;
	struct str first, rest; /* its prefixes */

	bool is_code;
	struct str line; /* of code, not complete */
	struct highlight highlight;

	struct markdown_table table;
	bool is_table;
	struct str href;    /* of the open link */
	bool shows_address; /* as its text */
};

static const struct style *markdown_style(const struct markdown *m)
{
	return m->styles.n ? vec_last(&m->styles) : &m->look->text;
}

static void markdown_push_style(struct markdown *m, struct style style)
{
	struct style top = style_over(*markdown_style(m), style);

	vec_push(&m->styles, top);
}

/* --- prefixes --------------------------------------------------------------------- */

/* Compose what stands before the next row and before all rows after it. */
static void markdown_prefixes(struct markdown *m)
{
	str_truncate(&m->first, 0);
	str_truncate(&m->rest, 0);
	for (size_t i = 0; i < m->frames.n; i++) {
		struct markdown_frame *frame = &m->frames.at[i];

		str_add(&m->first, sv_of(frame->is_used ? &frame->indent : &frame->marker));
		str_add(&m->rest, sv_of(&frame->indent));
		frame->is_used = true;
	}
}

static void markdown_gap(struct markdown *m)
{
	if (m->wants_gap && m->has_rows) {
		/* Inside a quotation the bar goes on. */
		for (size_t i = 0; i < m->frames.n; i++)
			if (m->frames.at[i].is_used)
				page_add(m->page, sv_of(&m->frames.at[i].indent), m->look->marker);
		page_end_row(m->page);
	}
	m->wants_gap = false;
	m->has_rows = true;
}

static void markdown_begin_text(struct markdown *m)
{
	struct wrap_prefix first, rest;

	if (m->is_wrapping)
		return;
	markdown_gap(m);
	markdown_prefixes(m);
	first = (struct wrap_prefix){ .text = sv_of(&m->first), .style = m->look->marker };
	rest = (struct wrap_prefix){ .text = sv_of(&m->rest), .style = m->look->marker };
	wrap_init(&m->wrap, m->page, m->look->columns, WRAP_WORDS, first, rest);
	m->is_wrapping = true;
}

static void markdown_end_text(struct markdown *m)
{
	if (m->is_wrapping)
		wrap_end(&m->wrap);
	m->is_wrapping = false;
}

static void markdown_push_frame(struct markdown *m, struct sv marker, struct sv indent)
{
	struct markdown_frame *frame = vec_add(&m->frames);

	str_add(&frame->marker, marker);
	str_add(&frame->indent, indent);
}

static void markdown_pop_frame(struct markdown *m)
{
	struct markdown_frame frame = vec_pop(&m->frames);

	str_clear(&frame.marker);
	str_clear(&frame.indent);
}

/* --- text ------------------------------------------------------------------------- */

static void markdown_add(struct markdown *m, struct sv text)
{
	if (m->href.len && sv_eq(text, sv_of(&m->href)))
		m->shows_address = true;
	if (m->is_table) {
		markdown_table_add(&m->table, text, *markdown_style(m), sv_of(&m->href));
		return;
	}
	markdown_begin_text(m);
	wrap_set_link(&m->wrap, sv_of(&m->href));
	wrap_add(&m->wrap, text, *markdown_style(m));
}

/* The address of a link follows its text where the terminal cannot hide it. */
static void markdown_end_link(struct markdown *m)
{
	defer(str_clear) struct str address = STR_INIT;

	if (m->look->has_links || !m->href.len || m->shows_address) {
		str_truncate(&m->href, 0);
		return;
	}
	str_addf(&address, " (%s)", m->href.ptr);
	str_truncate(&m->href, 0);
	markdown_add(m, sv_of(&address));
}

/* --- code ------------------------------------------------------------------------- */

static void markdown_add_code(void *arg, struct sv text, const struct style *style)
{
	wrap_add(arg, text, *style);
}

static void markdown_code_line(struct markdown *m)
{
	struct wrap_prefix first, rest;
	struct wrap wrap;

	markdown_prefixes(m);
	first = (struct wrap_prefix){ .text = sv_of(&m->first), .style = m->look->marker };
	rest = (struct wrap_prefix){ .text = sv_of(&m->rest), .style = m->look->marker };
	wrap_init(&wrap, m->page, m->look->folds_code ? m->look->columns : SIZE_MAX, WRAP_CLUSTERS,
		  first, rest);
	highlight_line(&m->highlight, sv_of(&m->line), &m->look->code_block, markdown_add_code,
		       &wrap);
	if (!m->line.len)
		page_end_row(m->page);
	wrap_end(&wrap);
	str_truncate(&m->line, 0);
}

static void markdown_code(struct markdown *m, struct sv text)
{
	while (text.len) {
		size_t end = sv_find_char(text, '\n');

		str_add(&m->line, sv_slice(text, 0, end));
		if (end == SIZE_MAX)
			return;
		markdown_code_line(m);
		text = sv_skip(text, end + 1);
	}
}

static void markdown_begin_code(struct markdown *m, struct sv info)
{
	size_t end = 0;

	markdown_end_text(m);
	markdown_gap(m);
	while (end < info.len && info.ptr[end] != ' ' && info.ptr[end] != ',' &&
	       info.ptr[end] != '{')
		end++;
	highlight_init(&m->highlight, highlight_find(sv_slice(info, 0, end)));
	m->is_code = true;
}

static void markdown_end_code(struct markdown *m)
{
	if (m->line.len)
		markdown_code_line(m);
	m->is_code = false;
	m->wants_gap = true;
}

/* --- blocks ----------------------------------------------------------------------- */

static void markdown_rule(struct markdown *m)
{
	markdown_end_text(m);
	markdown_gap(m);
	for (size_t i = min_of(m->look->columns, (size_t)80); i > 0; i--)
		page_add(m->page, SV("\xe2\x94\x80"), m->look->rule);
	page_end_row(m->page);
	m->wants_gap = true;
}

static void markdown_enter_item(struct markdown *m, const struct md_event *event)
{
	struct markdown_frame *list = m->frames.n ? vec_last(&m->frames) : NULL;
	defer(str_clear) struct str marker = STR_INIT, indent = STR_INIT;

	markdown_end_text(m);
	m->wants_gap = false;
	if (event->task == MD_TASK_OPEN)
		str_adds(&marker, "\xe2\x98\x90 ");
	else if (event->task == MD_TASK_DONE)
		str_adds(&marker, "\xe2\x98\x92 ");
	else if (list && list->is_ordered)
		str_addf(&marker, "%u. ", list->number++);
	else
		str_adds(&marker, "- ");
	for (size_t i = utf8_cells(sv_of(&marker)); i > 0; i--)
		str_addc(&indent, ' ');
	markdown_push_frame(m, sv_of(&marker), sv_of(&indent));
}

static void markdown_enter_list(struct markdown *m, const struct md_event *event)
{
	markdown_end_text(m);
	if (m->frames.n)
		m->wants_gap = false;
	markdown_gap(m);
	m->has_rows = m->has_rows && m->page->rows.n > 0;
	markdown_push_frame(m, SV_EMPTY, SV_EMPTY);
	vec_last(&m->frames)->is_ordered = event->list.ordered;
	vec_last(&m->frames)->number = event->list.start;
}

static void markdown_enter(struct markdown *m, const struct md_event *event)
{
	const struct markdown_look *look = m->look;

	switch ((int)event->node) {
	case MD_PARAGRAPH: markdown_end_text(m); break;
	case MD_HEADING:
		markdown_end_text(m);
		markdown_push_style(m, look->heading);
		break;
	case MD_RULE: markdown_rule(m); break;
	case MD_QUOTE:
		markdown_end_text(m);
		markdown_push_frame(m, SV("\xe2\x96\x8e "), SV("\xe2\x96\x8e "));
		markdown_push_style(m, look->quote);
		break;
	case MD_LIST: markdown_enter_list(m, event); break;
	case MD_ITEM: markdown_enter_item(m, event); break;
	case MD_CODE_BLOCK: markdown_begin_code(m, event->info); break;
	case MD_HTML_BLOCK: markdown_end_text(m); break;
	case MD_TABLE:
		markdown_end_text(m);
		markdown_gap(m);
		markdown_table_init(&m->table, event->table.columns);
		m->is_table = true;
		break;
	case MD_TABLE_HEAD: markdown_push_style(m, look->strong); break;
	case MD_CELL: markdown_table_begin_cell(&m->table, event->side); break;
	case MD_EMPHASIS: markdown_push_style(m, look->emphasis); break;
	case MD_STRONG: markdown_push_style(m, look->strong); break;
	case MD_STRIKE: markdown_push_style(m, look->strike); break;
	case MD_CODE: markdown_push_style(m, look->code); break;
	case MD_LINK:
	case MD_IMAGE:
		markdown_push_style(m, look->link);
		str_set(&m->href, event->link.href);
		m->shows_address = false;
		break;
	default: break;
	}
}

static void markdown_end_table(struct markdown *m)
{
	markdown_prefixes(m);
	markdown_table_paint(&m->table, m->page, sv_of(&m->first), m->look);
	markdown_table_clear(&m->table);
	m->is_table = false;
	m->wants_gap = true;
}

/* An item without text still has its marker. */
static void markdown_empty_item(struct markdown *m)
{
	markdown_gap(m);
	markdown_prefixes(m);
	page_add(m->page, sv_of(&m->first), m->look->marker);
	page_end_row(m->page);
}

static void markdown_leave(struct markdown *m, enum md_node node)
{
	switch ((int)node) {
	case MD_PARAGRAPH:
	case MD_HTML_BLOCK:
		markdown_end_text(m);
		m->wants_gap = true;
		break;
	case MD_HEADING:
		markdown_end_text(m);
		m->wants_gap = true;
		m->styles.n--;
		break;
	case MD_QUOTE:
		markdown_end_text(m);
		markdown_pop_frame(m);
		m->styles.n--;
		m->wants_gap = true;
		break;
	case MD_ITEM:
		if (!vec_last(&m->frames)->is_used)
			markdown_empty_item(m);
		markdown_end_text(m);
		markdown_pop_frame(m);
		m->wants_gap = false;
		break;
	case MD_LIST:
		markdown_pop_frame(m);
		m->wants_gap = m->frames.n == 0;
		break;
	case MD_CODE_BLOCK: markdown_end_code(m); break;
	case MD_TABLE: markdown_end_table(m); break;
	case MD_LINK:
	case MD_IMAGE:
		m->styles.n--;
		markdown_end_link(m);
		break;
	case MD_TABLE_HEAD:
	case MD_EMPHASIS:
	case MD_STRONG:
	case MD_STRIKE:
	case MD_CODE: m->styles.n--; break;
	default: break;
	}
}

/* --- all of it -------------------------------------------------------------------- */

static bool markdown_on_event(void *arg, const struct md_event *event)
{
	struct markdown *m = arg;

	switch (event->what) {
	case MD_ENTER: markdown_enter(m, event); break;
	case MD_LEAVE: markdown_leave(m, event->node); break;
	case MD_TEXT:
		if (m->is_code)
			markdown_code(m, event->text);
		else
			markdown_add(m, event->text);
		break;
	case MD_HTML:
		markdown_push_style(m, m->look->html);
		markdown_add(m, event->text);
		m->styles.n--;
		break;
	case MD_SOFT_BREAK: markdown_add(m, SV(" ")); break;
	case MD_HARD_BREAK: markdown_add(m, m->is_table ? SV(" ") : SV("\n")); break;
	}
	return true;
}

static void markdown_clear(struct markdown *m)
{
	markdown_end_text(m);
	while (m->frames.n)
		markdown_pop_frame(m);
	vec_clear(&m->frames);
	vec_clear(&m->styles);
	str_clear(&m->first);
	str_clear(&m->rest);
	str_clear(&m->line);
	str_clear(&m->href);
	if (m->is_table)
		markdown_table_clear(&m->table);
}

static void markdown_paint_plain(struct page *page, struct sv text,
				 const struct markdown_look *look)
{
	static const struct wrap_prefix none;
	struct wrap wrap;

	wrap_init(&wrap, page, look->columns, WRAP_WORDS, none, none);
	wrap_add(&wrap, text, look->text);
	wrap_end(&wrap);
}

void markdown_paint(struct page *page, struct sv text, const struct markdown_look *look)
{
	struct markdown m = { .page = page, .look = look };
	size_t rows = page->rows.n;
	struct err err = ERR_INIT;

	if (!md_read(text, markdown_on_event, &m, &err)) {
		markdown_clear(&m);
		page_cut(page, rows);
		markdown_paint_plain(page, text, look);
		return;
	}
	markdown_clear(&m);
}
