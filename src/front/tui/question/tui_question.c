/* An open question: what the call would do, and a list of replies below. Keys that were typed before the question was
 * on the screen belong to the prompt, and no key answers by accident: a reply is chosen by its number, or with the arrows
 * and Enter. */
#include "front/tui/question/tui_question.h"

#include "base/ascii.h"
#include "front/edit_key.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/prompt/tui_image.h"
#include "front/tui/prompt/tui_keys.h"
#include "front/tui/question/tui_fields.h"
#include "front/tui/question/tui_form.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_notify.h"
#include "front/tui/tui_terminal.h"
#include "front/tui/view/view_code.h"
#include "proto/control.h"
#include "proto/reply_read.h"
#include "term/wrap.h"

enum { MOST_OPTIONS = 9, FRAME_ROWS = 5, SUBJECT_ROWS = 4, SCROLL_ROWS = 8 };

/* A reply to choose from: its number, as it was written by question_add_choices(), and its text. */
struct question_option {
	struct sv number, text;
};

static size_t tui_question_options(struct sv lines, struct question_option *options)
{
	struct sv line;
	size_t n = 0;

	while (n < MOST_OPTIONS && sv_cut_line(&lines, &line)) {
		options[n].number = sv_slice(line, 0, 1);
		options[n++].text = sv_skip(line, 2);
	}
	return n;
}

static void tui_question_begin(struct tui *t)
{
	t->question.focus = TUI_OPTIONS;
	t->question.is_shown = false;
	t->question.option = 0;
	t->question.shows_all = false;
	t->question.scroll = 0;
	str_truncate(&t->question.explanation, 0);
	editor_reset(t->question.reply);
	if (t->dialog.is_choice)
		tui_form_begin(t);
	else if (t->dialog.is_form)
		tui_fields_begin(t);
	tui_redraw(t);
}

static const struct sv question_context_id = SV_INIT("question-context");

/* Ask how full the context is: one of the answers clears it. The question does not wait for the reply. */
static void tui_question_measure(struct tui *t)
{
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &(struct control_request){ .kind = CONTROL_CONTEXT_USAGE,
								.id = question_context_id });
	if (!client_send(&t->client, sv_of(&json)))
		str_set(&t->note, sv_cstr(awl_last_error()));
}

bool tui_question_on_reply(struct tui *t, const struct control_reply *reply)
{
	if (!sv_eq(reply->request_id, question_context_id))
		return false;
	t->dialog.replies.knows_context = reply->kind == REPLY_VALUE;
	if (reply->kind == REPLY_VALUE)
		t->dialog.replies.context_used = reply_read_percentage(reply->value);
	tui_redraw(t);
	return true;
}

/* The question is open: show it, and tell a user who looks elsewhere. */
static void tui_question_appear(struct tui *t)
{
	t->question.at = t->question.waiting > 1 ? t->question.at + 1 : 1;
	tui_question_begin(t);
	tui_keys_on_question(t);
	tui_notify(t, "a question needs your answer");
}

void tui_ask(struct tui *t, struct sv id, const struct permission_question *question)
{
	tui_catch_up(t);
	if (t->client.is_leaving)
		return;
	dialog_open(&t->dialog, id, question, sv_of(&t->cwd));
	tui_question_appear(t);
	if (!t->dialog.is_choice && t->dialog.replies.offers_clear)
		tui_question_measure(t);
}

void tui_ask_form(struct tui *t, struct sv id, const struct elicitation *asked)
{
	tui_catch_up(t);
	if (t->client.is_leaving)
		return;
	dialog_open_form(&t->dialog, id, asked);
	tui_question_appear(t);
}

static void tui_question_end(struct tui *t)
{
	tui_begin_calls_anew(t, sv_of(&t->dialog.call));
	t->question.focus = TUI_PROMPT;
	tui_redraw_now(t);
}

void tui_withdraw(struct tui *t)
{
	if (!t->dialog.is_open)
		return;
	dialog_withdraw(&t->dialog);
	if (t->dialog.patience_ms && !t->turn.was_interrupted)
		tui_show_notice(t, t->theme->warning,
				SV("No answer in time; awl continues without one."));
	tui_question_end(t);
}

/* --- keys ------------------------------------------------------------------------- */

/* The user adds words to an answer. */
static void tui_question_comment(struct tui *t, enum answer answer)
{
	bool is_yes = answer == ANSWER_YES || answer == ANSWER_ALWAYS || answer == ANSWER_PLAN_ASK;

	t->question.replies_to = is_yes ? answer : ANSWER_NO_BECAUSE;
	t->question.focus = TUI_REPLY;
}

/* A plan that was not accepted stays in the conversation: what comes next is about it. */
static void tui_question_keep_plan(struct tui *t)
{
	struct view view;

	if (!t->dialog.plan.len)
		return;
	tui_view(t, &view);
	view_plan(tui_begin_block(t), &view, sv_of(&t->dialog.plan), false);
}

static void tui_question_answer(struct tui *t, enum answer answer)
{
	switch (answer) {
	case ANSWER_UNCLEAR: return;
	case ANSWER_NO_BECAUSE: tui_question_comment(t, answer); return;
	case ANSWER_SHOW_ALL:
		t->question.shows_all = true;
		t->dialog.replies.may_show_all = false;
		return;
	case ANSWER_YES:
	case ANSWER_ALWAYS:
	case ANSWER_NO:
	case ANSWER_NEVER:
	case ANSWER_PLAN_ASK:
	case ANSWER_PLAN_ANEW: break;
	}
	if (answer == ANSWER_NO || answer == ANSWER_NEVER)
		tui_question_keep_plan(t);
	if (!dialog_answer(&t->dialog, answer))
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	tui_question_end(t);
}

static void tui_question_choose(struct tui *t, struct sv number)
{
	tui_question_answer(t, question_read_answer(number, &t->dialog.replies));
}

/* Show how the rules see the call, or the call again. */
static void tui_question_explain(struct tui *t)
{
	struct err err = ERR_INIT;

	t->question.scroll = 0;
	if (t->question.explanation.len)
		str_truncate(&t->question.explanation, 0);
	else if (!dialog_explain(&t->dialog, str_c(&t->cwd), awl_config_dir(t->opts->awl),
				 &t->question.explanation, &err))
		str_set(&t->note, sv_cstr(err.text));
}

static void tui_question_on_plan(struct tui *t, struct sv text)
{
	if (t->dialog.is_open)
		dialog_change_plan(&t->dialog, text);
}

/* What Shift+Tab means: no more questions about edits, if that is one of the answers. */
static void tui_question_accept_mode(struct tui *t)
{
	const struct question_choices *replies = &t->dialog.replies;

	if (replies->is_plan)
		tui_question_choose(t, SV("1"));
	else if (replies->offer && replies->offer->kind == PERMISSION_SET_MODE)
		tui_question_answer(t, ANSWER_ALWAYS);
}

static void tui_options_act(struct tui *t, const struct key *key, enum keymap_action action,
			    const struct question_option *options, size_t n)
{
	if (action == ACTION_PREVIOUS_OPTION)
		t->question.option = (t->question.option + n - 1) % n;
	else if (action == ACTION_NEXT_OPTION)
		t->question.option = (t->question.option + 1) % n;
	else if (action == ACTION_YES && key->code == KEY_ENTER)
		tui_question_choose(t, options[t->question.option].number);
	else if (action == ACTION_YES)
		tui_question_answer(t, ANSWER_YES);
	else if (action == ACTION_NO)
		tui_question_answer(t, ANSWER_NO);
	else if (action == ACTION_COMMENT)
		tui_question_comment(t, question_read_answer(options[t->question.option].number,
							     &t->dialog.replies));
	else if (action == ACTION_EXPLAIN)
		tui_question_explain(t);
	else if (action == ACTION_ACCEPT_MODE)
		tui_question_accept_mode(t);
	else if (action == ACTION_EDIT_PLAN && t->dialog.replies.is_plan)
		tui_compose_text(t, sv_of(&t->dialog.plan), "plan.md", tui_question_on_plan);
}

static void tui_options_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_QUESTION };
	struct question_option options[MOST_OPTIONS];
	defer(str_clear) struct str lines = STR_INIT;
	enum keymap_action action = ACTION_NONE;
	size_t n;

	question_add_choices(&lines, &t->dialog.replies);
	n = tui_question_options(sv_of(&lines), options);
	t->question.option = min_of(t->question.option, n - 1);
	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action)
		tui_options_act(t, key, action, options, n);
	else if (key->code == KEY_PAGE_DOWN)
		t->question.scroll += t->question.scroll ? SCROLL_ROWS : 1;
	else if (key->code == KEY_PAGE_UP)
		t->question.scroll -= min_of(t->question.scroll, (size_t)SCROLL_ROWS);
	else if (key->code == KEY_TEXT && !key->mods)
		tui_question_choose(t, key->text);
}

static void tui_reply_enter(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;
	struct input_image images[TUI_IMAGES];
	size_t n;
	bool ok;

	editor_expand(t->question.reply, &text);
	if (t->question.replies_to == ANSWER_NO_BECAUSE)
		tui_question_keep_plan(t);
	if (t->question.replies_to == ANSWER_NO_BECAUSE && !t->dialog.plan.len)
		str_set(&t->conversation.words, sv_trim(sv_of(&text)));
	else if (sv_trim(sv_of(&text)).len)
		tui_show_prompt(t, sv_of(&text));
	n = tui_images_of(t, sv_of(&text), images, countof(images));
	ok = t->question.replies_to == ANSWER_NO_BECAUSE
		     ? dialog_object(&t->dialog, sv_of(&text), images, n)
		     : dialog_remark(&t->dialog, t->question.replies_to, sv_of(&text), images, n);
	if (!ok)
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	tui_question_end(t);
}

static void tui_reply_key(struct tui *t, const struct key *key)
{
	if (key->code == KEY_ENTER && !key->mods)
		tui_reply_enter(t);
	else if (key->code == KEY_ESCAPE)
		t->question.focus = TUI_OPTIONS;
	else if (key_is(key, KEY_CTRL, 'v'))
		tui_image_from_clipboard(t);
	else
		edit_key(t->question.reply, key);
}

void tui_question_key(struct tui *t, const struct key *key)
{
	if (key_is(key, KEY_CTRL, 'c')) {
		tui_interrupt(t);
	} else if (key_is(key, KEY_CTRL, 'd')) {
		dialog_decline(&t->dialog, "The user has left.");
		tui_leave(t, EXIT_SUCCESS);
	} else if (key_is(key, KEY_CTRL, 'z')) {
		tui_suspend(t);
	} else if (t->question.focus == TUI_FORM) {
		tui_form_key(t, key);
	} else if (t->question.focus == TUI_FIELDS) {
		tui_fields_key(t, key);
	} else if (t->question.focus == TUI_REPLY) {
		tui_reply_key(t, key);
	} else {
		tui_options_key(t, key);
	}
}

/* --- rows ----------------------------------------------------------------------------- */

static struct style tui_question_style(const struct theme *theme, struct sv line)
{
	bool is_aside = sv_starts(line, SV("  Reason: ")) || sv_starts(line, SV("  Asked by "));

	return sv_starts(line, SV("  Hard to undo: ")) ? theme->warning
	       : is_aside                              ? theme->dim
						       : theme->text;
}

static void tui_draw_lines(struct tui *t, struct page *page, struct sv text, bool is_first)
{
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		struct style style = tui_question_style(t->theme, line);
		bool is_prose = !sv_starts(line, SV("  "));
		struct wrap wrap;

		if (is_first)
			style.attrs |= STYLE_BOLD;
		wrap_init(&wrap, page, screen_columns(t->screen),
			  is_prose || style_eq(style, t->theme->dim) ? WRAP_WORDS : WRAP_CLUSTERS,
			  (struct wrap_prefix){ SV(" "), style },
			  (struct wrap_prefix){ is_prose && !is_first ? SV(" ") : SV("     "),
						style });
		wrap_add(&wrap, line, style);
		wrap_end(&wrap);
		if (!line.len)
			page_end_row(page);
		is_first = false;
	}
}

void tui_draw_text(struct tui *t, struct page *page, struct sv text)
{
	tui_draw_lines(t, page, text, true);
}

/* All of it: a rule that is kept must be seen before it is. */
void tui_draw_option(struct tui *t, struct page *page, struct sv number, struct sv text,
		     bool is_selected, bool is_cut)
{
	struct style style = is_selected ? t->theme->selected : t->theme->text;
	defer(str_clear) struct str prefix = STR_INIT;
	struct wrap wrap;

	str_addf(&prefix, "%s%.*s  ", is_selected ? " ❯ " : "   ", SV_ARG(number));
	if (is_cut && !is_selected) {
		page_add(page, sv_of(&prefix), t->theme->dim);
		view_add_cut(page, text, style, screen_columns(t->screen));
		page_end_row(page);
		return;
	}
	wrap_init(&wrap, page, screen_columns(t->screen), WRAP_WORDS,
		  (struct wrap_prefix){ sv_of(&prefix), is_selected ? style : t->theme->dim },
		  (struct wrap_prefix){ SV("      "), style });
	wrap_add(&wrap, text, style);
	wrap_end(&wrap);
}

static void tui_draw_options(struct tui *t, struct page *page, bool is_cut)
{
	struct question_option options[MOST_OPTIONS];
	defer(str_clear) struct str lines = STR_INIT;
	size_t n;

	question_add_choices(&lines, &t->dialog.replies);
	n = tui_question_options(sv_of(&lines), options);
	for (size_t i = 0; i < n; i++)
		tui_draw_option(t, page, options[i].number, options[i].text,
				i == t->question.option, is_cut);
}

static void tui_draw_reply(struct tui *t, struct page *page, struct screen_cursor *cursor)
{
	struct editor_look look = {
		.columns = screen_columns(t->screen),
		.max_rows = 5,
		.prefix = SV(" ❯ "),
		.next_prefix = SV("   "),
		.prefix_style = t->theme->prompt,
		.text = t->theme->text,
		.label = t->theme->accent,
		.hint = t->theme->dim,
		.placeholder = t->question.replies_to == ANSWER_NO_BECAUSE
				       ? SV("what should be done instead")
				       : SV("what the model should know"),
	};

	cursor->is_visible = true;
	editor_draw(t->question.reply, &look, page, cursor);
}

/* What matters most comes first: the rest is left out where there is no room. */
static const char *tui_question_hint(const struct tui *t)
{
	if (t->question.focus == TUI_REPLY)
		return t->question.replies_to == ANSWER_NO_BECAUSE
			       ? "enter to send · esc to go back"
			       : "enter for yes with these words · esc to go back";
	if (t->dialog.replies.is_plan)
		return "a number, or ↑ ↓ and enter · esc for no · ctrl+g to edit the plan";
	return "a number, or ↑ ↓ and enter · esc for no · tab adds words · ctrl+e for why";
}

static void tui_draw_hint(struct tui *t, struct page *page)
{
	size_t columns = screen_columns(t->screen);

	page_add(page, SV(" "), t->theme->dim);
	if (t->note.len)
		view_add_cut(page, sv_of(&t->note), t->theme->warning, columns);
	else
		view_add_items(page, sv_cstr(tui_question_hint(t)), t->theme->dim, columns);
	page_end_row(page);
}

/* Read a line of a diff as question_add() writes it: its number, which may be missing, its mark and its text. */
static bool tui_question_read_line(struct view_code_line *out, struct sv line)
{
	struct sv rest = line;
	size_t digits = 0;
	int64_t number = 0;

	while (rest.len && rest.ptr[0] == ' ')
		rest = sv_skip(rest, 1);
	while (digits < rest.len && ascii_is_digit(rest.ptr[digits]))
		digits++;
	if (digits && !sv_to_int(sv_slice(rest, 0, digits), &number))
		return false;
	rest = sv_skip(rest, digits + (digits > 0));
	if (!sv_starts(line, SV("  ")) || !rest.len || !ascii_is_one_of(rest.ptr[0], "+- ") ||
	    (rest.len > 1 && rest.ptr[1] != ' ') || (rest.ptr[0] == ' ' && !digits))
		return false;
	*out = (struct view_code_line){ .kind = rest.ptr[0],
					.number = (size_t)number,
					.text = sv_skip(rest, 2) };
	return true;
}

/* A diff that is being drawn, of the file that the last heading has named. */
struct question_diff {
	struct tui *t;
	struct page *page;
	struct view view;
	struct view_code code;
	struct sv file;
	bool is_open;
};

static struct view_code *tui_question_code(struct question_diff *d)
{
	if (!d->is_open)
		view_code_init(&d->code, &d->view, d->file);
	d->is_open = true;
	return &d->code;
}

/* A line between diffs: a heading names the next file. */
static void tui_question_draw_between(struct question_diff *d, struct sv line)
{
	static const char *const headings[] = { "  Update ", "  Add ", "  Delete " };

	if (d->is_open)
		view_code_end(&d->code, d->page);
	d->is_open = false;
	for (size_t i = 0; i < countof(headings); i++)
		if (sv_starts(line, sv_cstr(headings[i])))
			d->file = sv_skip(line, strlen(headings[i]));
	tui_draw_lines(d->t, d->page, line, false);
}

/* Diffs below the question; lines without a mark are ours. */
static void tui_draw_change(struct tui *t, struct page *page, struct sv text)
{
	struct question_diff d = { .t = t, .page = page, .file = sv_of(&t->dialog.file) };
	struct view_code_line read;
	struct sv line;

	sv_cut_line(&text, &line);
	tui_draw_text(t, page, line);
	tui_view(t, &d.view);
	while (sv_cut_line(&text, &line)) {
		if (tui_question_read_line(&read, line))
			view_code_whole_line(tui_question_code(&d), &read);
		else if (sv_is(line, "   ..."))
			view_code_aside(tui_question_code(&d), SV("       …"), t->theme->dim);
		else if (sv_starts(line, SV("(")))
			view_code_aside(tui_question_code(&d), line, t->theme->warning);
		else
			tui_question_draw_between(&d, line);
	}
	if (d.is_open)
		view_code_end(&d.code, page);
}

/* A plan is Markdown below the question. */
static void tui_draw_plan(struct tui *t, struct page *page)
{
	struct sv rest = sv_of(&t->dialog.text), title = SV_EMPTY;
	struct page rows = { .cells = 0 };
	struct markdown_look look;
	struct view view;

	sv_cut_line(&rest, &title);
	tui_draw_text(t, page, title);
	if (t->dialog.is_edited) {
		page_add(page, SV(" as you have changed it"), t->theme->accent);
		page_end_row(page);
	}
	page_end_row(page);
	tui_view(t, &view);
	view.columns -= view.columns > 1;
	view_markdown_look(&view, &look);
	markdown_paint(&rows, sv_of(&t->dialog.plan), &look);
	for (size_t i = 0; i < rows.rows.n; i++) {
		page_add(page, SV(" "), t->theme->text);
		page_copy_row(page, &rows, i);
		page_end_row(page);
	}
	page_clear(&rows);
}

static void tui_draw_gap(struct tui *t, struct page *page, size_t n)
{
	page_addf(page, t->theme->warning, "   … %zu rows are not shown; page down shows them", n);
	page_end_row(page);
}

/* A part of what does not fit: the beginning and the end, or the rows that the user scrolled to. */
static void tui_draw_part(struct tui *t, struct page *page, const struct page *rows,
			  size_t max_rows)
{
	size_t n = rows->rows.n, head = max_rows - max_rows / 3 - 1, first;

	if (!t->question.scroll) {
		page_copy(page, rows, 0, head);
		tui_draw_gap(t, page, n - max_rows + 1);
		page_copy(page, rows, n - max_rows / 3, n);
		return;
	}
	t->question.scroll = min_of(t->question.scroll, n - max_rows + 2);
	first = t->question.scroll - 1;
	page_copy(page, rows, first, first + max_rows - 1);
	page_addf(page, t->theme->dim, "   rows %zu to %zu of %zu · page up, page down", first + 1,
		  first + max_rows - 1, n);
	page_end_row(page);
}

void tui_draw_fitting(struct tui *t, struct page *page, const struct page *rows, size_t max_rows)
{
	if (rows->rows.n <= max_rows)
		page_copy(page, rows, 0, rows->rows.n);
	else
		tui_draw_part(t, page, rows, max_rows);
}

/* What the question is about. */
static void tui_draw_subject(struct tui *t, struct page *page, size_t max_rows)
{
	struct page rows = { .cells = 0 };

	if (t->question.explanation.len) {
		tui_draw_text(t, &rows, sv_of(&t->question.explanation));
	} else if (t->dialog.plan.len) {
		tui_draw_plan(t, &rows);
	} else {
		(t->dialog.file.len ? tui_draw_change : tui_draw_text)(
			t, &rows,
			t->question.shows_all ? sv_of(&t->dialog.whole) : sv_of(&t->dialog.text));
	}
	tui_draw_fitting(t, page, &rows, max_rows);
	page_clear(&rows);
}

/* A line with the number of the question, if others wait behind it. */
static void tui_draw_question_rule(struct tui *t, struct page *page)
{
	size_t columns = screen_columns(t->screen), all;
	defer(str_clear) struct str label = STR_INIT;

	t->question.waiting = client_questions(&t->client);
	all = t->question.at - 1 + max_of(t->question.waiting, (size_t)1);
	if (all > 1)
		str_addf(&label, " %zu of %zu ", t->question.at, all);
	for (size_t i = 0; i + label.len + 2 < columns; i++)
		page_add(page, SV("─"), t->theme->accent);
	page_add(page, sv_of(&label), t->theme->accent);
	page_add(page, SV("──"), t->theme->accent);
	page_end_row(page);
}

void tui_draw_question(struct tui *t, struct page *page, struct screen_cursor *cursor,
		       size_t max_rows)
{
	struct page replies = { .cells = 0 };
	struct screen_cursor at = { .is_visible = false };
	bool is_tight;
	size_t taken;

	if (t->question.focus == TUI_FORM || t->question.focus == TUI_FIELDS) {
		page_end_row(page);
		(t->question.focus == TUI_FORM ? tui_draw_form : tui_draw_fields)(t, page, cursor,
										  max_rows - 1);
		return;
	}
	if (t->question.focus == TUI_REPLY)
		tui_draw_reply(t, &replies, &at);
	else
		tui_draw_options(t, &replies, false);
	taken = replies.rows.n + FRAME_ROWS;
	/* What it is about matters more than empty rows and the ends of other answers. */
	is_tight = max_rows < taken + SUBJECT_ROWS;
	if (is_tight) {
		if (t->question.focus == TUI_OPTIONS) {
			page_reset(&replies);
			tui_draw_options(t, &replies, true);
		}
		taken = replies.rows.n + FRAME_ROWS - 3;
	} else {
		page_end_row(page);
	}
	tui_draw_question_rule(t, page);
	tui_draw_subject(t, page, max_rows > taken + 3 ? max_rows - taken : 3);
	if (!is_tight)
		page_end_row(page);
	if (at.is_visible)
		*cursor = (struct screen_cursor){ true, page->rows.n + at.row, at.cell };
	page_copy(page, &replies, 0, replies.rows.n);
	page_clear(&replies);
	if (!is_tight)
		page_end_row(page);
	tui_draw_hint(t, page);
}

void tui_question_clear(struct tui *t)
{
	dialog_clear(&t->dialog);
	str_clear(&t->question.explanation);
	editor_free(t->question.reply);
}
