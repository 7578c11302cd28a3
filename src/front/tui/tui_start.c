/* Questions before the session begins: whether the user trusts the files of the project, and what to do without a model
 * (tui_first_run.c). Nothing has been sent or run then; the session is open, but has not begun. */
#include "front/tui/tui_start.h"

#include "base/str_list.h"
#include "front/trust.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_first_run.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "front/tui/tui_settings.h"
#include "front/tui/tui_terminal.h"

struct tui_start {
	bool is_open, is_shown, shows_more;
	const char *title;
	struct str text, more; /* lines; `more` is shown instead on demand */
	str_list options;
	size_t exit; /* the option that leaves */
	tui_start_fn *chosen;
	struct awl_project *project; /* that the user is asked to trust; NULL: none */
};

enum { START_FRAME = 4, SCROLL_ROWS = 8 };

void tui_start_open(struct tui *t, const char *title, tui_start_fn *chosen, size_t exit)
{
	t->start->is_open = true;
	t->start->title = title;
	t->start->chosen = chosen;
	t->start->exit = exit;
	t->question.scroll = t->question.option = 0;
}

void tui_start_add(struct tui *t, const char *option)
{
	str_adds(vec_add(&t->start->options), option);
}

static void tui_start_clear(struct tui *t)
{
	str_clear(&t->start->text);
	str_clear(&t->start->more);
	str_list_clear(&t->start->options);
	awl_project_close(move(t->start->project));
}

void tui_start_show(struct tui *t, bool is_shown)
{
	t->start->is_shown = is_shown;
}

bool tui_start_is_open(const struct tui *t)
{
	return t->start->is_open;
}

bool tui_start_is_shown(const struct tui *t)
{
	return t->start->is_open && t->start->is_shown;
}

struct str *tui_start_text(struct tui *t)
{
	return &t->start->text;
}

static void tui_start_end(struct tui *t, size_t option)
{
	tui_start_fn *chosen = t->start->chosen;

	t->start->is_open = false;
	chosen(t, option);
	tui_first_run_stop(t);
	tui_start_clear(t);
	t->question.scroll = 0;
	if (!t->client.is_leaving)
		tui_redraw_now(t);
}

/* --- trust --------------------------------------------------------------------------- */

enum { TRUST_GIVE, TRUST_WITHOUT, TRUST_EXIT };

static void tui_start_trust(struct tui *t, size_t option)
{
	if (option == TRUST_WITHOUT) {
		tui_begin(t);
		return;
	}
	if (option != TRUST_GIVE) {
		tui_leave(t, EXIT_SUCCESS);
		return;
	}
	if (awl_trust_give(t->start->project) == AWL_OK) {
		t->next->is_again = true; /* the settings are read anew */
		tui_leave(t, EXIT_SUCCESS);
		return;
	}
	tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	tui_begin(t);
}

static bool tui_start_asks_for_trust(struct tui *t)
{
	bool is_outdated;

	if (t->opts->is_script || t->opts->session->trust_project || !t->opts->project ||
	    !trust_is_needed(&t->start->project, t->opts->project, &is_outdated))
		return false;
	trust_add_summary(&t->start->text, t->start->project, is_outdated);
	trust_add_files(&t->start->more, t->start->project);
	tui_start_open(t, "Do you trust the files of this project?", tui_start_trust, TRUST_EXIT);
	tui_start_add(t, "Trust them");
	tui_start_add(t, "Continue without them");
	tui_start_add(t, "Exit");
	return true;
}

bool tui_start(struct tui *t)
{
	if (t->opts->leaves_at_once || (!tui_first_run(t) && !tui_start_asks_for_trust(t)))
		return false;
	tui_settings_load(t);
	return true;
}

/* --- keys ----------------------------------------------------------------------------- */

static void tui_start_type(struct tui *t, struct sv text)
{
	int64_t number;

	if (sv_to_int(text, &number) && number >= 1 && (size_t)number <= t->start->options.n)
		tui_start_end(t, (size_t)number - 1);
}

static void tui_start_act(struct tui *t, enum keymap_action action)
{
	size_t n = t->start->options.n;

	if (action == ACTION_LIST_PREVIOUS)
		t->question.option = (t->question.option + n - 1) % n;
	else if (action == ACTION_LIST_NEXT)
		t->question.option = (t->question.option + 1) % n;
	else if (action == ACTION_LIST_ACCEPT)
		tui_start_end(t, t->question.option);
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
	else if (action == ACTION_REDRAW)
		screen_forget(t->screen);
	else if (action == ACTION_LIST_CANCEL || action == ACTION_INTERRUPT ||
		 action == ACTION_EXIT)
		tui_start_end(t, t->start->exit);
}

void tui_start_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_LIST, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	if (key_is(key, KEY_CTRL, 'e') && t->start->more.len) {
		t->start->shows_more = !t->start->shows_more;
		t->question.scroll = 0;
		return;
	}
	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action)
		tui_start_act(t, action);
	else if (key->code == KEY_PAGE_DOWN)
		t->question.scroll += t->question.scroll ? SCROLL_ROWS : 1;
	else if (key->code == KEY_PAGE_UP)
		t->question.scroll -= min_of(t->question.scroll, (size_t)SCROLL_ROWS);
	else if (key->code == KEY_TEXT && !key->mods)
		tui_start_type(t, key->text);
}

/* --- rows ------------------------------------------------------------------------------- */

static void tui_start_draw_text(struct tui *t, struct page *page, size_t max_rows)
{
	defer(str_clear) struct str text = STR_INIT;
	struct page rows = { .cells = 0 };

	str_addf(&text, "%s\n", t->start->title);
	str_add(&text, t->start->shows_more ? sv_of(&t->start->more) : sv_of(&t->start->text));
	tui_draw_text(t, &rows, sv_of(&text));
	tui_draw_fitting(t, page, &rows, max_rows);
	page_clear(&rows);
}

void tui_draw_start(struct tui *t, struct page *page, size_t max_rows)
{
	size_t columns = screen_columns(t->screen), taken;
	bool is_tight;
	struct page options = { .cells = 0 };

	for (size_t i = 0; i < t->start->options.n; i++) {
		defer(str_clear) struct str number = STR_INIT;

		str_addf(&number, "%zu", i + 1);
		tui_draw_option(t, &options, sv_of(&number), sv_of(&t->start->options.at[i]),
				i == t->question.option, false);
	}
	taken = options.rows.n + START_FRAME;
	is_tight = max_rows < taken + 4;
	if (is_tight)
		taken -= 2; /* no empty rows */
	tui_draw_rule(t, page, t->theme->accent);
	tui_start_draw_text(t, page, max_rows > taken + 3 ? max_rows - taken : 3);
	if (!is_tight)
		page_end_row(page);
	page_copy(page, &options, 0, options.rows.n);
	page_clear(&options);
	if (!is_tight)
		page_end_row(page);
	view_add_items(page,
		       !t->start->more.len ? SV(" a number, or ↑ ↓ and enter")
		       : t->start->shows_more
			       ? SV(" a number, or ↑ ↓ and enter · ctrl+e for the summary")
			       : SV(" a number, or ↑ ↓ and enter · ctrl+e shows the files"),
		       t->theme->dim, columns);
	page_end_row(page);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_start_init(struct tui *t)
{
	t->start = xnew(struct tui_start);
}

void tui_start_stop(struct tui *t)
{
	t->start->is_open = false;
}

void tui_start_free(struct tui *t)
{
	tui_start_clear(t);
	free(t->start);
}
