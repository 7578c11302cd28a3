/* What the keys at the prompt mean: the menu of completions, then vim, if the user wants it, then the key map, then the
 * line editor. */
#include "front/tui/prompt/tui_keys.h"

#include "base/limits.h"
#include "front/edit_key.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_models.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/commands/tui_rewind.h"
#include "front/tui/conversation/tui_agent.h"
#include "front/tui/conversation/tui_away.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/conversation/tui_status_line.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/prompt/tui_help.h"
#include "front/tui/prompt/tui_history.h"
#include "front/tui/prompt/tui_image.h"
#include "front/tui/prompt/tui_menu.h"
#include "front/tui/prompt/tui_paste.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/prompt/tui_search.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_leave.h"
#include "front/tui/tui_settings.h"
#include "front/tui/tui_start.h"
#include "front/tui/tui_terminal.h"
#include "proto/control.h"
#include "term/editor/line_history.h"

struct tui_keys {
	struct str stash;    /* a prompt that was put aside */
	int64_t clear_until; /* a second Escape until then clears the prompt, or opens /rewind */
	int64_t last;        /* when a key was pressed at the prompt */
	bool is_typing; /* the user was writing when a question appeared, and has not paused since */
};

enum { CLEAR_WITHIN_MS = 800, PAUSE_MS = 1000 };

/* --- history --------------------------------------------------------------------------- */

static void tui_keys_older(struct tui *t)
{
	struct sv draft = editor_text(t->editor), text;

	if (editor_do(t->editor, EDIT_UP) || (editor_is_empty(t->editor) && tui_take_back(t)))
		return;
	tui_history_load(t);
	if (line_history_older(t->history.lines, draft, chat_history_prefix(draft), &text))
		editor_set(t->editor, text);
}

static void tui_keys_newer(struct tui *t)
{
	struct sv text;

	if (!editor_do(t->editor, EDIT_DOWN) && line_history_newer(t->history.lines, &text))
		editor_set(t->editor, text);
}

/* --- submitting -------------------------------------------------------------------------- */

void tui_begin_draft(struct tui *t)
{
	line_history_leave(t->history.lines);
	if (t->vim)
		vim_reset(t->vim);
	editor_reset(t->editor);
}

/* A prompt that was put aside comes back when the one before it is on its way. */
static void tui_keys_unstash(struct tui *t)
{
	if (!t->keys->stash.len || !editor_is_empty(t->editor))
		return;
	editor_set(t->editor, sv_of(&t->keys->stash));
	str_clear(&t->keys->stash);
}

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

void tui_keys_submit(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	if (tui_menu_enter(t) || tui_keys_continue(t))
		return;
	editor_expand(t->editor, &text);
	if (!sv_trim(sv_of(&text)).len)
		return;
	tui_history_add(t, sv_of(&text));
	tui_begin_draft(t);
	tui_submit(t, sv_of(&text));
	tui_keys_unstash(t);
}

/* --- modes ---------------------------------------------------------------------------------- */

/* The next mode of the cycle; a mode outside of it leads to the first. */
static void tui_keys_cycle_mode(struct tui *t)
{
	static const char *const cycle[] = { "default", "acceptEdits", "plan",
					     "bypassPermissions" };
	size_t n = countof(cycle) - !t->opts->session->allow_bypass, i = 0;
	struct sv now = sv_cstr(client_mode(&t->client));

	while (i < n && !sv_is(now, cycle[i]))
		i++;
	i = i < n ? (i + 1) % n : 0;
	if (!client_set_mode(&t->client, cycle[i]))
		str_set(&t->note, sv_cstr(awl_last_error()));
}

/* --- actions ---------------------------------------------------------------------------------- */

static void tui_keys_exit(struct tui *t)
{
	if (editor_is_empty(t->editor))
		tui_ask_to_leave(t, EXIT_SUCCESS);
	else
		editor_do(t->editor, EDIT_DELETE);
}

/* Interrupt; when pressed twice, clear the prompt or, if it is empty, go back to an earlier one. The history keeps the
 * cleared text. */
static void tui_keys_cancel(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT;

	if (tui_is_working(t)) {
		tui_interrupt(t);
	} else if (sv_is(editor_text(t->editor), "!")) { /* no command for the shell after all */
		tui_begin_draft(t);
	} else if (tui_now(t) >= t->keys->clear_until) {
		t->keys->clear_until = tui_now(t) + CLEAR_WITHIN_MS;
		str_set(&t->note,
			editor_is_empty(t->editor)
				? SV("Press Escape again to go back to an earlier prompt.")
				: SV("Press Escape again to clear the prompt."));
	} else if (editor_is_empty(t->editor)) {
		tui_rewind_open(t);
	} else {
		editor_expand(t->editor, &text);
		line_history_add(t->history.lines, sv_of(&text));
		tui_begin_draft(t);
	}
}

static void tui_keys_redraw(struct tui *t)
{
	screen_forget(t->screen);
}

static void tui_keys_newline(struct tui *t)
{
	editor_do(t->editor, EDIT_NEWLINE);
}

static void tui_keys_undo(struct tui *t)
{
	editor_do(t->editor, EDIT_UNDO);
}

static void tui_keys_stash(struct tui *t)
{
	if (editor_is_empty(t->editor)) {
		tui_keys_unstash(t);
		return;
	}
	str_truncate(&t->keys->stash, 0);
	editor_expand(t->editor, &t->keys->stash);
	tui_begin_draft(t);
	str_set(&t->note,
		SV("Put aside. It comes back after the next prompt, or with the same key."));
}

/* Without a command that runs, the key is the one for left. */
static void tui_keys_background(struct tui *t)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!t->turn.calls.n) {
		editor_do(t->editor, EDIT_LEFT);
		return;
	}
	control_request_write(&json, &(struct control_request){ .kind = CONTROL_BACKGROUND_TASKS,
								.id = SV("keys-background") });
	if (!client_send(&t->client, sv_of(&json)))
		str_set(&t->note, sv_cstr(awl_last_error()));
}

static void tui_keys_fast(struct tui *t)
{
	bool is_off = sv_is(sv_cstr(client_fast_mode(&t->client)), "off");

	client_prompt(&t->client, is_off ? "/fast on" : "/fast off");
}

static void tui_keys_agents(struct tui *t)
{
	if (!tui_agents_open(t))
		str_set(&t->note, SV("No agents have been started yet."));
}

typedef void tui_action_fn(struct tui *t);

static tui_action_fn *const tui_actions[KEYMAP_ACTIONS] = {
	[ACTION_INTERRUPT] = tui_interrupt,
	[ACTION_EXIT] = tui_keys_exit,
	[ACTION_REDRAW] = tui_keys_redraw,
	[ACTION_TODOS] = tui_toggle_todos,
	[ACTION_TRANSCRIPT] = tui_transcript_open,
	[ACTION_SEARCH] = tui_search_begin,
	[ACTION_SUSPEND] = tui_suspend,
	[ACTION_CANCEL] = tui_keys_cancel,
	[ACTION_SUBMIT] = tui_keys_submit,
	[ACTION_NEWLINE] = tui_keys_newline,
	[ACTION_CYCLE_MODE] = tui_keys_cycle_mode,
	[ACTION_MODEL] = tui_choose_model,
	[ACTION_FAST] = tui_keys_fast,
	[ACTION_AGENTS] = tui_keys_agents,
	[ACTION_BACKGROUND] = tui_keys_background,
	[ACTION_IMAGE] = tui_image_from_clipboard,
	[ACTION_UNDO] = tui_keys_undo,
	[ACTION_EDITOR] = tui_compose,
	[ACTION_STASH] = tui_keys_stash,
	[ACTION_OLDER] = tui_keys_older,
	[ACTION_NEWER] = tui_keys_newer,
	[ACTION_ACCEPT] = tui_menu_accept,
	[ACTION_DISMISS] = tui_menu_dismiss,
	[ACTION_PREVIOUS_COMPLETION] = tui_menu_previous,
	[ACTION_NEXT_COMPLETION] = tui_menu_next,
};

/* --- keys ----------------------------------------------------------------------------------- */

/* Whether vim had a use for the key. */
static bool tui_keys_vim(struct tui *t, const struct key *key)
{
	switch (t->vim ? vim_key(t->vim, key) : VIM_UNUSED) {
	case VIM_UNUSED: return false;
	case VIM_TAKEN: break;
	case VIM_OLDER: tui_keys_older(t); break;
	case VIM_NEWER: tui_keys_newer(t); break;
	case VIM_SEARCH: tui_search_begin(t); break;
	}
	return true;
}

/* Whether the key map had a use for the key. */
static bool tui_keys_action(struct tui *t, const struct key *key,
			    const enum keymap_context *contexts, size_t n)
{
	enum keymap_action action = ACTION_NONE;

	switch (keymap_key(t->keymap, contexts, n, key, &action)) {
	case CHORD_NONE: return false;
	case CHORD_PARTIAL:
		key_name(&t->note, key);
		str_adds(&t->note, " ...");
		return true;
	case CHORD_ACTION: break;
	}
	if (action != ACTION_INTERRUPT && action != ACTION_EXIT)
		t->leave_until = 0;
	if (action != ACTION_CANCEL)
		t->keys->clear_until = 0;
	if (tui_actions[action])
		tui_actions[action](t);
	return tui_actions[action];
}

static void tui_keys_write(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_COMPLETION, KEYMAP_CHAT,
							KEYMAP_GLOBAL };
	bool has_menu = tui_menu_is_open(t);

	if (tui_help_key(t, key) || (has_menu && tui_keys_action(t, key, contexts, 1)))
		return;
	if (!has_menu && tui_menu_complete(t, key))
		return;
	if (tui_keys_vim(t, key) || tui_keys_action(t, key, contexts + 1, 2))
		return;
	t->leave_until = t->keys->clear_until = 0;
	if (edit_key(t->editor, key))
		line_history_leave(t->history.lines);
}

static void tui_keys_prompt(struct tui *t, const struct key *key)
{
	t->keys->last = tui_now(t);
	if (tui_search_is_open(t))
		tui_search_key(t, key);
	else
		tui_keys_write(t, key);
	if (tui_search_is_open(t))
		tui_menu_close(t);
	else
		tui_menu_follow(t);
}

void tui_keys_on_question(struct tui *t)
{
	t->keys->is_typing = !editor_is_empty(t->editor);
}

bool tui_keys_are_typed(const struct tui *t)
{
	return t->keys->is_typing;
}

/* Whether the user is still writing what they began before the question appeared: until they pause, no key answers
 * it. */
static bool tui_keys_are_for_prompt(struct tui *t)
{
	t->keys->is_typing &= tui_now(t) - t->keys->last < PAUSE_MS;
	t->keys->last = tui_now(t);
	return t->keys->is_typing;
}

/* Whoever has the keys gets this one. */
static void tui_keys_pass(struct tui *t, const struct key *key)
{
	if (tui_start_is_shown(t))
		tui_start_key(t, key);
	else if (tui_start_is_open(t))
		return; /* it was typed before the question appeared */
	else if (tui_agent_is_open(t))
		tui_agent_key(t, key);
	else if (t->transcript.is_open)
		tui_transcript_key(t, key);
	else if (t->dialog.is_open && t->question.is_shown && !tui_keys_are_for_prompt(t))
		tui_question_key(t, key);
	else if (tui_list_is_open(t))
		tui_list_key(t, key);
	else if (tui_picker_is_open(t))
		tui_picker_key(t, key);
	else
		tui_keys_prompt(t, key);
}

void tui_on_key(void *arg, const struct key_event *event)
{
	struct tui *t = arg;

	if (event->kind == KEY_EVENT_REPLY)
		tui_frame_on_reply(t, event);
	if (t->client.is_leaving)
		return;
	switch (event->kind) {
	case KEY_EVENT_KEY:
		str_truncate(&t->note, 0);
		tui_keys_pass(t, &event->key);
		break;
	case KEY_EVENT_PASTE: tui_paste_add(t, event->paste); return;
	case KEY_EVENT_PASTE_END: tui_paste_end(t); break;
	case KEY_EVENT_FOCUS:
		t->window.is_unfocused = !event->is_focused;
		tui_away_follow(t);
		return;
	case KEY_EVENT_REPLY:
		if (!tty_on_reply(&t->info, event))
			return;
		screen_set_caps(t->screen, &t->info.caps);
		tui_choose_theme(t);
		break;
	}
	if (t->client.is_leaving)
		return;
	if (!tui_start_is_open(t))
		tui_status_line_follow(t);
	tui_redraw_for_key(t);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_keys_init(struct tui *t)
{
	t->keys = xnew(struct tui_keys);
}

void tui_keys_free(struct tui *t)
{
	str_clear(&t->keys->stash);
	free(t->keys);
}
