/* The search of earlier prompts. What is typed is looked for; the prompt that contains it stands in the editor. */
#include "front/tui/prompt/tui_search.h"

#include "base/utf8.h"
#include "front/tui/prompt/tui_history.h"
#include "front/tui/prompt/tui_keys.h"
#include "front/tui/tui_internal.h"
#include "term/editor/line_history.h"

struct tui_search {
	bool is_open, is_missing; /* no prompt contains the text */
	struct str needle, draft;
	size_t found;
};

void tui_search_begin(struct tui *t)
{
	tui_history_load(t);
	if (!line_history_count(t->history.lines)) {
		str_set(&t->note, SV("There are no earlier prompts."));
		return;
	}
	str_truncate(&t->search->draft, 0);
	editor_expand(t->editor, &t->search->draft);
	str_truncate(&t->search->needle, 0);
	t->search->found = 0;
	t->search->is_open = true;
	t->search->is_missing = false;
}

bool tui_search_is_open(const struct tui *t)
{
	return t->search->is_open;
}

static void tui_search_end(struct tui *t)
{
	t->search->is_open = false;
	line_history_leave(t->history.lines);
}

/* Show the newest prompt from `from` on that contains the text. */
static void tui_search_from(struct tui *t, size_t from)
{
	struct sv prefix = chat_history_prefix(sv_of(&t->search->draft));
	size_t found =
		line_history_search(t->history.lines, prefix, sv_of(&t->search->needle), from);

	t->search->is_missing = found == SIZE_MAX;
	if (t->search->is_missing)
		return;
	t->search->found = found;
	editor_set(t->editor, line_history_at(t->history.lines, found));
}

static void tui_search_older(struct tui *t)
{
	bool is_first = !t->search->needle.len && t->search->found == 0;

	tui_search_from(t, is_first && editor_is_empty(t->editor) ? 0 : t->search->found + 1);
}

static void tui_search_cancel(struct tui *t)
{
	editor_set(t->editor, sv_of(&t->search->draft));
	tui_search_end(t);
}

static void tui_search_type(struct tui *t, const struct key *key)
{
	if (key->code == KEY_BACKSPACE && !key->mods && t->search->needle.len)
		str_truncate(&t->search->needle,
			     utf8_prefix(sv_of(&t->search->needle), t->search->needle.len - 1).len);
	else if (key->code == KEY_TEXT && !key->mods)
		str_add(&t->search->needle, key->text);
	else
		return;
	tui_search_from(t, 0);
}

void tui_search_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_SEARCH };
	enum keymap_action action = ACTION_NONE;

	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action == ACTION_SEARCH_OLDER) {
		tui_search_older(t);
	} else if (action == ACTION_SEARCH_ACCEPT) {
		tui_search_end(t);
	} else if (action == ACTION_SEARCH_RUN) {
		tui_search_end(t);
		tui_keys_submit(t);
	} else if (action == ACTION_SEARCH_CANCEL) {
		tui_search_cancel(t);
	} else {
		tui_search_type(t, key);
	}
}

void tui_draw_search(struct tui *t, struct page *page)
{
	size_t columns = screen_columns(t->screen);

	view_add_cut(page, SV("search earlier prompts: "), t->theme->dim, columns);
	view_add_cut(page, sv_of(&t->search->needle),
		     t->search->is_missing ? t->theme->warning : t->theme->text, columns);
	view_add_cut(page,
		     t->search->is_missing ? SV(" (none)")
					   : SV(" · ctrl+r older · enter send · tab edit"),
		     t->theme->dim, columns);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_search_init(struct tui *t)
{
	t->search = xnew(struct tui_search);
}

void tui_search_free(struct tui *t)
{
	str_clear(&t->search->needle);
	str_clear(&t->search->draft);
	free(t->search);
}
