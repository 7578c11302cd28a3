#include "text/markdown/md.h"

#include <dlfcn.h>
#include <md4c.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/html/entity.h"
#include "text/markdown/md_line.h"

/* How md4c's callbacks end parsing. */
enum verdict { GO_ON, STOPPED, OVER_BUDGET };

struct reader {
	md_fn *fn;
	void *arg;
	enum verdict verdict;
	size_t budget;             /* for bytes and events; see md_spend() */
	VEC(enum md_node) spans;   /* spans that are open */
	size_t open[MD_NODES];     /* number of open nodes of each kind */
	struct str decoded, title; /* buffers for text with decoded entities */
};

static const enum md_node block_nodes[] = {
	[MD_BLOCK_QUOTE] = MD_QUOTE,      [MD_BLOCK_UL] = MD_LIST,
	[MD_BLOCK_OL] = MD_LIST,          [MD_BLOCK_LI] = MD_ITEM,
	[MD_BLOCK_HR] = MD_RULE,          [MD_BLOCK_H] = MD_HEADING,
	[MD_BLOCK_CODE] = MD_CODE_BLOCK,  [MD_BLOCK_HTML] = MD_HTML_BLOCK,
	[MD_BLOCK_P] = MD_PARAGRAPH,      [MD_BLOCK_TABLE] = MD_TABLE,
	[MD_BLOCK_THEAD] = MD_TABLE_HEAD, [MD_BLOCK_TBODY] = MD_TABLE_BODY,
	[MD_BLOCK_TR] = MD_ROW,           [MD_BLOCK_TH] = MD_CELL,
	[MD_BLOCK_TD] = MD_CELL,
};

static const enum md_node span_nodes[] = {
	[MD_SPAN_EM] = MD_EMPHASIS, [MD_SPAN_STRONG] = MD_STRONG, [MD_SPAN_A] = MD_LINK,
	[MD_SPAN_IMG] = MD_IMAGE,   [MD_SPAN_CODE] = MD_CODE,     [MD_SPAN_DEL] = MD_STRIKE,
};

static const enum md_side sides[] = {
	[MD_ALIGN_DEFAULT] = MD_SIDE_DEFAULT,
	[MD_ALIGN_LEFT] = MD_SIDE_LEFT,
	[MD_ALIGN_CENTER] = MD_SIDE_CENTER,
	[MD_ALIGN_RIGHT] = MD_SIDE_RIGHT,
};

/* A long link target used many times, or a wide table with many short rows, turns n
 * bytes into n * n. So every event is charged to a budget that is linear in n. */
static int md_spend(struct reader *r, size_t bytes, const struct md_event *event)
{
	if (r->verdict != GO_ON)
		return r->verdict; /* md4c does not always stop at once */
	if (bytes >= r->budget)
		return r->verdict = OVER_BUDGET;
	r->budget -= bytes + 1;
	return r->verdict = r->fn(r->arg, event) ? GO_ON : STOPPED;
}

static void md_add_part(struct str *out, MD_TEXTTYPE type, struct sv part)
{
	if (type != MD_TEXT_ENTITY || !entity_decode(out, part))
		str_add(out, part);
}

/* The text of an attribute: a view of the source, or decoded into `buffer`. */
static struct sv md_attribute(const MD_ATTRIBUTE *a, struct str *buffer)
{
	struct sv text = sv_from(a->text, a->size);

	if (text.len == 0 ||
	    (a->substr_types[0] == MD_TEXT_NORMAL && a->substr_offsets[1] == a->size))
		return text;
	str_truncate(buffer, 0);
	for (size_t i = 0; a->substr_offsets[i] < a->size; i++)
		md_add_part(buffer, a->substr_types[i],
			    sv_slice(text, a->substr_offsets[i], a->substr_offsets[i + 1]));
	return sv_of(buffer);
}

static enum md_task md_task_of(const MD_BLOCK_LI_DETAIL *item)
{
	if (!item->is_task)
		return MD_TASK_NONE;
	return item->task_mark == ' ' ? MD_TASK_OPEN : MD_TASK_DONE;
}

static void md_describe_list(struct md_event *event, bool ordered, unsigned start, bool tight)
{
	event->list.ordered = ordered;
	event->list.start = start;
	event->list.tight = tight;
}

static int md_enter_block(MD_BLOCKTYPE type, void *detail, void *reader)
{
	struct reader *r = reader;
	struct md_event event = { .what = MD_ENTER, .node = block_nodes[type] };
	size_t bytes = 0;

	switch (type) {
	case MD_BLOCK_DOC: return GO_ON;
	case MD_BLOCK_UL:
		md_describe_list(&event, false, 0, ((MD_BLOCK_UL_DETAIL *)detail)->is_tight);
		break;
	case MD_BLOCK_OL:
		md_describe_list(&event, true, ((MD_BLOCK_OL_DETAIL *)detail)->start,
				 ((MD_BLOCK_OL_DETAIL *)detail)->is_tight);
		break;
	case MD_BLOCK_LI: event.task = md_task_of(detail); break;
	case MD_BLOCK_H: event.level = ((MD_BLOCK_H_DETAIL *)detail)->level; break;
	case MD_BLOCK_CODE:
		event.info = md_attribute(&((MD_BLOCK_CODE_DETAIL *)detail)->info, &r->decoded);
		bytes = event.info.len;
		break;
	case MD_BLOCK_TABLE:
		event.table.columns = ((MD_BLOCK_TABLE_DETAIL *)detail)->col_count;
		event.table.rows = ((MD_BLOCK_TABLE_DETAIL *)detail)->body_row_count;
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD: event.side = sides[((MD_BLOCK_TD_DETAIL *)detail)->align]; break;
	case MD_BLOCK_QUOTE:
	case MD_BLOCK_HR:
	case MD_BLOCK_HTML:
	case MD_BLOCK_P:
	case MD_BLOCK_THEAD:
	case MD_BLOCK_TBODY:
	case MD_BLOCK_TR: break;
	}
	return md_spend(r, bytes, &event);
}

static int md_leave_node(struct reader *r, enum md_node node)
{
	return md_spend(r, 0, &(struct md_event){ .what = MD_LEAVE, .node = node });
}

/* Leave the innermost span. */
static enum md_node md_pop_span(struct reader *r)
{
	enum md_node node = vec_pop(&r->spans);

	r->open[node]--;
	md_leave_node(r, node);
	return node;
}

static int md_leave_block(MD_BLOCKTYPE type, __attribute__((unused)) void *detail, void *reader)
{
	struct reader *r = reader;

	if (type == MD_BLOCK_DOC)
		return GO_ON;
	while (r->spans.n > 0)
		md_pop_span(r);
	return md_leave_node(r, block_nodes[type]);
}

static int md_enter_span(MD_SPANTYPE type, void *detail, void *reader)
{
	struct reader *r = reader;
	struct md_event event = { .what = MD_ENTER, .node = span_nodes[type] };
	size_t bytes = 0;

	/* The details of an image have the same two members under another name. */
	if (type == MD_SPAN_A || type == MD_SPAN_IMG) {
		const MD_SPAN_A_DETAIL *link = detail;

		event.link.href = md_attribute(&link->href, &r->decoded);
		event.link.title = md_attribute(&link->title, &r->title);
		bytes = event.link.href.len + event.link.title.len;
	}
	vec_push(&r->spans, event.node);
	r->open[event.node]++;
	return md_spend(r, bytes, &event);
}

/* md4c 0.4.8 lets a link's title end emphasis that began before the link, so it does not
 * always leave the span that it entered last. Fix the order here. */
static int md_leave_span(MD_SPANTYPE type, __attribute__((unused)) void *detail, void *reader)
{
	struct reader *r = reader;

	if (r->open[span_nodes[type]] > 0)
		while (md_pop_span(r) != span_nodes[type])
			;
	return r->verdict;
}

static enum md_what md_what_of(MD_TEXTTYPE type)
{
	switch (type) {
	case MD_TEXT_BR: return MD_HARD_BREAK;
	case MD_TEXT_SOFTBR: return MD_SOFT_BREAK;
	case MD_TEXT_HTML: return MD_HTML;
	case MD_TEXT_NORMAL:
	case MD_TEXT_NULLCHAR:
	case MD_TEXT_ENTITY:
	case MD_TEXT_CODE:
	case MD_TEXT_LATEXMATH: break;
	}
	return MD_TEXT;
}

static int md_on_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *reader)
{
	struct reader *r = reader;
	struct md_event event = { .what = md_what_of(type) };

	if (event.what == MD_TEXT || event.what == MD_HTML) {
		event.text = sv_from(text, size);
		if (type == MD_TEXT_ENTITY) {
			str_truncate(&r->decoded, 0);
			md_add_part(&r->decoded, type, event.text);
			event.text = sv_of(&r->decoded);
		}
		if (event.text.len == 0)
			return GO_ON;
	}
	return md_spend(r, size, &event);
}

/* md4c finds the line of each link by walking through the lines of the paragraph, so n
 * lines with n links cost n * n. Count these steps. */
static size_t md_paragraph_cost(struct sv text)
{
	size_t lines = 0, links = 0, cost = 0, at = 0;
	struct sv line;

	while (md_next_line(text, &at, &line)) {
		line = sv_trim(line);
		if (line.len == 0 || sv_starts(line, SV("- ")) || sv_starts(line, SV("* "))) {
			cost += lines * links; /* another paragraph begins here */
			lines = links = 0;
		}
		lines++;
		for (size_t i = 0; i < line.len; i++)
			links += line.ptr[i] == ']' || line.ptr[i] == ':';
	}
	return cost + lines * links;
}

typedef int md_parse_fn(const MD_CHAR *text, MD_SIZE size, const MD_PARSER *parser, void *arg);

/* Debian has md4c only as a shared library. Opened here, it costs nothing to those who never show
 * Markdown. It stays in memory, so that opening it again is cheap. */
static md_parse_fn *md_load(struct err *err)
{
	void *library = dlopen("libmd4c.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	md_parse_fn *parse = NULL;

	if (library) {
		*(void **)&parse = dlsym(library, "md_parse");
		dlclose(library);
	}
	if (!parse)
		err_set(err, ERR_UNSUPPORTED, "cannot read Markdown: install the package libmd4c0");
	return parse;
}

static bool md_read_clean(struct reader *r, struct sv text, struct err *err)
{
	static const MD_PARSER parser = {
		.flags = MD_DIALECT_GITHUB,
		.enter_block = md_enter_block,
		.leave_block = md_leave_block,
		.enter_span = md_enter_span,
		.leave_span = md_leave_span,
		.text = md_on_text,
	};
	md_parse_fn *parse = md_load(err);

	if (!parse)
		return false;
	r->budget = LIMIT_MARKDOWN_GROWTH * (text.len + KIB);
	if (md_paragraph_cost(text) > LIMIT_MARKDOWN_STEPS)
		return err_set(err, ERR_TOO_BIG, "too many links in one Markdown paragraph");
	if (parse(text.ptr, (MD_SIZE)text.len, &parser, r) < 0)
		BUG("md4c is out of memory");
	if (r->verdict == OVER_BUDGET)
		return err_set(err, ERR_TOO_BIG, "Markdown expands more than %d-fold when parsed",
			       LIMIT_MARKDOWN_GROWTH);
	return true;
}

/* A copy for md4c, which passes malformed bytes, and NUL in code, through unchanged, and
 * sometimes reads the byte after its text: a `str` has one. */
static void md_add_clean(struct str *out, struct sv text)
{
	struct sv part;

	str_reserve(out, text.len);
	for (bool first = true; sv_cut(&text, '\0', &part); first = false) {
		if (!first)
			str_add(out, UTF8_REPLACEMENT);
		utf8_repair(out, part);
	}
}

static void reader_clear(struct reader *r)
{
	vec_clear(&r->spans);
	str_clear(&r->decoded);
	str_clear(&r->title);
}

bool md_read(struct sv text, md_fn *fn, void *arg, struct err *err)
{
	defer(reader_clear) struct reader r = { .fn = fn, .arg = arg };
	defer(str_clear) struct str clean = STR_INIT;

	if (text.len > LIMIT_MARKDOWN)
		return err_set(err, ERR_TOO_BIG,
			       "Markdown of %zu bytes is too long; the limit is %zu", text.len,
			       LIMIT_MARKDOWN);
	md_add_clean(&clean, text);
	return md_read_clean(&r, sv_of(&clean), err);
}
