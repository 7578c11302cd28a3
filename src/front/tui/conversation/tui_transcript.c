/* The whole conversation on the alternate screen, with nothing folded. It is read from the session's file, so it has
 * what was said before a resume, too. */
#include "front/tui/conversation/tui_transcript.h"

#include "front/display.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_terminal.h"
#include "front/tui/view/view_past.h"

enum {
	FIRST_BYTES = 1024 * 1024, /* enough to begin with, and quickly painted */
	MOST_BYTES = 32 * 1024 * 1024,
};

void tui_transcript_find(const struct tui *t, struct str *path)
{
	const char *cwd = t->opts->session->cwd ? t->opts->session->cwd : str_c(&t->cwd);
	struct awl_session_list *list = NULL;

	str_add(path, sv_of(&t->transcript.file));
	if (!path->len &&
	    awl_sessions_find(&list, t->opts->awl, cwd, client_session_id(&t->client)) == AWL_OK)
		str_adds(path, awl_session_list_at(list, 0)->path);
	awl_session_list_free(list);
}

/* Read the file of the session and paint its rows. Returns whether there are any. */
static bool tui_transcript_fill(struct tui *t, size_t max_bytes)
{
	defer(str_clear) struct str path = STR_INIT;
	struct past past = { .is_cut = false };
	struct err ignored = ERR_INIT;
	struct view view;

	pager_reset(&t->transcript.pager);
	tui_view(t, &view);
	view.is_verbose = view.folds_code = true;
	tui_transcript_find(t, &path);
	if (path.len &&
	    past_load(&past, str_c(&path), PAST_OF_SESSION, max_bytes, SIZE_MAX, &ignored)) {
		view_past(&t->transcript.pager.rows, &view, &past);
		past_clear(&past);
	}
	return t->transcript.pager.rows.rows.n > 0;
}

static void tui_transcript_begin(struct tui *t, struct sv title)
{
	if (!tui_transcript_fill(t, FIRST_BYTES)) {
		str_set(&t->note, SV("Nothing has been said yet, or this session is not saved."));
		str_clear(&t->transcript.file);
		return;
	}
	str_set(&t->transcript.pager.title, title);
	pager_go_to_end(&t->transcript.pager, screen_rows(t->screen));
	t->transcript.is_open = true;
	tty_set_view(t->tty, true);
}

void tui_transcript_open(struct tui *t)
{
	tui_transcript_begin(t, SV("Transcript"));
}

void tui_transcript_open_file(struct tui *t, const char *path, const char *title)
{
	defer(str_clear) struct str shown = STR_INIT;

	str_set(&t->transcript.file, sv_cstr(path));
	display_name(&shown, sv_cstr(title));
	tui_transcript_begin(t, sv_of(&shown));
}

void tui_transcript_close(struct tui *t)
{
	t->transcript.is_open = false;
	str_clear(&t->transcript.file);
	pager_clear(&t->transcript.pager);
	screen_view(t->screen, NULL, (struct screen_cursor){ .is_visible = true });
	tty_set_view(t->tty, false);
}

/* Its rows in the user's editor, to search, copy or keep. */
static void tui_transcript_edit(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < t->transcript.pager.rows.rows.n; i++) {
		struct sv row = page_row_text(&t->transcript.pager.rows, i);

		while (sv_ends(row, SV(" ")))
			row = sv_slice(row, 0, row.len - 1);
		str_addf(&text, "%.*s\n", SV_ARG(row));
	}
	tui_transcript_close(t);
	tui_compose_text(t, sv_of(&text), "transcript.md", NULL);
}

/* Its rows in the scrollback of the terminal, where the mouse and the terminal's own search reach them. */
static void tui_transcript_print(struct tui *t)
{
	struct page *done = tui_begin_block(t);

	page_copy(done, &t->transcript.pager.rows, 0, t->transcript.pager.rows.rows.n);
	tui_transcript_close(t);
}

static bool tui_transcript_letter(struct tui *t, const struct key *key)
{
	if (key->code != KEY_TEXT || key->mods || t->transcript.pager.is_typing)
		return false;
	if (sv_is(key->text, "v"))
		tui_transcript_edit(t);
	else if (sv_is(key->text, "["))
		tui_transcript_print(t);
	else
		return false;
	return true;
}

static void tui_transcript_act(struct tui *t, enum keymap_action action)
{
	if (action == ACTION_TRANSCRIPT_EXIT || action == ACTION_TRANSCRIPT)
		tui_transcript_close(t);
	else if (action == ACTION_TRANSCRIPT_ALL && tui_transcript_fill(t, MOST_BYTES))
		pager_go_to_end(&t->transcript.pager, screen_rows(t->screen));
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
}

void tui_transcript_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_TRANSCRIPT, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	if (tui_transcript_letter(t, key) ||
	    pager_key(&t->transcript.pager, key, screen_rows(t->screen)))
		return;
	if (keymap_key(t->keymap, contexts, countof(contexts), key, &action) == CHORD_ACTION)
		tui_transcript_act(t, action);
}

void tui_draw_transcript(struct tui *t)
{
	struct screen_cursor cursor = { .is_visible = false };
	struct page page = { .cells = 0 };

	pager_draw(&t->transcript.pager, t->theme, screen_columns(t->screen),
		   screen_rows(t->screen),
		   t->dialog.is_open ? "q to answer the question · / to search · { } prompts"
				     : "q to close · / to search · { } prompts · v for the editor "
				       "· [ to print it",
		   &page, &cursor);
	screen_view(t->screen, &page, cursor);
	page_clear(&page);
}

void tui_transcript_clear(struct tui *t)
{
	str_clear(&t->transcript.file);
	pager_clear(&t->transcript.pager);
}
