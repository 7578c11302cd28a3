/* The question of an MCP server: fields to fill in, or a page to open. All fields are in one list with the answers below
 * them; the selected field shows its options or the line that is typed. Escape leaves the question, which is not the same
 * as declining it: the server may ask again. */
#include "front/tui/question/tui_fields.h"

#include "front/display.h"
#include "front/edit_key.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/question/tui_form.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "term/wrap.h"

enum { FIELDS_FRAME = 4, TITLE_CELLS = 40, VALUE_CELLS = 200 };

/* The rows below the fields. */
enum { FIELDS_SEND, FIELDS_DECLINE, FIELDS_ANSWERS };

static struct fields *tui_fields_of(struct tui *t)
{
	return &t->dialog.fields;
}

static const struct field *tui_fields_here(struct tui *t)
{
	return t->question.field < fields_count(tui_fields_of(t))
		       ? fields_at(tui_fields_of(t), t->question.field)
		       : NULL;
}

static bool tui_fields_is_line(struct tui *t)
{
	const struct field *field = tui_fields_here(t);

	return field && !field->noptions;
}

/* --- from field to field ------------------------------------------------------------- */

static size_t tui_fields_first_chosen(const struct field *field)
{
	for (size_t i = 0; i < field->noptions; i++)
		if (field->is_chosen[i])
			return i;
	return 0;
}

static void tui_fields_go(struct tui *t, size_t row)
{
	const struct field *field;

	t->question.field = row;
	t->question.option = 0;
	field = tui_fields_here(t);
	editor_reset(t->question.reply);
	if (tui_fields_is_line(t))
		editor_set(t->question.reply, sv_of(&field->text));
	else if (field)
		t->question.option = tui_fields_first_chosen(field);
}

static size_t tui_fields_rows(struct tui *t)
{
	return fields_count(tui_fields_of(t)) + FIELDS_ANSWERS;
}

void tui_fields_begin(struct tui *t)
{
	t->question.focus = TUI_FIELDS;
	t->question.scroll = 0;
	tui_fields_go(t, 0);
}

static void tui_fields_next(struct tui *t)
{
	tui_fields_go(t, (t->question.field + 1) % tui_fields_rows(t));
}

static void tui_fields_previous(struct tui *t)
{
	size_t n = tui_fields_rows(t);
	const struct field *field;

	tui_fields_go(t, (t->question.field + n - 1) % n);
	field = tui_fields_here(t);
	if (field && field->noptions)
		t->question.option = field->noptions - 1;
}

/* Up and down go through the options of a field before they leave it. */
static void tui_fields_move(struct tui *t, bool is_down)
{
	const struct field *field = tui_fields_here(t);

	if (field && is_down && t->question.option + 1 < field->noptions)
		t->question.option++;
	else if (field && !is_down && t->question.option > 0)
		t->question.option--;
	else
		(is_down ? tui_fields_next : tui_fields_previous)(t);
}

/* --- the answer -------------------------------------------------------------------------- */

static void tui_fields_end(struct tui *t, enum elicited action)
{
	struct err err = ERR_INIT;

	if (!dialog_elicited(&t->dialog, action, &err)) {
		tui_show_notice(t, t->theme->error, sv_cstr(err.text));
		if (t->dialog.is_open)
			return;
	}
	t->question.focus = TUI_PROMPT;
	tui_redraw_now(t);
}

/* Whether the field can be left; else a note says why not. */
static bool tui_fields_check(struct tui *t, size_t field)
{
	defer(str_clear) struct str complaint = STR_INIT;

	if (fields_check(tui_fields_of(t), field, &complaint))
		return true;
	str_truncate(&t->note, 0);
	display_line(&t->note, sv_of(&complaint), SIZE_MAX);
	return false;
}

static void tui_fields_send(struct tui *t)
{
	for (size_t i = 0; i < fields_count(tui_fields_of(t)); i++)
		if (!tui_fields_check(t, i)) {
			tui_fields_go(t, i);
			return;
		}
	tui_fields_end(t, ELICITED_ACCEPT);
}

static void tui_fields_accept(struct tui *t)
{
	const struct field *field = tui_fields_here(t);

	if (!field && t->question.field == fields_count(tui_fields_of(t)) + FIELDS_SEND) {
		tui_fields_send(t);
	} else if (!field) {
		tui_fields_end(t, ELICITED_DECLINE);
	} else {
		if (field->noptions && field->kind != FIELD_SEVERAL &&
		    !field->is_chosen[t->question.option])
			fields_choose(tui_fields_of(t), t->question.field, t->question.option);
		if (tui_fields_check(t, t->question.field))
			tui_fields_next(t);
	}
}

/* --- keys ------------------------------------------------------------------------------------ */

static void tui_fields_write(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	editor_expand(t->question.reply, &text);
	fields_set_text(tui_fields_of(t), t->question.field, sv_of(&text));
}

struct editor *tui_fields_paste(struct tui *t)
{
	return t->question.reply;
}

void tui_fields_pasted(struct tui *t)
{
	if (tui_fields_is_line(t))
		tui_fields_write(t);
	else
		editor_reset(t->question.reply);
}

void tui_fields_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_TABS, KEYMAP_LIST };
	const struct field *field = tui_fields_here(t);
	enum keymap_action action = ACTION_NONE;

	if (tui_fields_is_line(t) && edit_key(t->question.reply, key)) {
		tui_fields_write(t);
		return;
	}
	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action == ACTION_TAB_NEXT)
		tui_fields_next(t);
	else if (action == ACTION_TAB_PREVIOUS)
		tui_fields_previous(t);
	else if (action == ACTION_LIST_ACCEPT)
		tui_fields_accept(t);
	else if (action == ACTION_LIST_CANCEL)
		tui_fields_end(t, ELICITED_CANCEL);
	else if (action == ACTION_LIST_PREVIOUS || action == ACTION_LIST_NEXT)
		tui_fields_move(t, action == ACTION_LIST_NEXT);
	else if (field && field->noptions && key->code == KEY_TEXT && sv_is(key->text, " "))
		fields_choose(tui_fields_of(t), t->question.field, t->question.option);
	else
		tui_form_scroll(t, key);
}

/* --- rows -------------------------------------------------------------------------------------- */

/* Who asks, and what. Of a page, the whole address and its host. */
static void tui_fields_draw_head(struct tui *t, struct page *page)
{
	defer(str_clear) struct str server = STR_INIT, url = STR_INIT, host = STR_INIT;
	struct style bold = t->theme->text;

	bold.attrs |= STYLE_BOLD;
	str_adds(&server, " MCP server ");
	display_line(&server, sv_of(&t->dialog.server), TITLE_CELLS);
	page_add(page, sv_of(&server), t->theme->accent);
	page_add(page, t->dialog.url.len ? SV(" wants you to open a page") : SV(" asks"),
		 t->theme->accent);
	page_end_row(page);
	tui_form_wrap(t, page, sv_of(&t->dialog.text), " ", bold);
	if (!t->dialog.url.len)
		return;
	display_exact(&url, sv_of(&t->dialog.url));
	display_exact(&host, dialog_url_host(&t->dialog));
	tui_form_wrap(t, page, sv_of(&url), "   ", t->theme->text);
	page_add(page, SV("   at "), t->theme->dim);
	page_add(page, host.len ? sv_of(&host) : SV("no host"), t->theme->warning);
	page_end_row(page);
}

/* "Title *", with the mark of the selected row before it. */
static void tui_fields_add_title(struct tui *t, struct str *out, size_t i)
{
	const struct fields *f = tui_fields_of(t);

	str_adds(out, i == t->question.field ? " ❯ " : "   ");
	display_line(out, fields_title(f, i), TITLE_CELLS);
	str_adds(out, fields_at(f, i)->is_required ? " *: " : ": ");
}

/* What may be entered in the selected field. */
static void tui_fields_draw_help(struct tui *t, struct page *page, size_t i)
{
	const struct fields *f = tui_fields_of(t);
	defer(str_clear) struct str hint = STR_INIT;

	if (t->question.is_tight)
		return;
	if (fields_description(f, i).len)
		tui_form_wrap(t, page, fields_description(f, i), "     ", t->theme->dim);
	fields_add_hint(&hint, f, i);
	if (hint.len)
		tui_form_wrap(t, page, sv_of(&hint), "     ", t->theme->dim);
}

static void tui_fields_draw_line(struct tui *t, struct page *page, size_t i,
				 struct screen_cursor *cursor)
{
	defer(str_clear) struct str title = STR_INIT;
	struct editor_look look = {
		.columns = screen_columns(t->screen),
		.max_rows = 4,
		.next_prefix = SV("     "),
		.prefix_style = t->theme->selected,
		.text = t->theme->text,
		.label = t->theme->accent,
		.hint = t->theme->dim,
	};

	tui_fields_add_title(t, &title, i);
	look.prefix = sv_of(&title);
	editor_draw(t->question.reply, &look, page, cursor);
	cursor->is_visible = true;
	tui_fields_draw_help(t, page, i);
}

/* A field as one row: the value, or that there is none. */
static void tui_fields_draw_value(struct tui *t, struct page *page, size_t i)
{
	const struct fields *f = tui_fields_of(t);
	bool is_here = i == t->question.field;
	defer(str_clear) struct str title = STR_INIT, value = STR_INIT, line = STR_INIT;

	tui_fields_add_title(t, &title, i);
	fields_add_value(&value, f, i);
	display_line(&line, sv_of(&value), VALUE_CELLS);
	page_add(page, sv_of(&title), is_here ? t->theme->selected : t->theme->dim);
	view_add_cut(page, sv_of(&line), t->theme->text, screen_columns(t->screen));
	page_end_row(page);
}

/* The options of the selected field; `*first` and `*end` get the rows of the selected one. */
static void tui_fields_draw_options(struct tui *t, struct page *page, size_t i, size_t *first,
				    size_t *end)
{
	const struct fields *f = tui_fields_of(t);
	const struct field *field = fields_at(f, i);
	bool is_multiple = field->kind == FIELD_SEVERAL;

	tui_fields_draw_value(t, page, i);
	tui_fields_draw_help(t, page, i);
	for (size_t k = 0; k < field->noptions; k++) {
		defer(str_clear) struct str label = STR_INIT;
		const char *mark = !field->is_chosen[k] ? (is_multiple ? "[ ] " : "( ) ")
				   : is_multiple        ? "[x] "
							: "(•) ";

		if (k == t->question.option)
			*first = page->rows.n;
		str_addf(&label, "%s%s", k == t->question.option ? "   ❯ " : "     ", mark);
		display_line(&label, fields_option(f, i, k), VALUE_CELLS);
		view_add_cut(page, sv_of(&label),
			     k == t->question.option ? t->theme->selected : t->theme->text,
			     screen_columns(t->screen));
		page_end_row(page);
		if (k == t->question.option)
			*end = page->rows.n;
	}
}

static void tui_fields_draw_answers(struct tui *t, struct page *page, size_t *first, size_t *end)
{
	const char *const texts[] = { t->dialog.url.len ? "Open it in the browser" : "Send",
				      "Decline" };
	size_t n = fields_count(tui_fields_of(t));

	if (n && !t->question.is_tight)
		page_end_row(page);
	for (size_t i = 0; i < FIELDS_ANSWERS; i++) {
		bool is_here = t->question.field == n + i;

		if (is_here) {
			*first = page->rows.n;
			*end = *first + 1;
		}
		page_addf(page, is_here ? t->theme->selected : t->theme->text, "%s%s",
			  is_here ? " ❯ " : "   ", texts[i]);
		page_end_row(page);
	}
}

static void tui_fields_draw_body(struct tui *t, struct page *page, struct screen_cursor *cursor,
				 size_t *first, size_t *end)
{
	size_t n = fields_count(tui_fields_of(t));

	*first = *end = 0;
	for (size_t i = 0; i < n; i++) {
		bool is_here = i == t->question.field;
		size_t row = page->rows.n;

		if (is_here && tui_fields_is_line(t)) {
			tui_fields_draw_line(t, page, i, cursor);
			*first = row;
			*end = page->rows.n;
		} else if (is_here) {
			tui_fields_draw_options(t, page, i, first, end);
		} else {
			tui_fields_draw_value(t, page, i);
		}
	}
	tui_fields_draw_answers(t, page, first, end);
}

static const char *tui_fields_hint(struct tui *t)
{
	const struct field *field = tui_fields_here(t);

	if (t->note.len)
		return str_c(&t->note);
	if (!field)
		return "↑ ↓ and enter · esc to leave it without an answer";
	if (field->kind == FIELD_SEVERAL)
		return "space to choose · enter for the next · esc to leave it without an answer";
	return field->noptions
		       ? "↑ ↓ and enter to choose · esc to leave it without an answer"
		       : "enter for the next · tab, ↑ ↓ · esc to leave it without an answer";
}

void tui_draw_fields(struct tui *t, struct page *page, struct screen_cursor *cursor,
		     size_t max_rows)
{
	size_t space = max_rows > FIELDS_FRAME + 3 ? max_rows - FIELDS_FRAME : 3;
	size_t first = 0, end = 0, columns = screen_columns(t->screen);
	struct page head = { .cells = 0 }, body = { .cells = 0 };

	t->question.is_tight = false;
	tui_fields_draw_head(t, &head);
	tui_fields_draw_body(t, &body, cursor, &first, &end);
	if (head.rows.n + body.rows.n > space) {
		t->question.is_tight = true;
		space += 2; /* no empty rows */
		page_reset(&body);
		tui_fields_draw_body(t, &body, cursor, &first, &end);
	}
	tui_draw_rule(t, page, t->theme->accent);
	tui_form_fit(t, page, &head, &body, space, cursor, first, end);
	if (!t->question.is_tight)
		page_end_row(page);
	page_add(page, SV(" "), t->theme->dim);
	view_add_items(page, sv_cstr(tui_fields_hint(t)),
		       t->note.len ? t->theme->warning : t->theme->dim, columns);
	page_end_row(page);
	page_clear(&head);
	page_clear(&body);
}
