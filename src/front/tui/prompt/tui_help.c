/* The keys in short, in the place of the footer: a question mark on an empty prompt shows them, the next key hides them. */
#include "front/tui/prompt/tui_help.h"

#include "base/utf8.h"
#include "front/tui/tui_internal.h"

enum { KEY_CELLS = 13, COLUMN_CELLS = 38 };

static const struct {
	enum keymap_action action;
	char help[27];
} help_keys[] = {
	{ ACTION_CYCLE_MODE, "permission mode" },
	{ ACTION_NEWLINE, "new line" },
	{ ACTION_CANCEL, "interrupt; twice: go back" },
	{ ACTION_TRANSCRIPT, "the whole transcript" },
	{ ACTION_SEARCH, "search earlier prompts" },
	{ ACTION_EDITOR, "write it in $EDITOR" },
	{ ACTION_STASH, "put the prompt aside" },
	{ ACTION_UNDO, "undo an edit" },
	{ ACTION_MODEL, "choose the model" },
	{ ACTION_TODOS, "to-do list" },
	{ ACTION_BACKGROUND, "command to the background" },
	{ ACTION_IMAGE, "image from the clipboard" },
	{ ACTION_SUSPEND, "suspend" },
	{ ACTION_EXIT, "leave" },
};

bool tui_help_key(struct tui *t, const struct key *key)
{
	bool is_asked = key->code == KEY_TEXT && !key->mods && sv_is(key->text, "?") &&
			editor_is_empty(t->editor) && (!t->vim || vim_mode(t->vim) == VIM_INSERT);

	t->shows_help = is_asked && !t->shows_help;
	return is_asked;
}

static void tui_help_add(struct tui *t, struct page *page, size_t i)
{
	defer(str_clear) struct str name = STR_INIT;
	size_t start = page->cells;

	keymap_describe(t->keymap, &name, help_keys[i].action);
	page_add(page, sv_of(&name), t->theme->text);
	page_pad(page, max_of(start + KEY_CELLS, page->cells + 1), t->theme->dim);
	view_add_cut(page, sv_cstr(help_keys[i].help), t->theme->dim, screen_columns(t->screen));
}

bool tui_draw_help(struct tui *t, struct page *page, size_t max_rows)
{
	size_t columns = screen_columns(t->screen), n = countof(help_keys);
	size_t across = columns >= 2 * COLUMN_CELLS + 2 ? 2 : 1, rows = (n + across - 1) / across;

	if (!t->shows_help)
		return false;
	page_add(page, SV("  "), t->theme->dim);
	view_add_items(page, SV("/ commands · ! shell · @ files · # remember · /help says more"),
		       t->theme->dim, columns);
	page_end_row(page);
	for (size_t row = 0; row < rows && row + 1 < max_rows; row++) {
		page_add(page, SV("  "), t->theme->dim);
		tui_help_add(t, page, row);
		if (row + rows < n && across > 1) {
			page_pad(page, 2 + COLUMN_CELLS + 2, t->theme->dim);
			tui_help_add(t, page, row + rows);
		}
		page_end_row(page);
	}
	return true;
}
