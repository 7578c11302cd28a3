/* Lines of source code with their numbers. Added and removed ones stand on a ground of their own colour, which is as wide
 * as the widest of them: blanks up to the edge of the screen would fold when the terminal becomes narrower. Where the
 * theme has no such ground, whole lines have the colour instead. */
#include "front/tui/view/view_code.h"

enum { NUMBER_CELLS = 7 };

void view_code_init(struct view_code *code, const struct view *view, struct sv path)
{
	size_t slash = sv_rfind_char(path, '/');
	const struct highlight_language *language =
		highlight_find(slash == SIZE_MAX ? path : sv_skip(path, slash + 1));

	*code = (struct view_code){ .view = view };
	highlight_init(&code->before, language);
	highlight_init(&code->after, language);
}

static const struct style *view_code_ground(const struct view_code *code, char kind)
{
	const struct theme *theme = code->view->theme;

	return kind == '+' ? &theme->added : kind == '-' ? &theme->removed : NULL;
}

/* --- one line -------------------------------------------------------------------------- */

/* A line that is being written. */
struct view_code_row {
	struct view_code *code;
	const struct view_code_line *line;
	struct style ground, mark; /* below the colours of the code; of the words that differ */
	struct json_iter spans;
	size_t from, to; /* the next span that differs */
	size_t at;       /* in the text */
	size_t start;    /* the cell in which the text begins */
	bool is_cut;
	struct wrap *wrap; /* NULL: the row is cut at the width */
};

static void view_code_next_span(struct view_code_row *row)
{
	struct json span;

	row->from = row->to = SIZE_MAX;
	if (!json_next(&row->spans, NULL, &span))
		return;
	row->from = (size_t)max_of(json_int_or(json_at(span, 0), 0), (int64_t)0);
	row->to = (size_t)max_of(json_int_or(json_at(span, 1), 0), (int64_t)row->from);
}

static void view_code_put(struct view_code_row *row, struct sv text, struct style style)
{
	const struct view_code *code = row->code;

	if (row->wrap)
		wrap_add(row->wrap, text, style);
	else if (!row->is_cut)
		row->is_cut = !view_add_part(&row->code->rows, text, style, code->view->columns,
					     row->start);
}

/* A piece that has one colour, split where the words that differ begin and end. */
static void view_code_piece(void *arg, struct sv text, const struct style *style)
{
	struct view_code_row *row = arg;

	while (text.len) {
		bool is_marked;
		size_t end, n;

		while (row->at >= row->to)
			view_code_next_span(row);
		is_marked = row->at >= row->from;
		end = is_marked ? row->to : row->from;
		n = min_of(text.len, end - row->at);
		view_code_put(row, sv_slice(text, 0, n),
			      is_marked ? style_over(*style, row->mark)
					: style_over(row->ground, *style));
		text = sv_skip(text, n);
		row->at += n;
	}
}

static void view_code_ignore(void *arg, struct sv text, const struct style *style)
{
	(void)arg, (void)text, (void)style;
}

/* Lines without changes lead through both versions of the file. */
static void view_code_paint(struct view_code_row *row)
{
	struct view_code *code = row->code;
	struct highlight_look look = code->view->theme->code;
	char kind = row->line->kind;

	look.text = code->view->theme->text;
	if (kind == ' ')
		highlight_line(&code->before, row->line->text, &look, view_code_ignore, NULL);
	highlight_line(kind == '-' ? &code->before : &code->after, row->line->text, &look,
		       view_code_piece, row);
}

static void view_code_row(struct view_code *code, const struct view_code_line *line,
			  struct wrap *wrap)
{
	const struct theme *theme = code->view->theme;
	const struct style *change = view_code_ground(code, line->kind);
	struct view_code_row row = { .code = code,
				     .line = line,
				     .mark = line->kind == '+' ? theme->added_mark
							       : theme->removed_mark,
				     .spans = json_each(line->spans),
				     .start = code->rows.cells,
				     .wrap = wrap };

	view_code_next_span(&row);
	if (change)
		row.ground.bg = change->bg;
	if (theme->added.bg.kind != COLOR_DEFAULT)
		view_code_paint(&row);
	else /* the whole line has the colour of the change, or none */
		view_code_piece(&row, line->text, change ? change : &theme->dim);
}

/* Remember of which kind the rows are that a line has got. */
static void view_code_note(struct view_code *code, char kind)
{
	while (code->kinds.len < code->rows.rows.n)
		str_addc(&code->kinds, kind);
}

static void view_code_mark(struct str *number, char mark[3], const struct view_code_line *line)
{
	if (line->number)
		str_addf(number, "%*zu ", NUMBER_CELLS - 1, line->number);
	else
		str_addf(number, "%*s", NUMBER_CELLS, "");
	mark[0] = line->kind;
	mark[1] = ' ';
	mark[2] = '\0';
}

void view_code_line(struct view_code *code, const struct view_code_line *line)
{
	const struct style *change = view_code_ground(code, line->kind);
	struct style plain = code->view->theme->dim, number_style = plain;
	defer(str_clear) struct str number = STR_INIT;
	char mark[3];

	view_code_mark(&number, mark, line);
	if (change)
		number_style.bg = change->bg;
	page_add(&code->rows, sv_of(&number), number_style);
	page_add(&code->rows, sv_cstr(mark), change ? *change : plain);
	view_code_row(code, line, NULL);
	page_end_row(&code->rows);
	view_code_note(code, line->kind);
}

void view_code_whole_line(struct view_code *code, const struct view_code_line *line)
{
	const struct style *change = view_code_ground(code, line->kind);
	struct style plain = code->view->theme->dim, number_style = plain;
	defer(str_clear) struct str number = STR_INIT, text = STR_INIT;
	struct view_code_line expanded = *line;
	struct wrap wrap;
	char mark[3];

	view_code_mark(&number, mark, line);
	if (change)
		number_style.bg = change->bg;
	view_expand_tabs(&text, line->text, 0);
	expanded.text = sv_of(&text);
	wrap_init(&wrap, &code->rows, code->view->columns, WRAP_CLUSTERS,
		  (struct wrap_prefix){ sv_of(&number), number_style },
		  (struct wrap_prefix){ SV("         "), number_style });
	wrap_add(&wrap, sv_cstr(mark), change ? *change : plain);
	view_code_row(code, &expanded, &wrap);
	wrap_end(&wrap);
	view_code_note(code, line->kind);
}

void view_code_aside(struct view_code *code, struct sv text, struct style style)
{
	view_add_cut(&code->rows, text, style, code->view->columns);
	page_end_row(&code->rows);
	view_code_note(code, ' ');
}

/* --- all of them ------------------------------------------------------------------------ */

static size_t view_code_width(const struct view_code *code)
{
	size_t widest = 0;

	for (size_t i = 0; i < code->kinds.len; i++)
		if (code->kinds.ptr[i] != ' ')
			widest = max_of(widest, code->rows.rows.at[i].cells);
	return min_of(widest + 1, code->view->columns);
}

void view_code_end(struct view_code *code, struct page *page)
{
	size_t width = view_code_width(code);

	for (size_t i = 0; i < code->kinds.len; i++) {
		const struct style *ground = view_code_ground(code, code->kinds.ptr[i]);

		page_copy_row(page, &code->rows, i);
		if (ground && ground->bg.kind != COLOR_DEFAULT)
			page_pad(page, width, (struct style){ .bg = ground->bg });
		page_end_row(page);
	}
	page_clear(&code->rows);
	str_clear(&code->kinds);
}
