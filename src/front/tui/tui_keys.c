/* Keys of the prompt. */
#include "base/limits.h"
#include "front/tui/tui_internal.h"

enum {
	PASTE_BYTES = 800, /* longer pastes are folded */
	PASTE_LINES = 2,
};

/* --- the line editor ----------------------------------------------------------------- */

struct edit_key {
	enum key_code code;
	char c; /* of KEY_TEXT */
	unsigned mods;
	enum editor_action action;
};

static const struct edit_key edit_keys[] = {
	{ KEY_LEFT, 0, 0, EDIT_LEFT },
	{ KEY_RIGHT, 0, 0, EDIT_RIGHT },
	{ KEY_LEFT, 0, KEY_CTRL, EDIT_WORD_LEFT },
	{ KEY_RIGHT, 0, KEY_CTRL, EDIT_WORD_RIGHT },
	{ KEY_LEFT, 0, KEY_ALT, EDIT_WORD_LEFT },
	{ KEY_RIGHT, 0, KEY_ALT, EDIT_WORD_RIGHT },
	{ KEY_HOME, 0, 0, EDIT_LINE_START },
	{ KEY_END, 0, 0, EDIT_LINE_END },
	{ KEY_HOME, 0, KEY_CTRL, EDIT_START },
	{ KEY_END, 0, KEY_CTRL, EDIT_END },
	{ KEY_UP, 0, 0, EDIT_UP },
	{ KEY_DOWN, 0, 0, EDIT_DOWN },
	{ KEY_BACKSPACE, 0, 0, EDIT_BACKSPACE },
	{ KEY_BACKSPACE, 0, KEY_SHIFT, EDIT_BACKSPACE },
	{ KEY_BACKSPACE, 0, KEY_ALT, EDIT_KILL_WORD_LEFT },
	{ KEY_BACKSPACE, 0, KEY_CTRL, EDIT_KILL_WORD_LEFT },
	{ KEY_DELETE, 0, 0, EDIT_DELETE },
	{ KEY_DELETE, 0, KEY_ALT, EDIT_KILL_WORD_RIGHT },
	{ KEY_DELETE, 0, KEY_CTRL, EDIT_KILL_WORD_RIGHT },
	{ KEY_TEXT, 'b', KEY_CTRL, EDIT_LEFT },
	{ KEY_TEXT, 'f', KEY_CTRL, EDIT_RIGHT },
	{ KEY_TEXT, 'a', KEY_CTRL, EDIT_LINE_START },
	{ KEY_TEXT, 'e', KEY_CTRL, EDIT_LINE_END },
	{ KEY_TEXT, 'k', KEY_CTRL, EDIT_KILL_TO_END },
	{ KEY_TEXT, 'u', KEY_CTRL, EDIT_KILL_TO_START },
	{ KEY_TEXT, 'w', KEY_CTRL, EDIT_KILL_BLANK_LEFT },
	{ KEY_TEXT, 'y', KEY_CTRL, EDIT_YANK },
	{ KEY_TEXT, 't', KEY_CTRL, EDIT_TRANSPOSE },
	{ KEY_TEXT, 'h', KEY_CTRL, EDIT_BACKSPACE },
	{ KEY_TEXT, '_', KEY_CTRL, EDIT_UNDO },
	{ KEY_TEXT, 'b', KEY_ALT, EDIT_WORD_LEFT },
	{ KEY_TEXT, 'f', KEY_ALT, EDIT_WORD_RIGHT },
	{ KEY_TEXT, 'd', KEY_ALT, EDIT_KILL_WORD_RIGHT },
	{ KEY_TEXT, 'y', KEY_ALT, EDIT_YANK_POP },
	{ KEY_TEXT, 'u', KEY_ALT, EDIT_UPPER_WORD },
	{ KEY_TEXT, 'l', KEY_ALT, EDIT_LOWER_WORD },
	{ KEY_TEXT, 'c', KEY_ALT, EDIT_CAPITAL_WORD },
	{ KEY_TEXT, 'j', KEY_CTRL, EDIT_NEWLINE },
	{ KEY_ENTER, 0, KEY_SHIFT, EDIT_NEWLINE },
	{ KEY_ENTER, 0, KEY_ALT, EDIT_NEWLINE },
};

static bool edit_key_is(const struct edit_key *known, const struct key *key)
{
	if (known->code == KEY_TEXT)
		return key_is(key, known->mods, known->c);
	return known->code == key->code && known->mods == key->mods;
}

bool tui_edit_key(struct editor *editor, const struct key *key)
{
	for (size_t i = 0; i < countof(edit_keys); i++)
		if (edit_key_is(&edit_keys[i], key)) {
			editor_do(editor, edit_keys[i].action);
			return true;
		}
	if (key->code != KEY_TEXT || key->mods & (KEY_CTRL | KEY_ALT | KEY_SUPER))
		return false;
	editor_insert(editor, key->text);
	return true;
}

/* --- history --------------------------------------------------------------------------- */

static bool tui_keys_older(struct tui *t)
{
	struct sv text;

	if (editor_do(t->editor, EDIT_UP))
		return true;
	if (editor_is_empty(t->editor) && tui_take_back(t))
		return true;
	if (line_history_older(t->history, editor_text(t->editor), &text))
		editor_set(t->editor, text);
	return true;
}

static bool tui_keys_newer(struct tui *t)
{
	struct sv text;

	if (!editor_do(t->editor, EDIT_DOWN) && line_history_newer(t->history, &text))
		editor_set(t->editor, text);
	return true;
}

/* --- submitting -------------------------------------------------------------------------- */

/* A backslash before Enter means a line end. */
static bool tui_keys_continue(struct tui *t)
{
	struct sv before = sv_slice(editor_text(t->editor), 0, editor_cursor(t->editor));

	if (!sv_ends(before, SV("\\")))
		return false;
	editor_begin(t->editor);
	editor_do(t->editor, EDIT_BACKSPACE);
	editor_do(t->editor, EDIT_NEWLINE);
	editor_end(t->editor);
	return true;
}

static void tui_keys_enter(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	if (tui_keys_continue(t))
		return;
	editor_expand(t->editor, &text);
	if (!sv_trim(sv_of(&text)).len)
		return;
	line_history_add(t->history, sv_of(&text));
	line_history_leave(t->history);
	editor_reset(t->editor);
	tui_submit(t, sv_of(&text));
}

/* --- modes ---------------------------------------------------------------------------------- */

/* The next mode of the cycle; a mode outside of it leads to the first. */
static void tui_keys_cycle_mode(struct tui *t)
{
	static const char *const cycle[] = { "default", "acceptEdits", "plan",
					     "bypassPermissions" };
	size_t n = countof(cycle) - !t->opts->session->allow_bypass, i = 0;
	struct sv now = sv_cstr(awl_session_permission_mode(t->client.session));

	while (i < n && !sv_is(now, cycle[i]))
		i++;
	i = i < n ? (i + 1) % n : 0;
	if (awl_set_permission_mode(t->client.session, cycle[i]) != AWL_OK)
		str_set(&t->note, sv_cstr(awl_last_error()));
}

/* --- keys ----------------------------------------------------------------------------------- */

static void tui_keys_end_of_file(struct tui *t)
{
	if (editor_is_empty(t->editor))
		tui_ask_to_leave(t, EXIT_SUCCESS);
	else
		editor_do(t->editor, EDIT_DELETE);
}

static void tui_keys_escape(struct tui *t)
{
	if (tui_is_busy(t))
		tui_interrupt(t);
}

/* Keys with a meaning of their own; false: the editor may have one. */
static bool tui_keys_command(struct tui *t, const struct key *key)
{
	if (key->code == KEY_ENTER && !key->mods)
		tui_keys_enter(t);
	else if (key_is(key, KEY_CTRL, 'c'))
		tui_interrupt(t);
	else if (key_is(key, KEY_CTRL, 'd'))
		tui_keys_end_of_file(t);
	else if (key_is(key, KEY_CTRL, 'z'))
		tui_suspend(t);
	else if (key_is(key, KEY_CTRL, 'l'))
		screen_forget(t->screen);
	else if (key->code == KEY_ESCAPE)
		tui_keys_escape(t);
	else if (key->code == KEY_TAB && key->mods == KEY_SHIFT)
		tui_keys_cycle_mode(t);
	else if ((key->code == KEY_UP && !key->mods) || key_is(key, KEY_CTRL, 'p'))
		return tui_keys_older(t);
	else if ((key->code == KEY_DOWN && !key->mods) || key_is(key, KEY_CTRL, 'n'))
		return tui_keys_newer(t);
	else
		return false;
	return true;
}

static void tui_keys_prompt(struct tui *t, const struct key *key)
{
	if (!key_is(key, KEY_CTRL, 'c') && !key_is(key, KEY_CTRL, 'd'))
		t->leave_until = 0;
	if (tui_keys_command(t, key))
		return;
	if (tui_edit_key(t->editor, key))
		line_history_leave(t->history);
}

/* --- pastes --------------------------------------------------------------------------------- */

static size_t tui_keys_count_lines(struct sv text)
{
	size_t n = 1;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == '\n';
	return n;
}

static void tui_keys_paste(struct tui *t)
{
	struct editor *editor = t->focus == TUI_REPLY ? t->reply : t->editor;
	size_t lines = tui_keys_count_lines(sv_of(&t->paste));
	defer(str_clear) struct str label = STR_INIT;

	if (t->paste.len <= PASTE_BYTES && lines <= PASTE_LINES) {
		editor_insert(editor, sv_of(&t->paste));
	} else {
		str_addf(&label, "[Pasted text #%zu +%zu lines]", ++t->pastes, lines);
		editor_insert_folded(editor, sv_of(&label), sv_of(&t->paste));
	}
	str_clear(&t->paste);
}

void tui_on_key(void *arg, const struct key_event *event)
{
	struct tui *t = arg;

	if (event->kind == KEY_EVENT_REPLY && event->reply.what == KEY_REPLY_ATTRIBUTES)
		t->awaits_replies = false; /* it is the last one */
	if (t->client.is_leaving)
		return;
	switch (event->kind) {
	case KEY_EVENT_KEY:
		str_truncate(&t->note, 0);
		if (t->dialog.is_open && t->is_shown)
			tui_question_key(t, &event->key);
		else
			tui_keys_prompt(t, &event->key);
		break;
	case KEY_EVENT_PASTE:
		if (!str_add_capped(&t->paste, event->paste, LIMIT_PROMPT))
			str_set(&t->note, SV("The paste is too long; its end was dropped."));
		return;
	case KEY_EVENT_PASTE_END: tui_keys_paste(t); break;
	case KEY_EVENT_FOCUS: return;
	case KEY_EVENT_REPLY:
		if (!tty_on_reply(&t->info, event))
			return;
		screen_set_caps(t->screen, &t->info.caps);
		t->theme = theme_find(SV_EMPTY, t->info.background);
		break;
	}
	if (!t->client.is_leaving)
		tui_redraw_now(t);
}
