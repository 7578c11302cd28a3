/* Questions before the session begins: whether the user trusts the files of the project, and what to do without a model
 * (tui_first_run.c). Nothing has been sent or run then; the session is open, but has not begun. */
#include "front/tui/tui_internal.h"

enum { START_FRAME = 4, SCROLL_ROWS = 8 };

void tui_start_open(struct tui *t, const char *title, tui_start_fn *chosen, size_t exit)
{
	t->start.is_open = true;
	t->start.title = title;
	t->start.chosen = chosen;
	t->start.exit = exit;
	t->scroll = t->option = 0;
}

void tui_start_add(struct tui *t, const char *option)
{
	str_adds(vec_add(&t->start.options), option);
}

void tui_start_clear(struct tui *t)
{
	str_clear(&t->start.text);
	str_clear(&t->start.more);
	for (size_t i = 0; i < t->start.options.n; i++)
		str_clear(&t->start.options.at[i]);
	vec_clear(&t->start.options);
	for (size_t i = 0; i < t->start.servers.n; i++) {
		str_clear(&t->start.servers.at[i].url);
		str_clear(&t->start.servers.at[i].model);
	}
	vec_clear(&t->start.servers);
	awl_project_close(move(t->start.project));
}

static void tui_start_end(struct tui *t, size_t option)
{
	tui_start_fn *chosen = t->start.chosen;

	t->start.is_open = false;
	local_search_stop(move(t->start.search));
	chosen(t, option);
	tui_start_clear(t);
	t->scroll = 0;
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
	if (awl_trust_give(t->start.project) == AWL_OK) {
		*t->again = true; /* the settings are read anew */
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
	    !trust_is_needed(&t->start.project, t->opts->project, &is_outdated))
		return false;
	trust_add_summary(&t->start.text, t->start.project, is_outdated);
	trust_add_files(&t->start.more, t->start.project);
	tui_start_open(t, "Do you trust the files of this project?", tui_start_trust, TRUST_EXIT);
	tui_start_add(t, "Trust them");
	tui_start_add(t, "Go on without them");
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

static void tui_start_text(struct tui *t, struct sv text)
{
	int64_t number;

	if (sv_to_int(text, &number) && number >= 1 && (size_t)number <= t->start.options.n)
		tui_start_end(t, (size_t)number - 1);
}

static void tui_start_act(struct tui *t, enum keymap_action action)
{
	size_t n = t->start.options.n;

	if (action == ACTION_LIST_PREVIOUS)
		t->option = (t->option + n - 1) % n;
	else if (action == ACTION_LIST_NEXT)
		t->option = (t->option + 1) % n;
	else if (action == ACTION_LIST_ACCEPT)
		tui_start_end(t, t->option);
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
	else if (action == ACTION_REDRAW)
		screen_forget(t->screen);
	else if (action == ACTION_LIST_CANCEL || action == ACTION_INTERRUPT ||
		 action == ACTION_EXIT)
		tui_start_end(t, t->start.exit);
}

void tui_start_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_LIST, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	if (key_is(key, KEY_CTRL, 'e') && t->start.more.len) {
		t->start.shows_more = !t->start.shows_more;
		t->scroll = 0;
		return;
	}
	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action)
		tui_start_act(t, action);
	else if (key->code == KEY_PAGE_DOWN)
		t->scroll += t->scroll ? SCROLL_ROWS : 1;
	else if (key->code == KEY_PAGE_UP)
		t->scroll -= min_of(t->scroll, (size_t)SCROLL_ROWS);
	else if (key->code == KEY_TEXT && !key->mods)
		tui_start_text(t, key->text);
}

/* --- rows ------------------------------------------------------------------------------- */

static void tui_start_draw_text(struct tui *t, struct page *page, size_t max_rows)
{
	defer(str_clear) struct str text = STR_INIT;
	struct page rows = { .cells = 0 };

	str_addf(&text, "%s\n", t->start.title);
	str_add(&text, t->start.shows_more ? sv_of(&t->start.more) : sv_of(&t->start.text));
	tui_draw_text(t, &rows, sv_of(&text));
	tui_draw_fitting(t, page, &rows, max_rows);
	page_clear(&rows);
}

void tui_draw_start(struct tui *t, struct page *page, size_t max_rows)
{
	size_t columns = screen_columns(t->screen), taken;
	bool is_tight;
	struct page options = { .cells = 0 };

	for (size_t i = 0; i < t->start.options.n; i++) {
		defer(str_clear) struct str number = STR_INIT;

		str_addf(&number, "%zu", i + 1);
		tui_draw_option(t, &options, sv_of(&number), sv_of(&t->start.options.at[i]),
				i == t->option, false);
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
		       !t->start.more.len ? SV(" a number, or ↑ ↓ and enter")
		       : t->start.shows_more
			       ? SV(" a number, or ↑ ↓ and enter · ctrl+e for the summary")
			       : SV(" a number, or ↑ ↓ and enter · ctrl+e shows the files"),
		       t->theme->dim, columns);
	page_end_row(page);
}
