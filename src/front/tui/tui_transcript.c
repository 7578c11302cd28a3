/* The whole conversation on the alternate screen, with nothing folded. It is read from the session's file, so it has
 * what was said before a resume, too. */
#include "front/tui/tui_internal.h"
#include "front/tui/view_past.h"

enum {
	FIRST_BYTES = 1024 * 1024, /* enough to begin with, and quickly painted */
	MOST_BYTES = 32 * 1024 * 1024,
};

/* Read the file of the session and paint its rows. Returns whether there are any. */
static bool tui_transcript_fill(struct tui *t, size_t max_bytes)
{
	const char *cwd = t->opts->session->cwd ? t->opts->session->cwd : str_c(&t->cwd);
	struct awl_session_list *list = NULL;
	struct past past = { .is_cut = false };
	struct err ignored = ERR_INIT;
	struct view view;

	pager_reset(&t->pager);
	tui_view(t, &view);
	view.is_verbose = view.folds_code = true;
	if (awl_sessions_find(&list, t->opts->awl, cwd, awl_session_id(t->client.session)) ==
		    AWL_OK &&
	    past_load(&past, awl_session_list_at(list, 0)->path, max_bytes, SIZE_MAX, &ignored)) {
		view_past(&t->pager.rows, &view, &past);
		past_clear(&past);
	}
	awl_session_list_free(list);
	return t->pager.rows.rows.n > 0;
}

void tui_transcript_open(struct tui *t)
{
	if (!tui_transcript_fill(t, FIRST_BYTES)) {
		str_set(&t->note, SV("Nothing has been said yet, or this session is not saved."));
		return;
	}
	str_set(&t->pager.title, SV("Transcript"));
	pager_go_to_end(&t->pager, screen_rows(t->screen));
	t->is_paging = true;
	tty_set_view(t->tty, true);
}

void tui_transcript_close(struct tui *t)
{
	t->is_paging = false;
	pager_clear(&t->pager);
	screen_view(t->screen, NULL, (struct screen_cursor){ .is_visible = true });
	tty_set_view(t->tty, false);
}

static void tui_transcript_act(struct tui *t, enum keymap_action action)
{
	if (action == ACTION_TRANSCRIPT_EXIT || action == ACTION_TRANSCRIPT)
		tui_transcript_close(t);
	else if (action == ACTION_TRANSCRIPT_ALL && tui_transcript_fill(t, MOST_BYTES))
		pager_go_to_end(&t->pager, screen_rows(t->screen));
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
}

void tui_transcript_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_TRANSCRIPT, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	if (pager_key(&t->pager, key, screen_rows(t->screen)))
		return;
	if (keymap_key(t->keymap, contexts, countof(contexts), key, &action) == CHORD_ACTION)
		tui_transcript_act(t, action);
}

void tui_draw_transcript(struct tui *t)
{
	struct screen_cursor cursor = { .is_visible = false };
	struct page page = { .cells = 0 };

	pager_draw(&t->pager, t->theme, screen_columns(t->screen), screen_rows(t->screen),
		   t->dialog.is_open ? "q to answer the question" : "q to close", &page, &cursor);
	screen_view(t->screen, &page, cursor);
	page_clear(&page);
}
