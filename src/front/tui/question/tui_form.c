/* The questions of the model (choices.h) as a form: one question at a time, a list to choose from with a line for the
 * user's own words at its end. With several questions the user goes back and forth between them and sees all answers
 * before they are sent. Where several answers are wanted, Space chooses; elsewhere Space does nothing. */
#include "front/tui/question/tui_form.h"

#include "front/display.h"
#include "front/edit_key.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "term/wrap.h"

enum {
	FORM_FRAME = 4,    /* the line above, two empty rows, the hint */
	HEADER_CELLS = 16, /* of a header in the row of all */
	PREVIEW_ROWS = 12,
	SCROLL_ROWS = 4,
};

static struct choices *tui_form_choices(struct tui *t)
{
	return &t->dialog.choices;
}

/* The row of the user's own words is below the options. */
static bool tui_form_is_own(struct tui *t)
{
	return !t->question.is_review && t->question.option == choices_options(tui_form_choices(t));
}

/* --- from question to question ------------------------------------------------------- */

static size_t tui_form_first_chosen(struct choices *c)
{
	for (size_t i = 0; i < choices_options(c); i++)
		if (choices_is_chosen(c, i))
			return i;
	return choices_own(c).len ? choices_options(c) : 0;
}

static void tui_form_go(struct tui *t, size_t question)
{
	struct choices *c = tui_form_choices(t);

	c->at = question;
	t->question.is_review = false;
	t->question.scroll = 0;
	t->question.option = tui_form_first_chosen(c);
	editor_reset(t->question.reply);
	editor_set(t->question.reply, choices_own(c));
}

void tui_form_begin(struct tui *t)
{
	t->question.focus = TUI_FORM;
	tui_form_go(t, 0);
}

static void tui_form_end(struct tui *t)
{
	t->question.focus = TUI_PROMPT;
	tui_redraw_now(t);
}

static void tui_form_send(struct tui *t)
{
	if (!dialog_submit(&t->dialog))
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	tui_form_end(t);
}

static void tui_form_next(struct tui *t)
{
	struct choices *c = tui_form_choices(t);

	if (c->at + 1 < choices_count(c))
		tui_form_go(t, c->at + 1);
	else if (choices_count(c) > 1)
		t->question.is_review = true;
}

static void tui_form_previous(struct tui *t)
{
	struct choices *c = tui_form_choices(t);

	if (t->question.is_review)
		tui_form_go(t, c->at);
	else if (c->at > 0)
		tui_form_go(t, c->at - 1);
}

/* --- keys ---------------------------------------------------------------------------- */

/* The open question has its answer. */
static void tui_form_advance(struct tui *t)
{
	if (choices_count(tui_form_choices(t)) == 1)
		tui_form_send(t);
	else
		tui_form_next(t);
}

static void tui_form_pick(struct tui *t, size_t option)
{
	struct choices *c = tui_form_choices(t);
	bool is_multiple = choices_is_multiple(c);

	t->question.option = option;
	if (option >= choices_options(c))
		return;
	choices_choose(c, option);
	if (!is_multiple) {
		editor_reset(t->question.reply);
		tui_form_advance(t);
	}
}

static void tui_form_accept(struct tui *t)
{
	struct choices *c = tui_form_choices(t);

	if (t->question.is_review)
		tui_form_send(t);
	else if (!choices_is_multiple(c) && !tui_form_is_own(t))
		tui_form_pick(t, t->question.option);
	else if (choices_is_answered(c, c->at))
		tui_form_advance(t);
	else
		str_set(&t->note, tui_form_is_own(t) ? SV("Type your answer first.")
						     : SV("Choose with Space first."));
}

/* What was typed is kept until the user leaves the line. */
static void tui_form_cancel(struct tui *t)
{
	if (tui_form_is_own(t) && !editor_is_empty(t->question.reply)) {
		t->question.option = 0;
		return;
	}
	dialog_decline(&t->dialog, NULL);
	tui_form_end(t);
}

static void tui_form_write(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	editor_expand(t->question.reply, &text);
	choices_set_text(tui_form_choices(t), sv_of(&text));
}

/* A key for the line of own words; false: it has no use for it. */
static bool tui_form_edit(struct tui *t, const struct key *key)
{
	bool is_motion = key->code == KEY_LEFT || key->code == KEY_RIGHT;

	if (!tui_form_is_own(t) || (is_motion && editor_is_empty(t->question.reply)) ||
	    !edit_key(t->question.reply, key))
		return false;
	tui_form_write(t);
	return true;
}

/* A paste is words of the user's, wherever the cursor is. */
struct editor *tui_form_paste(struct tui *t)
{
	if (!t->question.is_review)
		t->question.option = choices_options(tui_form_choices(t));
	return t->question.reply;
}

void tui_form_pasted(struct tui *t)
{
	if (!t->question.is_review)
		tui_form_write(t);
}

static void tui_form_move(struct tui *t, bool is_down)
{
	size_t n = choices_options(tui_form_choices(t)) + 1;

	if (!t->question.is_review)
		t->question.option = (t->question.option + (is_down ? 1 : n - 1)) % n;
}

static void tui_form_text(struct tui *t, struct sv text)
{
	size_t n = choices_options(tui_form_choices(t));
	int64_t number;

	if (t->question.is_review)
		return;
	if (sv_is(text, " ") && choices_is_multiple(tui_form_choices(t)) && t->question.option < n)
		choices_choose(tui_form_choices(t), t->question.option);
	else if (sv_to_int(text, &number) && number >= 1 && (size_t)number <= n + 1)
		tui_form_pick(t, (size_t)number - 1);
}

void tui_form_scroll(struct tui *t, const struct key *key)
{
	if (key->code == KEY_PAGE_DOWN)
		t->question.scroll += SCROLL_ROWS;
	else if (key->code == KEY_PAGE_UP)
		t->question.scroll -= min_of(t->question.scroll, (size_t)SCROLL_ROWS);
}

void tui_form_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_TABS, KEYMAP_LIST };
	enum keymap_action action = ACTION_NONE;

	if (tui_form_edit(t, key))
		return;
	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action == ACTION_TAB_NEXT)
		tui_form_next(t);
	else if (action == ACTION_TAB_PREVIOUS)
		tui_form_previous(t);
	else if (action == ACTION_LIST_ACCEPT)
		tui_form_accept(t);
	else if (action == ACTION_LIST_CANCEL)
		tui_form_cancel(t);
	else if (action == ACTION_LIST_PREVIOUS || action == ACTION_LIST_NEXT)
		tui_form_move(t, action == ACTION_LIST_NEXT);
	else if (key->code == KEY_TEXT && !key->mods)
		tui_form_text(t, key->text);
	else
		tui_form_scroll(t, key);
}

/* --- rows: the questions --------------------------------------------------------------- */

/* Append text of the model as one line. */
static void tui_form_add_line(struct tui *t, struct page *page, struct sv text, struct style style)
{
	defer(str_clear) struct str line = STR_INIT;

	display_line(&line, text, SIZE_MAX);
	view_add_cut(page, sv_of(&line), style, screen_columns(t->screen));
}

static void tui_form_add_header(struct tui *t, struct page *page, size_t question)
{
	struct choices *c = tui_form_choices(t);
	bool is_open = question == c->at && !t->question.is_review;
	struct style style = is_open ? t->theme->accent : t->theme->dim;
	defer(str_clear) struct str header = STR_INIT;

	display_line(&header, choices_header(c, question), HEADER_CELLS);
	if (!header.len)
		str_addf(&header, "%zu", question + 1);
	if (is_open)
		style.attrs |= STYLE_BOLD;
	page_addf(page, style, "%s%s   ", choices_is_answered(c, question) ? "✓ " : "○ ",
		  header.ptr);
}

/* All headers, or, where there is no room, the one of the open question. */
static void tui_form_draw_headers(struct tui *t, struct page *page)
{
	struct choices *c = tui_form_choices(t);
	size_t n = choices_count(c);
	defer(str_clear) struct str where = STR_INIT;
	struct page row = { .cells = 0 };

	if (n == 1) {
		if (!choices_header(c, 0).len)
			return;
		page_add(page, SV(" "), t->theme->dim);
		tui_form_add_line(t, page, choices_header(c, 0), t->theme->accent);
		page_end_row(page);
		return;
	}
	page_add(&row, SV(" "), t->theme->dim);
	for (size_t i = 0; i < n; i++)
		tui_form_add_header(t, &row, i);
	if (t->question.is_review)
		str_adds(&where, "review");
	else
		str_addf(&where, "%zu of %zu", c->at + 1, n);
	page_add(&row, sv_of(&where), t->question.is_review ? t->theme->accent : t->theme->dim);
	page_end_row(&row);
	if (row.rows.at[0].cells <= screen_columns(t->screen)) {
		page_copy(page, &row, 0, 1);
	} else {
		page_addf(page, t->theme->accent, " %s", str_c(&where));
		page_end_row(page);
	}
	page_clear(&row);
}

void tui_form_wrap(struct tui *t, struct page *page, struct sv text, const char *before,
		   struct style style)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct wrap wrap;

	display_text(&clean, sv_trim(text));
	wrap_init(&wrap, page, screen_columns(t->screen), WRAP_WORDS,
		  (struct wrap_prefix){ sv_cstr(before), style },
		  (struct wrap_prefix){ sv_cstr(before), style });
	wrap_add(&wrap, sv_of(&clean), style);
	wrap_end(&wrap);
}

static void tui_form_draw_question(struct tui *t, struct page *page)
{
	struct style bold = t->theme->text;

	bold.attrs |= STYLE_BOLD;
	tui_form_draw_headers(t, page);
	tui_form_wrap(t, page,
		      t->question.is_review ? SV("Send these answers?")
					    : choices_text(tui_form_choices(t)),
		      " ", bold);
}

/* --- rows: the answers ------------------------------------------------------------------- */

static void tui_form_add_mark(struct tui *t, struct str *out, size_t option, bool is_chosen)
{
	bool is_multiple = choices_is_multiple(tui_form_choices(t));

	str_addf(out, "%s%zu  %s", option == t->question.option ? " ❯ " : "   ", option + 1,
		 !is_multiple ? ""
		 : is_chosen  ? "[x] "
			      : "[ ] ");
}

static void tui_form_draw_option(struct tui *t, struct page *page, size_t option)
{
	struct choices *c = tui_form_choices(t);
	bool is_here = option == t->question.option;
	struct style style = is_here ? t->theme->selected : t->theme->text;
	const char *before = choices_is_multiple(c) ? "          " : "      ";
	defer(str_clear) struct str mark = STR_INIT, label = STR_INIT;
	struct wrap wrap;

	tui_form_add_mark(t, &mark, option, choices_is_chosen(c, option));
	display_line(&label, choices_label(c, option), SIZE_MAX);
	wrap_init(&wrap, page, screen_columns(t->screen), WRAP_WORDS,
		  (struct wrap_prefix){ sv_of(&mark), is_here ? style : t->theme->dim },
		  (struct wrap_prefix){ sv_cstr(before), style });
	wrap_add(&wrap, sv_of(&label), style);
	wrap_end(&wrap);
	if (choices_description(c, option).len && !t->question.is_tight)
		tui_form_wrap(t, page, choices_description(c, option), before, t->theme->dim);
}

/* The line for the user's own words; the cursor is in it while it is selected. */
static void tui_form_draw_own(struct tui *t, struct page *page, struct screen_cursor *cursor)
{
	size_t option = choices_options(tui_form_choices(t));
	bool is_here = t->question.option == option;
	defer(str_clear) struct str mark = STR_INIT;
	struct editor_look look = {
		.columns = screen_columns(t->screen),
		.max_rows = 4,
		.next_prefix = SV("      "),
		.prefix_style = is_here ? t->theme->selected : t->theme->dim,
		.text = t->theme->text,
		.label = t->theme->accent,
		.hint = t->theme->dim,
		.placeholder = SV("Other: type your own answer"),
	};

	tui_form_add_mark(t, &mark, option, choices_own(tui_form_choices(t)).len > 0);
	look.prefix = sv_of(&mark);
	editor_draw(t->question.reply, &look, page, cursor);
	cursor->is_visible = is_here;
}

/* Appends the options; `*first` and `*end` get the rows of the selected one. */
static void tui_form_draw_options(struct tui *t, struct page *page, struct screen_cursor *cursor,
				  size_t *first, size_t *end)
{
	size_t n = choices_options(tui_form_choices(t));

	for (size_t i = 0; i <= n; i++) {
		if (i == t->question.option)
			*first = page->rows.n;
		if (i < n)
			tui_form_draw_option(t, page, i);
		else
			tui_form_draw_own(t, page, cursor);
		if (i == t->question.option)
			*end = page->rows.n;
	}
}

static void tui_form_draw_review(struct tui *t, struct page *page)
{
	struct choices *c = tui_form_choices(t);

	for (size_t i = 0; i < choices_count(c); i++) {
		defer(str_clear) struct str header = STR_INIT, answer = STR_INIT;

		str_adds(&header, "   ");
		display_line(&header, choices_header(c, i), HEADER_CELLS);
		if (!choices_header(c, i).len)
			str_addf(&header, "%zu", i + 1);
		str_adds(&header, ": ");
		choices_add_answer(&answer, c, i);
		page_add(page, sv_of(&header), t->theme->dim);
		tui_form_add_line(t, page, answer.len ? sv_of(&answer) : SV("no answer"),
				  answer.len ? t->theme->text : t->theme->warning);
		page_end_row(page);
	}
}

static void tui_form_draw_body(struct tui *t, struct page *page, struct screen_cursor *cursor,
			       size_t *first, size_t *end)
{
	*first = *end = 0;
	if (t->question.is_review)
		tui_form_draw_review(t, page);
	else
		tui_form_draw_options(t, page, cursor, first, end);
}

/* What the selected option would look like, if the model has sent that and there is room. */
static void tui_form_draw_preview(struct tui *t, struct page *page, size_t space)
{
	struct sv preview = t->question.is_review || tui_form_is_own(t)
				    ? SV_EMPTY
				    : choices_preview(tui_form_choices(t), t->question.option);
	struct page rows = { .cells = 0 };
	struct markdown_look look;
	struct view view;

	if (!sv_trim(preview).len || space < 3)
		return;
	tui_view(t, &view);
	view_markdown_look(&view, &look);
	markdown_paint(&rows, preview, &look);
	space = min_of(space - 1, (size_t)PREVIEW_ROWS);
	page_end_row(page);
	page_copy(page, &rows, 0, min_of(rows.rows.n, rows.rows.n > space ? space - 1 : space));
	if (rows.rows.n > space) {
		page_addf(page, t->theme->dim, "   … %zu more rows", rows.rows.n - space + 1);
		page_end_row(page);
	}
	page_clear(&rows);
}

static const char *tui_form_hint(struct tui *t)
{
	struct choices *c = tui_form_choices(t);

	if (t->note.len)
		return str_c(&t->note);
	if (t->question.is_review)
		return "enter to send · ← to change · esc to decline";
	if (choices_is_multiple(c))
		return choices_count(c) > 1
			       ? "space to choose · enter for the next · ← → questions · esc to "
				 "decline"
			       : "space to choose · enter to answer · esc to decline";
	return choices_count(c) > 1 ? "a number, or ↑ ↓ and enter · ← → questions · esc to decline"
				    : "a number, or ↑ ↓ and enter · esc to decline";
}

void tui_form_fit(struct tui *t, struct page *page, const struct page *head,
		  const struct page *body, size_t space, struct screen_cursor *cursor, size_t first,
		  size_t end)
{
	size_t wanted = space > head->rows.n ? space - head->rows.n : 0;
	size_t body_space = min_of(body->rows.n, max_of(wanted, space - space / 3));
	size_t head_space = min_of(head->rows.n, space - body_space);
	size_t from = end > body_space ? end - body_space : 0;

	from = min_of(from, first);
	t->question.scroll = min_of(t->question.scroll, head->rows.n - head_space);
	page_copy(page, head, t->question.scroll, t->question.scroll + head_space);
	if (!t->question.is_tight)
		page_end_row(page);
	if (cursor->is_visible)
		*cursor = (struct screen_cursor){ true, page->rows.n + cursor->row - from,
						  cursor->cell };
	page_copy(page, body, from, min_of(from + body_space, body->rows.n));
}

void tui_draw_form(struct tui *t, struct page *page, struct screen_cursor *cursor, size_t max_rows)
{
	size_t space = max_rows > FORM_FRAME + 3 ? max_rows - FORM_FRAME : 3;
	size_t first = 0, end = 0, columns = screen_columns(t->screen);
	struct page head = { .cells = 0 }, body = { .cells = 0 };

	t->question.is_tight = false;
	tui_form_draw_question(t, &head);
	tui_form_draw_body(t, &body, cursor, &first, &end);
	if (head.rows.n + body.rows.n > space) {
		t->question.is_tight = true;
		space += 2; /* no empty rows */
		page_reset(&body);
		tui_form_draw_body(t, &body, cursor, &first, &end);
	} else if (head.rows.n + body.rows.n < space) {
		tui_form_draw_preview(t, &body, space - head.rows.n - body.rows.n);
	}
	tui_draw_rule(t, page, t->theme->accent);
	tui_form_fit(t, page, &head, &body, space, cursor, first, end);
	if (!t->question.is_tight)
		page_end_row(page);
	page_add(page, SV(" "), t->theme->dim);
	view_add_items(page, sv_cstr(tui_form_hint(t)),
		       t->note.len ? t->theme->warning : t->theme->dim, columns);
	page_end_row(page);
	page_clear(&head);
	page_clear(&body);
}
